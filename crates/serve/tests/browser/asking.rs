//! Requests of the user while the server is to move, is slow, or has been replaced by another one.

use merels_db::Edition;
use merels_serve::{Limits, Options};
use serde_json::json;

use crate::common::{Server, solve_whole};
use crate::driver::Browser;

const WIDE: (u32, u32) = (1280, 960);

/// Delays the answers to later requests of the page, except those for the server's own moves.
const SLOW: &str = "
    const { fetch } = window;
    window.fetch = async (address, options) => {
        if (!address.includes('/best') && !address.includes('/position')) await new Promise((done) => setTimeout(done, 1500));
        return fetch(address, options);
    };";

/// Lets perfect play make White's moves.
const PERFECT_WHITE: &str = "
    const list = document.querySelector('#player-white');
    list.value = 'perfect';
    list.dispatchEvent(new Event('change'));";

/// The page of `server` at `address`, once it is ready to play.
async fn page(server: &Server, address: &str) -> Browser {
    let browser = Browser::open(server, address, WIDE).await;
    browser.says("#status", " to move").await;
    browser
}

/// A script that fills fields and submits the form.
fn sending(form: &str, fields: &[(&str, &str)]) -> String {
    let writing = fields.iter().map(|(field, text)| {
        format!("document.querySelector({}).value = {};", json!(field), json!(text))
    });
    format!("{} document.querySelector('{form}').requestSubmit();", writing.collect::<String>())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn it_goes_before_the_servers_move() {
    let server = Server::start("three");
    let position = "w:a1,b1,c2 b:a3,b3,c1 move:b";
    for (form, fields, css, words) in [
        ("#review", &[("#game-text", "1. a1 b3 2. a2")][..], "#history", "a2"),
        ("#paste", &[("#pasted", position)], "#notation-plain", position),
        (
            "#practice",
            &[("#practice [name=min]", "0"), ("#practice [name=subspace]", "3-3 ")],
            "#notation-plain",
            "hand:0,0",
        ),
        // A refused request does not block the page.
        ("#review", &[("#game-text", "1-0")], "#history", "b2"),
    ] {
        let browser = page(&server, "").await;
        browser.js(SLOW).await;
        browser.js(&format!("{PERFECT_WHITE} {}", sending(form, fields))).await;
        browser.says(css, words).await;
        if words == "b2" {
            browser.says("#status", "Black to move").await;
            browser.says("#notice", "no moves found").await;
        }
        browser.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn practice_without_distances() {
    let dir = tempfile::tempdir().unwrap();
    solve_whole(dir.path(), "three", Edition::Outcome);
    let server = Server::with(dir.path(), "three", Limits::default(), Options::default());
    let browser = page(&server, "").await;
    browser.click("#tab-position").await;
    let hidden = "return !document.querySelector('#practice [name=min]').checkVisibility()";
    assert_eq!(browser.js(hidden).await, true);
    // Not the start of the game, whose address is empty.
    browser.js(&sending("#practice", &[("#practice [name=subspace]", "3-3")])).await;
    browser.until("a position is found", "return location.hash.includes('position=')").await;
    assert_eq!(browser.js("return document.querySelector('#notice').hidden").await, true);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn another_game_in_the_place_of_this_one() {
    let mut server = Server::start("three");
    let browser = page(&server, "#moves=b2").await;
    let lost = "Black to move: loss in 8 plies";
    browser.says("#status", lost).await;
    let examples = "return document.querySelector('#typed').placeholder
        + document.querySelector('#game-text').placeholder";
    let examples = browser.js(examples).await.as_str().unwrap().to_owned();
    assert!(examples.starts_with("a3-"), "{examples}");
    server.replace("four");
    let told = "The server now serves another game: four";
    browser.point("b3").await;
    browser.says("#notice", told).await;
    browser.says("#status", lost).await;
    // The message stays after an error: this board has no such point.
    browser.empty("#notice").await;
    browser.write("#typed", "a2").await;
    browser.click("#type button").await;
    browser.says("#notice", told).await;
    // The page no longer uses the address, which is for reloading; a move does not change it
    // either.
    let address = "return location.hash";
    for change in ["location.hash = '#moves=d2'", "document.querySelector('#moves button').click()"]
    {
        browser.empty("#notice").await;
        browser.js(change).await;
        browser.says("#notice", told).await;
        browser.says("#status", lost).await;
        assert_eq!(browser.js(address).await, "#moves=d2", "{change}");
    }
    browser.click("#notice button").await;
    browser.says("#rules", "4 stones").await;
    browser.says("#history", "d2").await;
    browser.says("#status", "Black to move").await;
    assert_eq!(browser.js(address).await, "#moves=d2");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn texts_that_are_too_long() {
    let server = Server::start("three");
    let browser = page(&server, "").await;
    let long = "b2 ".repeat(30_000);
    for (field, form) in [("#pasted", "#paste"), ("#game-text", "#review")] {
        browser.empty("#notice").await;
        browser.js(&sending(form, &[(field, &long)])).await;
        browser.says("#notice", "The text is too long.").await;
        assert_eq!(browser.text("#notice").await, "The text is too long.");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn while_an_answer_is_under_way() {
    let server = Server::start("three");
    let start = "#position=w:a1,b1,c2+b:a3,b3,c1+move:w";
    let browser = page(&server, start).await;
    browser
        .js("const { fetch } = window;
             window.going = new Promise((go) => { window.goOn = go; });
             window.fetch = async (...asked) => { await window.going; return fetch(...asked); };")
        .await;
    browser.point("b1").await;
    browser.point("b2").await;
    // Every text changes to the other language.
    browser.select("#language", "fr").await;
    browser.says("#status", "Trait aux Blancs").await;
    browser.says("#history", "Aucun coup").await;
    browser.select("#language", "en").await;
    browser.says("#status", "White to move").await;
    // The colours are swapped once the position has arrived.
    browser.click("#flip").await;
    browser.js("window.goOn()").await;
    browser.until("b2 is black", "return location.hash.includes('position=') && document.querySelector('[data-point=b2]').getAttribute('aria-label').startsWith('b2, black stone')").await;
    browser.says("#status", "White to move").await;
    browser.close().await;
}
