//! Small databases, and a server on them.

// Every test program uses a part of this.
#![allow(dead_code)]

pub(crate) mod raw;

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};

use merels_core::Ruleset;
use merels_db::{Edition, Folder};
use merels_serve::{Explorer, Limits, Options, serve};
use merels_solver::{Observer, Options as SolverOptions, Plan, Processor, Selection, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

/// Solves the subspaces of `plan` into a folder.
fn solve(dir: &Path, plan: &Plan, edition: Edition) {
    struct Silent;
    impl Observer for Silent {}
    let folder = Folder::create(dir, *plan.ruleset(), Some(edition)).unwrap();
    let options = SolverOptions { memory: 2 << 30, level: 1, processor: Processor::detect() };
    run(&folder, plan, &options, &Silent, &AtomicBool::new(false)).unwrap();
}

/// Solves a whole game into a folder.
pub(crate) fn solve_whole(dir: &Path, ruleset: &str, edition: Edition) {
    let plan = Plan::whole_game(&ruleset.parse().unwrap(), &Selection::All).unwrap();
    solve(dir, &plan, edition);
}

/// A folder with databases of the standard game up to seven stones, and of the whole games `three`
/// and `four`.
pub(crate) fn databases() -> &'static Path {
    static DATABASES: LazyLock<TempDir> = LazyLock::new(|| {
        let dir = tempfile::tempdir().unwrap();
        let only = Selection::Only(vec!["4-3".parse().unwrap()]);
        let standard = Plan::moving(&Ruleset::STANDARD, &only).unwrap();
        solve(dir.path(), &standard, Edition::Compact);
        for name in ["three", "four"] {
            solve_whole(dir.path(), name, Edition::Compact);
        }
        dir
    });
    DATABASES.path()
}

/// A server on a free port, which stops when this is dropped.
pub(crate) struct Server {
    pub(crate) base: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server for `ruleset` on [`databases`].
    pub(crate) fn start(ruleset: &str) -> Self {
        Self::with(databases(), ruleset, Limits::default(), Options::default())
    }

    /// A server on the databases in `dir`.
    pub(crate) fn with(dir: &Path, ruleset: &str, limits: Limits, options: Options) -> Self {
        Self::at("127.0.0.1:0", dir, ruleset, limits, options)
    }

    /// Stops the server, and starts one for another ruleset in its place.
    pub(crate) fn replace(&mut self, ruleset: &str) {
        self.stop();
        let address = self.base.strip_prefix("http://").unwrap().to_owned();
        let (limits, options) = (Limits::default(), Options::default());
        *self = Self::at(&address, databases(), ruleset, limits, options);
    }

    fn at(address: &str, dir: &Path, ruleset: &str, limits: Limits, options: Options) -> Self {
        let wanted = address.to_owned();
        let ruleset: Ruleset = ruleset.parse().unwrap();
        let explorer = Explorer::open(dir, ruleset, &limits).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, address) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::bind(wanted).await.unwrap();
                told.send(listener.local_addr().unwrap()).unwrap();
                let until = async {
                    // Both a used and a dropped sender mean that the test is over.
                    let _ = stopped.await;
                };
                serve(listener, explorer, &limits, &options, until).await;
            });
        });
        let base = format!("http://{}", address.recv().unwrap());
        Self { base, stop: Some(stop), thread: Some(thread) }
    }

    /// Stops the server, and waits for its end.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// An answer of `/api`: its status, and its body.
    pub(crate) fn get(&self, name: &str, parameters: &[(&str, &str)]) -> (u16, Value) {
        let request = agent().get(format!("{}/api/{name}", self.base));
        let request = request.query_pairs(parameters.iter().copied());
        let mut response = request.call().unwrap();
        let body = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&body).expect("JSON"))
    }

    /// An answer that is not an error.
    pub(crate) fn answer(&self, name: &str, parameters: &[(&str, &str)]) -> Value {
        let (status, body) = self.get(name, parameters);
        assert_eq!(status, 200, "{name}: {body}");
        body
    }

    /// The status, the kind and the message of an error.
    pub(crate) fn error(&self, name: &str, parameters: &[(&str, &str)]) -> (u16, String, String) {
        let (status, body) = self.get(name, parameters);
        let text = |field: &str| body["error"][field].as_str().expect("an error").to_owned();
        (status, text("kind"), text("message"))
    }

    /// The server's answer about a game.
    pub(crate) fn annotate(&self, game: &str) -> (u16, Value) {
        self.post("annotate", "application/json", &json!({ "game": game }).to_string())
    }

    /// The server's answer to a body.
    pub(crate) fn post(&self, name: &str, content_type: &str, body: &str) -> (u16, Value) {
        let request = agent().post(format!("{}/api/{name}", self.base));
        let mut response = request.content_type(content_type).send(body.as_bytes()).unwrap();
        let body = response.body_mut().read_to_string().unwrap();
        (response.status().as_u16(), serde_json::from_str(&body).expect("JSON"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A client that returns error statuses as answers.
pub(crate) fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}
