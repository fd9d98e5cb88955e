//! The options of a server besides its limits.

use axum::http::HeaderValue;

use crate::base::Base;
use crate::hosts::{Host, Hosts};
use crate::origins::as_sent;

/// The options of a server besides its limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Pages of these origins may read the answers, like the server's own page.
    pub(crate) cors: Vec<HeaderValue>,
    /// The names of the server, besides its addresses.
    pub(crate) hosts: Hosts,
    /// The path below which the server answers.
    pub(crate) base: Base,
    /// Whether `/metrics` shows numbers about requests and connections.
    pub metrics: bool,
    /// Whether the server writes a line about each request to standard error.
    pub access_log: bool,
}

/// The text of an option is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadOption {
    /// The text is not an origin.
    #[error("'{0}' is not an origin; write it like https://example.org, or * for all")]
    Origin(String),
    /// The text is not the name of a host.
    #[error("'{0}' is not the name of a host; write it like example.org, or * for all")]
    Host(String),
    /// The text is not a path.
    #[error("'{0}' is not a path; write it like /mill/, with letters, digits and -._~")]
    Base(String),
}

impl Options {
    /// Lets pages of `origin` read the answers; with `*`, all pages.
    ///
    /// # Errors
    /// If `origin` is not a scheme and a host, with or without a port.
    pub fn allow_origin(&mut self, origin: &str) -> Result<(), BadOption> {
        let sent = if origin == "*" { Some(origin.to_owned()) } else { as_sent(origin) };
        let value = sent.and_then(|sent| HeaderValue::from_str(&sent).ok());
        self.cors.push(value.ok_or_else(|| BadOption::Origin(origin.to_owned()))?);
        Ok(())
    }

    /// Answers requests to the host `name`; with `*`, to all hosts. Without it, the server answers
    /// requests to `localhost` and to the address of the connection. A port in `name` is ignored.
    ///
    /// # Errors
    /// If `name` is not the name or the address of a host.
    pub fn allow_host(&mut self, name: &str) -> Result<(), BadOption> {
        if name == "*" {
            self.hosts.allow_all();
        } else {
            self.hosts.allow(Host::parse(name).ok_or_else(|| BadOption::Host(name.to_owned()))?);
        }
        Ok(())
    }

    /// Answers below `path` only, and adds the slashes that it lacks at its ends.
    ///
    /// # Errors
    /// If `path` has other characters than those of a path that needs no escapes.
    pub fn set_base(&mut self, path: &str) -> Result<(), BadOption> {
        self.base = Base::parse(path).ok_or_else(|| BadOption::Base(path.to_owned()))?;
        Ok(())
    }

    /// The path below which the server answers; it begins and ends with a slash.
    pub fn base(&self) -> &str {
        self.base.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_quote_the_text() {
        let mut options = Options::default();
        for text in ["*", "https://example.org"] {
            assert_eq!(options.allow_origin(text), Ok(()));
        }
        for text in ["*", "example.org", "192.0.2.1:80"] {
            assert_eq!(options.allow_host(text), Ok(()));
        }
        for error in [
            options.allow_origin("a b").unwrap_err(),
            options.allow_host("a b").unwrap_err(),
            options.set_base("a b").unwrap_err(),
        ] {
            assert!(error.to_string().starts_with("'a b' is not "), "{error}");
        }
    }
}
