//! Tests of the page in a real browser: Chromium without a window, by the WebDriver protocol.
//!
//! Without `chromedriver`, the tests print that they are skipped; if `MERELS_BROWSER_TESTS` is set,
//! they fail. They save pictures of the page in the target folder, under `tmp/screens`.

mod asking;
#[path = "../common/mod.rs"]
mod common;
mod driver;
mod looks;
mod playing;
