//! The path below which the server answers: `/`, or `/mill/` beside other programs.

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::routing::get;

/// A path that begins and ends with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base(String);

impl Default for Base {
    fn default() -> Self {
        Self("/".into())
    }
}

impl Base {
    /// The path, with the slashes that it lacks at its ends. None if it needs escapes, or if clients
    /// would shorten it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('/').unwrap_or(text);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() {
            return Some(Self::default());
        }
        let in_paths = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
        let is_name = |name: &str| !["", ".", ".."].contains(&name) && name.chars().all(in_paths);
        inner.split('/').all(is_name).then(|| Self(format!("/{inner}/")))
    }

    pub(crate) fn path(&self) -> &str {
        &self.0
    }

    /// The path of an address of the server, which begins with a slash.
    pub(crate) fn join(&self, address: &str) -> String {
        format!("{}{address}", self.without_slash())
    }

    /// The address of the server that has this path.
    pub(crate) fn strip<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(self.without_slash()).unwrap_or(path)
    }

    /// Moves `router` below the path. The path without its last slash leads to the one with it.
    pub(crate) fn nest(&self, router: Router) -> Router {
        let path = self.without_slash();
        if path.is_empty() {
            return router;
        }
        // A relative address is right even if a proxy in front adds or removes a part of the path.
        let name = path.rsplit('/').next().unwrap_or_default();
        let location = [(LOCATION, format!("{name}/"))];
        let redirect = get(async || (StatusCode::PERMANENT_REDIRECT, location));
        Router::new().nest(self.path(), router).route(path, redirect)
    }

    fn without_slash(&self) -> &str {
        self.0.trim_end_matches('/')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (text, path) in [
            ("", "/"),
            ("/", "/"),
            ("mill", "/mill/"),
            ("/mill", "/mill/"),
            ("mill/", "/mill/"),
            ("/games/mill-9/", "/games/mill-9/"),
        ] {
            assert_eq!(Base::parse(text).unwrap().path(), path);
        }
        for bad in ["///", "/a//b/", "/../", "/a/./", "/{a}/", "/a b/", "/a?b", "/a%20b", "/é/"] {
            assert_eq!(Base::parse(bad), None, "{bad}");
        }
        let mill = Base::parse("mill").unwrap();
        assert_eq!(mill.join("/healthz"), "/mill/healthz");
        assert_eq!(mill.strip("/mill/api/position"), "/api/position");
        assert_eq!(Base::default().join("/healthz"), "/healthz");
    }
}
