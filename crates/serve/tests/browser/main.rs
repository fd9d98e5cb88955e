//! Tests of the page in a real browser: Chromium without a window, by the WebDriver protocol.
//!
//! They need Chromium and `chromedriver`, so `cargo test` leaves them out. `just test-all` runs
//! them, and they fail without a browser. They save pictures of the page in the target folder,
//! under `tmp/screens`.

mod asking;
#[path = "../common/mod.rs"]
mod common;
mod driver;
mod looks;
mod playing;
