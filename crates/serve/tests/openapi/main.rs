//! The OpenAPI document: what it says about addresses, parameters and answers, compared with what
//! the server does.

mod answers;
#[path = "../common/mod.rs"]
mod common;
mod document;
mod parameters;
