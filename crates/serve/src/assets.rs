//! The page. Its files are part of the program.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::encoding::{Coding, Encoded};
use crate::error::ApiError;

/// A file of the page.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

/// The page itself.
const INDEX: Asset = Asset {
    name: "index.html",
    content_type: "text/html; charset=utf-8",
    bytes: include_bytes!("../assets/index.html"),
};

/// The file of that name in the folder of assets.
macro_rules! asset {
    ($name:literal, $content_type:literal) => {
        Asset {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../assets/", $name)),
        }
    };
}

macro_rules! script {
    ($name:literal) => {
        asset!($name, "text/javascript; charset=utf-8")
    };
}

macro_rules! style {
    ($name:literal) => {
        asset!($name, "text/css; charset=utf-8")
    };
}

/// All files that the page requests below `/assets`.
const ASSETS: &[Asset] = &[
    asset!("icon.svg", "image/svg+xml"),
    style!("base.css"),
    style!("board.css"),
    style!("panels.css"),
    script!("main.js"),
    script!("api.js"),
    script!("board.js"),
    script!("chart.js"),
    script!("controls.js"),
    script!("dom.js"),
    script!("editor.js"),
    script!("entry.js"),
    script!("game.js"),
    script!("graph.js"),
    script!("history.js"),
    script!("i18n.js"),
    script!("link.js"),
    script!("moves.js"),
    script!("notation.js"),
    script!("notice.js"),
    script!("page.js"),
    script!("players.js"),
    script!("requests.js"),
    script!("review.js"),
    script!("selection.js"),
    script!("statistics.js"),
    script!("status.js"),
    script!("storage.js"),
    script!("tabs.js"),
    script!("theme.js"),
    script!("view.js"),
    script!("words-en.js"),
    script!("words-fr.js"),
    script!("worth.js"),
];

/// The page and its files.
pub(crate) fn routes() -> Router {
    Router::new()
        .route("/", get(async |headers: HeaderMap| answer(&INDEX, &headers)))
        .route("/assets/{name}", get(asset))
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, ApiError> {
    let asset = ASSETS.iter().find(|asset| asset.name == name).ok_or(ApiError::NoAddress)?;
    answer(asset, &headers)
}

/// The file, unless the client already has it. Clients ask each time, so that a newer program never
/// runs with files of an older one.
fn answer(asset: &Asset, headers: &HeaderMap) -> Result<Response, ApiError> {
    let encoded = ENCODED.get(asset.name).ok_or(ApiError::Internal)?;
    let (coding, bytes) = encoded.bytes(Coding::preferred(headers));
    let tag = tag_of(coding);
    let common = [
        (ETAG, tag.as_str()),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_TYPE, asset.content_type),
        (VARY, "accept-encoding"),
    ];
    if is_known(headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let mut response = (common, bytes).into_response();
    if coding != Coding::Identity {
        let coding = HeaderValue::from_static(coding.name());
        response.headers_mut().insert(CONTENT_ENCODING, coding);
    }
    Ok(response)
}

/// Whether the client has a file with this tag. A proxy that changes the coding makes tags weak.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut known = lines.flat_map(|line| line.split(',')).map(str::trim);
    known.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
}

/// The tag of all files in a coding: they belong together.
fn tag_of(coding: Coding) -> String {
    match coding {
        Coding::Identity => format!("\"{}\"", *VERSION),
        _ => format!("\"{}-{}\"", *VERSION, coding.name()),
    }
}

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = crc32fast::Hasher::new();
    for asset in ASSETS.iter().chain([&INDEX]) {
        hasher.update(asset.bytes);
    }
    format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hasher.finalize())
});

/// All files, compressed when the first is requested. Memory does not fail to be written to, so
/// every file is there.
static ENCODED: LazyLock<HashMap<&str, Encoded>> = LazyLock::new(|| {
    let all = ASSETS.iter().chain([&INDEX]);
    all.filter_map(|asset| Some((asset.name, Encoded::new(asset.bytes).ok()?))).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
        let there = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        let there: BTreeSet<_> = there.map(|name| name.into_string().unwrap()).collect();
        let served = ASSETS.iter().chain([&INDEX]).map(|asset| asset.name.to_owned());
        assert_eq!(served.collect::<BTreeSet<_>>(), there);
    }

    #[test]
    fn scripts_import_existing_files() {
        for asset in ASSETS.iter().filter(|asset| asset.name.ends_with(".js")) {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for line in text.lines().filter(|line| line.contains(" from \"./")) {
                let (_, rest) = line.split_once("\"./").unwrap();
                let (name, _) = rest.split_once('"').unwrap();
                let found = ASSETS.iter().any(|asset| asset.name == name);
                assert!(found, "{} imports {name}", asset.name);
            }
        }
    }
}
