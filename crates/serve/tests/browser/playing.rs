//! Actions of the user: playing, undo, setting up, values, judging a game.

use fantoccini::key::Key;

use merels_serve::{Limits, Options};

use crate::common::{Server, databases};
use crate::driver::Browser;

const WIDE: (u32, u32) = (1280, 960);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_mill_is_closed_and_a_stone_removed() {
    let server = Server::start("standard");
    let start = "#position=w:a1,a4,d7+b:g7,d6,b2,f4+move:w";
    let browser = Browser::open(&server, start, WIDE).await;
    browser.says("#status", "White to move: ").await;
    let best = browser.text("#moves .group .worth").await;
    assert!(browser.text("#status").await.ends_with(&best), "{best}");
    assert!(browser.label("d7").await.starts_with("d7, white stone: move this stone, "));
    assert_eq!(browser.label("g7").await, "g7, black stone");

    browser.point("d7").await;
    assert!(browser.label("a7").await.starts_with("a7, empty: move here, "));
    browser.point("a7").await;
    // The mill is closed: the player chooses the stone to remove.
    browser
        .until(
            "stones can be removed",
            "return document.querySelector('[data-point=g7]').classList.contains('open')",
        )
        .await;
    assert!(browser.label("g7").await.starts_with("g7, black stone: remove this stone, "));
    browser.says("#status", "White closed a mill and removes a stone").await;
    browser.picture("removal").await;
    browser.point("g7").await;
    browser.says("#history", "d7-a7xg7").await;
    browser.says("#status", "Black to move: ").await;
    assert_eq!(browser.label("g7").await.split(':').next(), Some("g7, empty"));
    browser.picture("after-removal").await;

    browser.click("#undo").await;
    browser.says("#status", "White to move: ").await;
    assert!(browser.label("g7").await.starts_with("g7, black stone"));
    browser.click("#redo").await;
    browser.says("#status", "Black to move: ").await;
    // The address contains the game.
    let address = browser.client.current_url().await.unwrap();
    assert!(address.fragment().unwrap().contains("d7-a7xg7"), "{address}");
    browser.client.refresh().await.unwrap();
    browser.says("#history", "d7-a7xg7").await;
    browser.says("#status", "Black to move: ").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn positions_are_pasted_and_set_up() {
    let server = Server::start("standard");
    let browser = Browser::open(&server, "", WIDE).await;
    // The empty board has no database here. The page shows the command that makes it, and play is
    // possible.
    browser.says("#notice", "merels solve").await;
    assert_eq!(browser.text("#moves-title").await, "Moves");
    browser.click("#tab-position").await;
    browser.write("#pasted", ".WWBW..B/......../.B......|B|9|9").await;
    browser.click("#paste button").await;
    browser.says("#status", "Black to move: loss in 26 plies").await;
    browser.says("#notation-plain", "w:d7,g1,g7 b:a4,d5,g4 move:b hand:0,0").await;
    browser.click("#flip").await;
    browser.says("#status", "White to move: loss in 26 plies").await;
    browser.write("#pasted", "w:a1 b:a1 move:w").await;
    browser.click("#paste button").await;
    browser.says("#notice", "a1").await;

    // By hand: without one stone, Black has lost.
    browser.click("#edit").await;
    browser.click("#editor input[value=none]").await;
    browser.point("d7").await;
    browser.click("#editor-done").await;
    browser.says("#notice", "lost already").await;
    browser.click("#editor input[value=black]").await;
    browser.point("d7").await;
    browser.click("#editor-done").await;
    browser.says("#status", "White to move: loss in 26 plies").await;
    browser.picture("position").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn the_keyboard_is_enough() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.says("#status", "White to move: win in 9 plies").await;
    let focused = "return document.activeElement.dataset.point ?? ''";
    let mut tabs = 0;
    while browser.js(focused).await == "" {
        browser.press(&[], Key::Tab.into()).await;
        tabs += 1;
        assert!(tabs < 20, "the board is not reached");
    }
    // The board is one step of the tab order.
    assert_eq!(browser.js(focused).await, "a3");
    browser.press(&[], Key::Right.into()).await;
    browser.press(&[], Key::Down.into()).await;
    assert_eq!(browser.js(focused).await, "b2");
    assert_eq!(browser.label("b2").await, "b2, empty: place a stone, win in 9 plies");
    browser.picture("keyboard").await;
    browser.press(&[], Key::Enter.into()).await;
    browser.says("#history", "b2").await;
    browser.says("#status", "Black to move: loss in 8 plies").await;
    browser.press(&[Key::Control.into()], 'z').await;
    browser.says("#status", "White to move: win in 9 plies").await;
    browser.press(&[Key::Control.into()], 'y').await;
    browser.says("#status", "Black to move").await;
    // These keys also work from elements that are not text fields.
    for id in ["values", "player-white"] {
        browser.js(&format!("document.querySelector('#{id}').focus()")).await;
        browser.press(&[Key::Control.into()], 'z').await;
        browser.says("#status", "White to move: win in 9 plies").await;
        browser.press(&[Key::Control.into()], 'y').await;
        browser.says("#status", "Black to move").await;
    }
    // You can also type a move. The page shows what is wrong with it.
    browser.write("#typed", "b2").await;
    browser.press(&[], Key::Enter.into()).await;
    browser.says("#notice", "b2 is not empty").await;
    // The message has no move number, because the typed move is not a game.
    assert!(browser.text("#notice").await.starts_with("b2 is not empty"));
    browser.write("#typed", "B3").await;
    browser.press(&[], Key::Enter.into()).await;
    browser.says("#history", "b3").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_game_against_perfect_play() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.select("#player-black", "perfect").await;
    browser.point("a1").await;
    // White gave the win away, and Black keeps the draw.
    browser.says("#history", "blunder").await;
    browser
        .until(
            "Black has answered",
            "return document.querySelectorAll('#history button').length === 3",
        )
        .await;
    browser.says("#status", "White to move: draw").await;
    browser.click("#undo").await;
    browser.says("#status", "White to move: win in 9 plies").await;
    browser.click("#redo").await;
    browser.says("#status", "White to move: draw").await;
    browser.click("#undo").await;
    browser.says("#status", "White to move: win in 9 plies").await;
    browser.point("b2").await;
    browser.says("#status", "White to move: win in 7 plies").await;
    // Perfect play by both sides, to the end.
    browser.select("#player-white", "perfect").await;
    browser
        .says("#status", "The game is over: Black has fewer than three stones. White wins.")
        .await;
    browser.picture("over").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_game_is_judged() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.click("#tab-review").await;
    browser.write("#game-text", "1. a1 b3 2. a2 b2").await;
    browser.click("#review button").await;
    browser.says("#verdicts", "White: 1 blunder(s)").await;
    browser.says("#verdicts", "1. a1").await;
    for list in ["#verdicts", "#history"] {
        browser.says(list, "a2 a3 b1 b2 and 2 more").await;
    }
    browser.says("#status", "White to move: win in 1 ply").await;
    browser.picture("review").await;
    browser.click("#verdicts tbody tr:first-child button").await;
    browser.says("#status", "Black to move: draw").await;
    // The table leads to its own game, even while another one is shown.
    browser.click("#new").await;
    browser.says("#status", "White to move: win in 9 plies").await;
    browser.click("#verdicts tbody tr:first-child button").await;
    browser.says("#status", "Black to move: draw").await;
    browser.write("#game-text", "1. a1 a1").await;
    browser.click("#review button").await;
    browser.says("#notice", "a1 is not empty").await;
    // The verdicts of the previous game are gone.
    assert_eq!(browser.text("#verdicts").await, "");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_text_of_several_games() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.says("#status", "White to move").await;
    browser.click("#tab-review").await;
    let first = "The text has 2 games. This is the first one.";
    browser.write("#game-text", "1. a1 b3 2. a2 * 1. b2 *").await;
    browser.click("#review button").await;
    browser.says("#verdicts", first).await;
    browser.says("#verdicts", "White: 1 blunder(s), 1 slip(s)").await;
    browser.select("#language", "fr").await;
    browser.says("#verdicts", "Le texte contient 2 parties.").await;
    browser.select("#language", "en").await;
    browser.says("#verdicts", first).await;
    // One game needs no such words.
    browser.write("#game-text", "1. a1 b3").await;
    browser.click("#review button").await;
    browser.says("#verdicts", "White: 1 blunder(s), 0 slip(s)").await;
    assert!(!browser.text("#verdicts").await.contains("games"));
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn one_move_at_a_time() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.says("#status", "White to move").await;
    // Two clicks before the answer to the first one: on the list, and on the board.
    browser
        .js("const [one, two] = document.querySelectorAll('#moves button'); one.click(); two.click();
             document.querySelector('[data-point=c3]').dispatchEvent(new MouseEvent('click'));")
        .await;
    browser.says("#status", "Black to move").await;
    let made = "return document.querySelectorAll('#history button').length";
    assert_eq!(browser.js(made).await, 2, "the start and one move");
    // While perfect play is to move, the user cannot make its move.
    browser.click("#undo").await;
    browser.says("#status", "White to move").await;
    browser.select("#player-white", "perfect").await;
    browser.js("document.querySelector('#moves button:last-child').click()").await;
    browser.says("#status", "Black to move").await;
    browser.says("#history", "b2").await;
    assert_eq!(browser.js(made).await, 2);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn the_editor_is_left_with_the_position() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.says("#status", "White to move").await;
    let open = "return document.querySelector('#editor-done') !== null";
    for change in [
        "document.querySelector('#moves button').click()",
        "document.querySelector('#undo').click()",
    ] {
        browser.click("#tab-position").await;
        browser.click("#edit").await;
        assert_eq!(browser.js(open).await, true);
        assert_eq!(browser.text("#status").await, "Setting up a position");
        browser.js(change).await;
        browser.says("#status", " to move: ").await;
        assert_eq!(browser.js(open).await, false, "{change}");
    }
    // The error of an abandoned request disappears.
    let no_notice = "return document.querySelector('#notice').hidden";
    browser.click("#edit").await;
    browser.point("a1").await;
    browser.click("#editor-done").await;
    browser.until("something is wrong", "return !document.querySelector('#notice').hidden").await;
    browser.click("#editor-leave").await;
    assert_eq!(browser.js(no_notice).await, true);
    for (css, choice) in [("#tab-moves", None), ("#player-black", Some("perfect"))] {
        browser.click("#tab-position").await;
        browser.write("#pasted", "fnord").await;
        browser.click("#paste button").await;
        browser
            .until("something is wrong", "return !document.querySelector('#notice').hidden")
            .await;
        match choice {
            None => browser.click(css).await,
            Some(choice) => {
                let change = format!(
                    "const list = document.querySelector('{css}'); list.value = '{choice}';
                     list.dispatchEvent(new Event('change'));"
                );
                browser.js(&change).await;
            }
        }
        assert_eq!(browser.js(no_notice).await, true, "{css}");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn what_cannot_be_read_is_told_and_changes_nothing() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "#moves=a1+a1", WIDE).await;
    browser.says("#status", "White to move").await;
    browser.says("#notice", "a1 is not empty").await;
    browser.point("b2").await;
    browser.says("#status", "Black to move").await;
    assert_eq!(browser.js("return document.querySelector('#notice').hidden").await, true);
    for (address, words) in
        [("moves=a1+a1", "a1 is not empty"), ("fnord", "does not contain a game")]
    {
        browser.js(&format!("location.hash = '{address}'")).await;
        browser.says("#notice", words).await;
        browser.says("#history", "b2").await;
        browser.says("#status", "Black to move").await;
    }
    for (field, text, button, words) in [
        ("#typed", "", "#type button", "Type a move first"),
        ("#typed", "1.", "#type button", "no moves found"),
        ("#pasted", " ", "#paste button", "Paste a position first"),
        ("#game-text", "", "#review button", "Paste a game first"),
        ("#game-text", "1-0", "#review button", "no moves found"),
    ] {
        let tab = match field {
            "#pasted" => "#tab-position",
            "#game-text" => "#tab-review",
            _ => "#tab-moves",
        };
        browser.click(tab).await;
        browser.write(field, text).await;
        browser.click(button).await;
        browser.says("#notice", words).await;
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn the_keyboard_stays_where_it_is() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "#moves=b2+b3", WIDE).await;
    browser.says("#status", "White to move").await;
    browser.js("document.querySelector('#history [data-key=\"1\"]').focus()").await;
    browser.press(&[], Key::Enter.into()).await;
    browser.says("#status", "Black to move").await;
    assert_eq!(browser.js("return document.activeElement.dataset.key").await, "1");
    browser.js("document.querySelector('#moves [data-key=a1]').focus()").await;
    browser.press(&[], Key::Enter.into()).await;
    browser.says("#status", "White to move").await;
    // That move is no longer in the list.
    assert_ne!(browser.js("return document.activeElement.dataset.point ?? ''").await, "");
    browser.js("document.querySelector('#tab-moves').focus()").await;
    browser.press(&[], Key::End.into()).await;
    assert_eq!(browser.js("return document.activeElement.id").await, "tab-rules");
    browser.press(&[], Key::Home.into()).await;
    assert_eq!(browser.js("return document.activeElement.id").await, "tab-moves");
    // A link to the board does not change the game.
    browser.js("document.querySelector('#skip').click()").await;
    assert_ne!(browser.js("return document.activeElement.dataset.point ?? ''").await, "");
    browser.says("#history", "a1").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn late_answers_are_dropped() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "#moves=b2", WIDE).await;
    browser.says("#status", "Black to move").await;
    // The server answers with a delay.
    browser
        .js("const { fetch } = window;
             window.fetch = async (address, options) => {
                 const late = address.includes('/random') || address.includes('/line');
                 if (late) await new Promise((done) => setTimeout(done, 1500));
                 const answer = await fetch(address, options);
                 if (late) window.answered = true;
                 return answer;
             };")
        .await;
    for form in [
        "document.querySelector('#practice').requestSubmit()",
        "document.querySelector('#show-line').click()",
    ] {
        browser.js(&format!("window.answered = false; document.querySelector('#practice [name=min]').value = 0; {form}")).await;
        browser
            .until("there is a sign", "return !document.querySelector('#searching').hidden")
            .await;
        browser.js("document.querySelector('#moves button').click()").await;
        browser.until("the answer is there", "return window.answered").await;
        browser
            .until("there is no sign", "return document.querySelector('#searching').hidden")
            .await;
        assert_eq!(browser.js("return location.hash.startsWith('#moves=b2')").await, true);
        assert_eq!(browser.text("#line").await, "");
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn the_subspace_chosen_last_is_drawn() {
    let server = Server::start("four");
    let browser = Browser::open(&server, "", WIDE).await;
    browser.click("#tab-statistics").await;
    browser.says("#statistics", "Placing phase").await;
    browser
        .js("const { fetch } = window;
             window.fetch = async (address, options) => {
                 const late = address.includes('3-3');
                 if (late) await new Promise((done) => setTimeout(done, 1000));
                 const answer = await fetch(address, options);
                 if (late) setTimeout(() => { window.answered = true; }, 200);
                 return answer;
             };")
        .await;
    browser.click("[data-subspace='3-3']").await;
    browser.click("[data-subspace='4-3']").await;
    browser.says("#statistics", "4-3: plies to the end").await;
    browser.until("the late answer is there", "return window.answered === true").await;
    browser.says("#statistics", "4-3: plies to the end").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_server_that_does_not_answer() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "#moves=b2", WIDE).await;
    browser.says("#status", "Black to move: loss in 8 plies").await;
    browser
        .js("const { fetch } = window;
             window.reachable = false;
             window.fetch = (...asked) => window.reachable ? fetch(...asked) : Promise.reject(new TypeError('away'));")
        .await;
    // A move that cannot be shown is not made, and can be tried again.
    browser.point("b3").await;
    browser.says("#notice", "The server does not answer.").await;
    browser.says("#status", "Black to move: loss in 8 plies").await;
    let made = "return document.querySelectorAll('#history button').length";
    assert_eq!(browser.js(made).await, 2, "the start and one move");
    assert_eq!(browser.js("return location.hash").await, "#moves=b2");
    browser.select("#language", "fr").await;
    let notice = browser.text("#notice").await;
    assert!(notice.contains("serveur"), "{notice}");
    browser.select("#language", "en").await;
    // If perfect play cannot move, a person plays its side.
    browser.select("#player-black", "perfect").await;
    let player = "return document.querySelector('#player-black').value === 'person'";
    browser.until("a person plays Black", player).await;
    browser.says("#status", "Black to move: loss in 8 plies").await;
    browser.js("window.reachable = true").await;
    browser.point("b3").await;
    browser.says("#history", "b3").await;
    browser.says("#status", "White to move").await;
    assert_eq!(browser.js("return document.querySelector('#notice').hidden").await, true);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn a_browser_that_remembers_nothing() {
    let server = Server::start("three");
    let browser = Browser::open(&server, "", WIDE).await;
    browser
        .js("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } })")
        .await;
    browser.select("#language", "fr").await;
    browser.says("#status", "Trait aux Blancs\u{202f}: victoire").await;
    browser.select("#theme", "dark").await;
    assert_eq!(browser.js("return document.documentElement.dataset.theme").await, "dark");
    browser.close().await;
}

/// The page also works below a path, to which the path without its last slash leads.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn the_page_is_below_a_path() {
    let mut options = Options::default();
    options.set_base("/mill/").unwrap();
    let server = Server::with(databases(), "three", Limits::default(), options);
    let browser = Browser::open(&server, "mill/", WIDE).await;
    browser.says("#status", "White to move: ").await;
    browser.go("mill#moves=b2").await;
    browser.says("#status", "Black to move: ").await;
    let address = browser.client.current_url().await.unwrap();
    assert_eq!(address.path(), "/mill/");
    browser.close().await;
}
