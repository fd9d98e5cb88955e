//! The description of all addresses for programs, in OpenAPI 3.1: `/api/openapi.json`.
//!
//! An address is registered once, with its handler (`addresses`). Parameters, bodies and answers
//! come from the types of the handler, and their descriptions from the comments of these types
//! (`schemas`); the errors come from the table of their kinds (`responses`). So the router and the
//! document cannot differ.

pub(super) mod addresses;
pub(super) mod responses;
mod schemas;
