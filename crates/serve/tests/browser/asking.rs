//! What people ask the server for: that it is answered though the server is to move, is slow, or is another one.

use merels_db::Edition;
use merels_serve::{Limits, Options};

use crate::common::{Server, solve_whole};
use crate::driver::Browser;

const WIDE: (u32, u32) = (1280, 960);

/// Has the server answer with a delay to what is asked by the page from now on, but for its own moves.
const SLOW: &str = "
    const { fetch } = window;
    window.fetch = async (address, options) => {
        if (!address.includes('/best') && !address.includes('/position')) await new Promise((done) => setTimeout(done, 1500));
        return fetch(address, options);
    };";

/// Has perfect play make White's moves.
const PERFECT_WHITE: &str = "
    const list = document.querySelector('#player-white');
    list.value = 'perfect';
    list.dispatchEvent(new Event('change'));";

#[tokio::test(flavor = "multi_thread")]
async fn it_goes_before_the_servers_move() {
    let server = Server::start("three");
    for (ask, css, words) in [
        (
            "document.querySelector('#game-text').value = '1. a1 b3 2. a2';
             document.querySelector('#review').requestSubmit();",
            "#history",
            "a2",
        ),
        (
            "document.querySelector('#pasted').value = 'w:a1,b1,c2 b:a3,b3,c1 move:b';
             document.querySelector('#paste').requestSubmit();",
            "#status",
            "Black to move",
        ),
        (
            "document.querySelector('#practice [name=min]').value = 0;
             document.querySelector('#practice [name=subspace]').value = '3-3 ';
             document.querySelector('#practice').requestSubmit();",
            "#notation-plain",
            "hand:0,0",
        ),
        // What cannot be had holds nothing up.
        (
            "document.querySelector('#game-text').value = '1-0';
             document.querySelector('#review').requestSubmit();",
            "#history",
            "b2",
        ),
    ] {
        let Some(browser) = Browser::open(&server, "", WIDE).await else { return };
        browser.says("#status", "White to move").await;
        browser.js(SLOW).await;
        if css == "#notation-plain" {
            browser.click("#tab-position").await;
        }
        browser.js(&format!("{PERFECT_WHITE} {ask}")).await;
        browser.says(css, words).await;
        if words == "b2" {
            browser.says("#status", "Black to move").await;
            browser.says("#notice", "has no moves").await;
        }
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn practice_without_distances() {
    let dir = tempfile::tempdir().unwrap();
    solve_whole(dir.path(), "three", Edition::Outcome);
    let server = Server::with(dir.path(), "three", Limits::default(), Options::default());
    let Some(browser) = Browser::open(&server, "", WIDE).await else { return };
    browser.click("#tab-position").await;
    let hidden = "return !document.querySelector('#practice [name=min]').checkVisibility()";
    assert_eq!(browser.js(hidden).await, true);
    // Not the start of the game, whose link says nothing.
    browser.js("document.querySelector('#practice [name=subspace]').value = '3-3'").await;
    browser.click("#practice button").await;
    browser.until("a position is found", "return location.hash.includes('position=')").await;
    assert_eq!(browser.js("return document.querySelector('#notice').hidden").await, true);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_game_in_the_place_of_this_one() {
    let mut server = Server::start("three");
    let Some(browser) = Browser::open(&server, "#moves=b2", WIDE).await else { return };
    browser.says("#status", "Black to move: loss in 8 plies").await;
    let examples = "return document.querySelector('#typed').placeholder
        + document.querySelector('#game-text').placeholder";
    let examples = browser.js(examples).await.as_str().unwrap().to_owned();
    assert!(examples.starts_with("a3-"), "{examples}");
    server.replace("four");
    browser.point("b3").await;
    browser.says("#notice", "Another game is served here now: four").await;
    browser.says("#status", "Black to move: loss in 8 plies").await;
    // With an error, too: this board has no such point.
    browser.write("#typed", "a2").await;
    browser.click("#type button").await;
    browser.says("#notice", "Another game is served here now: four").await;
    browser.js("history.replaceState(null, '', location.pathname)").await;
    browser.click("#notice button").await;
    browser.says("#status", "White to move").await;
    browser.says("#rules", "4 stones").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_that_are_too_long() {
    let server = Server::start("three");
    let Some(browser) = Browser::open(&server, "", WIDE).await else { return };
    browser.says("#status", "White to move").await;
    for (field, form) in [("#pasted", "#paste"), ("#game-text", "#review")] {
        browser.click("#tab-position").await;
        browser
            .js(&format!(
                "document.querySelector('{field}').value = 'b2 '.repeat(30000);
                 document.querySelector('{form}').requestSubmit();"
            ))
            .await;
        browser.says("#notice", "The text is too long.").await;
        assert_eq!(browser.text("#notice").await, "The text is too long.");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_an_answer_is_under_way() {
    let server = Server::start("three");
    let start = "#position=w:a1,b1,c2+b:a3,b3,c1+move:w";
    let Some(browser) = Browser::open(&server, start, WIDE).await else { return };
    browser.says("#status", "White to move").await;
    browser
        .js("const { fetch } = window;
             window.going = new Promise((go) => { window.goOn = go; });
             window.fetch = async (...asked) => { await window.going; return fetch(...asked); };")
        .await;
    browser.point("b1").await;
    browser.point("b2").await;
    // All that is shown speaks the other language.
    browser.select("#language", "fr").await;
    browser.says("#status", "Trait aux Blancs").await;
    browser.says("#history", "Aucun coup").await;
    browser.select("#language", "en").await;
    browser.says("#status", "White to move").await;
    // The colours are exchanged when there is something to exchange.
    browser.click("#flip").await;
    browser.js("window.goOn()").await;
    browser.until("b2 is black", "return location.hash.includes('position=') && document.querySelector('[data-point=b2]').getAttribute('aria-label').startsWith('b2, black stone')").await;
    browser.says("#status", "White to move").await;
    browser.close().await;
}
