//! Errors in one line, for people.

use std::error::Error;

/// The error and its causes in one line, without causes that the outer message already contains.
///
/// ```
/// let error = "8-x".parse::<merels_core::Subspace>().unwrap_err();
/// assert!(merels_core::one_line(&error).starts_with("'8-x' is not a subspace"));
/// ```
pub fn one_line(error: &(dyn Error + 'static)) -> String {
    let mut line = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let cause = error.to_string();
        next = error.source();
        if !line.contains(&cause) {
            if !line.is_empty() {
                line.push_str(": ");
            }
            line.push_str(&cause);
        }
    }
    line.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{told}")]
    struct Outer {
        told: &'static str,
        source: io::Error,
    }

    #[test]
    fn causes_are_told_once_and_in_one_line() {
        let error = |told, cause| Outer { told, source: io::Error::other(cause) };
        let text = one_line(&error("cannot write x", "disk on\nfire"));
        assert_eq!(text, "cannot write x: disk on fire");
        assert_eq!(one_line(&error("on fire", "fire")), "on fire");
    }
}
