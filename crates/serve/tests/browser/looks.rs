//! What the page looks like: narrow and wide, light and dark, in both languages; names and
//! contrasts.

use serde_json::{Value, json};

use crate::common::Server;
use crate::driver::Browser;

/// A game with mistakes of both sides.
const GAME: &str = "#moves=d2+b4+a3+e3+c1+e5+d4+c4";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn narrow_screens() {
    let server = Server::start("four");
    // In the window of the last width, the panels are beside the board and narrower than in the
    // others.
    for (name, size) in [("narrow", (360, 740)), ("tablet", (800, 1100)), ("middling", (900, 1000))]
    {
        let browser = Browser::open(&server, GAME, size).await;
        browser.says("#status", "White to move").await;
        browser.picture(name).await;
        let fits = browser.js("return document.documentElement.scrollWidth <= innerWidth").await;
        assert_eq!(fits, true, "{name}: the page is wider than the window");
        browser.select("#language", "fr").await;
        browser.click("#tab-review").await;
        browser.write("#game-text", "d2 b4 a3 e3 c1 e5 d4 c4").await;
        // The page has judged the game before, for the address.
        browser.empty("#verdicts").await;
        browser.click("#review button").await;
        browser.says("#verdicts", "gaffe").await;
        browser.picture(&format!("{name}-review")).await;
        for tab in ["moves", "position", "review", "statistics", "rules"] {
            browser.click(&format!("#tab-{tab}")).await;
            if tab == "statistics" {
                browser.says("#statistics", "Phase de pose").await;
                browser.js("document.querySelector('#statistics').scrollIntoView()").await;
                browser.picture(&format!("{name}-statistics")).await;
            }
            assert_eq!(browser.js(STICKING_OUT).await, json!([]), "{name}: {tab}");
            assert_eq!(browser.js(SMALL_PRINT).await, json!([]), "{name}: {tab}");
            let fits =
                browser.js("return document.documentElement.scrollWidth <= innerWidth").await;
            assert_eq!(fits, true, "{name}: {tab} is wider than the window");
            assert_eq!(
                browser.js(SMALL_TARGETS).await,
                json!([]),
                "too small to touch: {name}, {tab}"
            );
        }
        browser.close().await;
    }
}

/// The contents of the open panel that reach beyond its edges.
const STICKING_OUT: &str = "
    const panel = document.querySelector('.panel:not([hidden])');
    const { left, right } = panel.getBoundingClientRect();
    const isOutside = (box) => box.left < left - 1 || box.right > right + 1;
    return [...panel.querySelectorAll('table, td, td *, button, input, textarea, svg, svg text, dd')]
        .filter((node) => node.checkVisibility() && isOutside(node.getBoundingClientRect()))
        .map((node) => node.outerHTML.slice(0, 80))";

/// Texts in drawings smaller than 9.5 pixels.
const SMALL_PRINT: &str = "
    return [...document.querySelectorAll('.panel svg text')]
        .filter((node) => node.checkVisibility())
        .map((node) => [node.textContent, parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a])
        .filter(([, size]) => size < 9.5)
        .map(([text, size]) => `${text}: ${size}`)";

/// Controls smaller than 24 pixels, the least size that guidelines allow.
const SMALL_TARGETS: &str = "
    return [...document.querySelectorAll('button, select, input:not([type=checkbox]):not([type=radio]), [role=button]')]
        .filter((node) => node.checkVisibility())
        .map((node) => [node.id || node.dataset.point || node.textContent, node.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24)
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn light_and_dark_in_both_languages() {
    let server = Server::start("four");
    let browser = Browser::open(&server, GAME, (1280, 1000)).await;
    browser.says("#history", "c4").await;
    browser.select("#theme", "light").await;
    browser.picture("light").await;
    browser.select("#theme", "dark").await;
    browser.picture("dark").await;
    browser.select("#language", "fr").await;
    browser.says("#status", "Trait aux Blancs").await;
    browser.says("#moves", "demi\u{2011}coups").await;
    assert_eq!(browser.js("return document.documentElement.lang").await, "fr");
    browser.picture("french").await;
    // The browser stores the choice.
    browser.go("").await;
    browser.says("#status", "Trait aux Blancs").await;
    let missing = browser.js(MISSING_WORDS).await;
    assert_eq!(missing, json!([]));
    let loose = "return import('/assets/words-fr.js').then((words) =>
        Object.values(words.default).filter((text) => / [:;!?%]/.test(text)))";
    assert_eq!(browser.js(loose).await, json!([]), "a mark may stand alone on a line");
    browser.close().await;
}

/// Keys that only one language has, or whose texts have different braces.
const MISSING_WORDS: &str = "return (async () => {
    const [en, fr] = (await Promise.all(['en', 'fr'].map((name) => import(`/assets/words-${name}.js`)))).map((words) => words.default);
    const places = (text) => [...(text ?? '').matchAll(/\\{\\w+\\}/g)].map(String).sort().join();
    return [...new Set([...Object.keys(en), ...Object.keys(fr)])]
        .filter((key) => !(key in en) || !(key in fr) || places(en[key]) !== places(fr[key]));
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn statistics_are_drawn() {
    let server = Server::start("standard");
    let position = "#position=w:d7,g7,g1+b:a4,g4,d5+move:b";
    let browser = Browser::open(&server, position, (1280, 1000)).await;
    browser.click("#tab-statistics").await;
    browser.says("#statistics", "1,690,422 positions").await;
    let label =
        "return document.querySelector('[data-subspace=\"3-3\"]').getAttribute('aria-label')";
    let label = browser.js(label).await;
    assert_eq!(label, "3-3: 83 % wins, 0.2 % draws, 17 % losses in 169,626 positions");
    browser.click("[data-subspace='3-3']").await;
    browser.says("#statistics", "plies to the end").await;
    browser.says("#statistics", "square roots of counts").await;
    browser
        .until(
            "bars are drawn",
            "return document.querySelectorAll('#statistics figure:last-child rect').length > 20",
        )
        .await;
    browser.picture("statistics").await;
    browser.close().await;

    let four = Server::start("four");
    let browser = Browser::open(&four, "", (1280, 1000)).await;
    browser.click("#tab-statistics").await;
    browser.says("#statistics", "Placing phase").await;
    browser.picture("statistics-placing").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromedriver: just test-all"]
async fn everything_has_a_name_and_enough_contrast() {
    let server = Server::start("four");
    let browser = Browser::open(&server, GAME, (1280, 1000)).await;
    browser.says("#history", "c4").await;
    for tab in ["moves", "position", "review", "statistics", "rules"] {
        browser.click(&format!("#tab-{tab}")).await;
        if tab == "statistics" {
            browser.says("#statistics", "Placing phase").await;
        }
        assert_eq!(browser.js(NAMELESS).await, json!([]), "{tab}");
    }
    for theme in ["light", "dark"] {
        browser.select("#theme", theme).await;
        let weak = browser.js(WEAK_CONTRASTS).await;
        assert_eq!(weak, Value::Array(Vec::new()), "{theme}");
    }
    browser.close().await;
}

/// Controls without a name for screen readers.
const NAMELESS: &str = "
    return [...document.querySelectorAll('button, select, input, textarea, [role=button], [role=tab], svg')]
        .filter((node) => node.checkVisibility())
        .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim() || node.labels?.length))
        .map((node) => node.outerHTML.slice(0, 80))";

/// Pairs of colours with a contrast of less than 4.5 to 1.
const WEAK_CONTRASTS: &str = "
    const probe = document.body.appendChild(document.createElement('span'));
    const channel = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const luminance = (name) => {
        probe.style.color = `var(${name})`;
        const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((part) => channel(part / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const grounds = ['--ground', '--surface'];
    const pairs = [
        ...['--text', '--quiet', '--accent', '--win', '--draw', '--loss'].flatMap((ink) => grounds.map((ground) => [ink, ground])),
        ...['--win-fill', '--draw-fill', '--loss-fill', '--wood'].map((ground) => ['--text', ground]),
        ['--on-accent', '--accent'], ['--loss', '--loss-fill'],
    ];
    const weak = pairs.filter(([ink, ground]) => {
        const [bright, dim] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
        return (bright + 0.05) / (dim + 0.05) < 4.5;
    });
    probe.remove();
    return weak.map((pair) => pair.join(' on '));";
