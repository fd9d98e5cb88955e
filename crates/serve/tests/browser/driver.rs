//! A browser, and the actions that tests share.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::common::Server;

/// The longest wait for something to appear.
const PATIENCE: Duration = Duration::from_secs(60);

/// The least width of a window; narrower ones belong to an emulated telephone.
const LEAST_WIDTH: u32 = 500;

/// A page in a browser of its own.
pub(crate) struct Browser {
    pub(crate) client: Client,
    base: String,
    driver: Child,
}

impl Browser {
    /// The page of `server` at `address`, in English, in a window of this size.
    pub(crate) async fn open(server: &Server, address: &str, size: (u32, u32)) -> Self {
        let started = start_driver();
        let (driver, port) = started.unwrap_or_else(|error| {
            panic!("no chromedriver ({error}); install it: apt install chromium-driver")
        });
        let arguments = [
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--disable-gpu".to_owned(),
            "--force-prefers-reduced-motion".to_owned(),
            format!("--window-size={},{}", size.0, size.1),
        ];
        let mut options = json!({ "args": arguments, "prefs": { "intl.accept_languages": "en" } });
        if size.0 < LEAST_WIDTH {
            let metrics =
                json!({ "width": size.0, "height": size.1, "pixelRatio": 1, "touch": true });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let mut capabilities = fantoccini::wd::Capabilities::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let client = builder.connect(&format!("http://127.0.0.1:{port}")).await;
        let client = client.expect("a session of the browser");
        let browser = Self { client, base: server.base.clone(), driver };
        browser.go(address).await;
        browser
    }

    /// Loads the page at an address below the server's.
    pub(crate) async fn go(&self, address: &str) {
        self.client.goto(&format!("{}/{address}", self.base)).await.unwrap();
        // Only the fragment may have changed, which loads nothing.
        self.client.refresh().await.unwrap();
        self.until(
            "the position is shown",
            "return document.querySelectorAll('#moves *').length > 0",
        )
        .await;
    }

    /// Waits until `script` returns true.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        let begin = Instant::now();
        while self.js(script).await != Value::Bool(true) {
            if begin.elapsed() > PATIENCE {
                self.picture("failure").await;
                panic!(
                    "not within {PATIENCE:?}: {what}; the page says: {}",
                    self.text("body").await
                );
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Runs `script` and returns its result.
    pub(crate) async fn js(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// The visible text of an element.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.client.find(Locator::Css(css)).await.unwrap().text().await.unwrap()
    }

    /// Empties an element, so that the next text that it [`says`](Self::says) is new.
    pub(crate) async fn empty(&self, css: &str) {
        self.js(&format!("document.querySelector({}).replaceChildren()", json!(css))).await;
    }

    /// Waits until the text of an element contains `words`. Choose words that it did not contain
    /// before.
    pub(crate) async fn says(&self, css: &str, words: &str) {
        let what = format!("{css} says '{words}'");
        let script = format!(
            "return (document.querySelector({}) ?? document.createElement('p')).innerText.includes({})",
            json!(css),
            json!(words)
        );
        self.until(&what, &script).await;
    }

    /// Clicks an element.
    pub(crate) async fn click(&self, css: &str) {
        self.client.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }

    /// Clicks a point of the board.
    pub(crate) async fn point(&self, name: &str) {
        self.click(&format!("[data-point={name}]")).await;
    }

    /// The text of a point for screen readers.
    pub(crate) async fn label(&self, point: &str) -> String {
        let script = format!(
            "return document.querySelector('[data-point={point}]').getAttribute('aria-label')"
        );
        self.js(&script).await.as_str().unwrap().to_owned()
    }

    /// Replaces the text of a field.
    pub(crate) async fn write(&self, css: &str, text: &str) {
        let field = self.client.find(Locator::Css(css)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Chooses from a list.
    pub(crate) async fn select(&self, css: &str, value: &str) {
        let list = self.client.find(Locator::Css(css)).await.unwrap();
        list.select_by_value(value).await.unwrap();
    }

    /// Presses a key, with others held down.
    pub(crate) async fn press(&self, held: &[char], key: char) {
        let mut actions = KeyActions::new("keyboard".to_owned());
        for &value in held {
            actions = actions.then(KeyAction::Down { value });
        }
        actions = actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        for &value in held.iter().rev() {
            actions = actions.then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Saves a picture of the window in the target folder.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screens");
        fs::create_dir_all(&folder).unwrap();
        let picture = self.client.screenshot().await.unwrap();
        fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// Ends the session.
    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser, too.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// A driver with its port.
fn start_driver() -> io::Result<(Child, u16)> {
    // It takes a port that is free in IPv4, and ends if that is not free in IPv6.
    const ATTEMPTS: usize = 10;
    for _ in 0..ATTEMPTS {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let mut driver = driver?;
        if let Some(port) = port_of(&mut driver) {
            return Ok((driver, port));
        }
        driver.wait()?;
    }
    panic!("chromedriver ends before it takes a port");
}

/// The port of the driver; none if it has ended.
fn port_of(driver: &mut Child) -> Option<u16> {
    let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
    let port = lines.by_ref().find_map(|line| {
        let line = line.expect("text");
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // Read the rest of the output, because a full pipe would block the driver.
    std::thread::spawn(move || lines.for_each(drop));
    port
}
