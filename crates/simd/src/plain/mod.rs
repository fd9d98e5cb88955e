//! Every operation in safe code for any processor: the reference for all other forms.

pub(crate) mod bits;
pub(crate) mod lanes;
pub(crate) mod sorting;
