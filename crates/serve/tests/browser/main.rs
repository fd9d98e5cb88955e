//! The page in a real browser: Chromium without a window, driven by the WebDriver protocol.
//!
//! Where there is no `chromedriver`, the tests say that they are skipped, unless
//! `MERELS_BROWSER_TESTS` is set, which demands it. Pictures of the page are left in the target
//! folder, under `tmp/screens`.

mod asking;
#[path = "../common/mod.rs"]
mod common;
mod driver;
mod looks;
mod playing;
