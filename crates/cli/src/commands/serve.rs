//! `merels serve`: the databases over HTTP, and a page that shows them.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use merels_serve::{Explorer, Limits, Options, serve};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::LevelFilter;

use crate::exit::Exit;
use crate::limits::raise_open_files;
use crate::output::CANNOT_WRITE;
use crate::shared::arguments::DatabaseArgs;

/// Show the databases in a browser, and answer programs over HTTP
///
/// The page plays games, shows the value of every move, judges games that you paste, and draws what
/// the databases contain. Programs receive JSON (docs/http-api.md). The server writes nothing and
/// has no login, so think twice before you open it to other machines with --addr. It answers only
/// requests to localhost, to the address of the connection, and to the names in --addr and
/// --allow-host.
///
/// Ctrl-C or SIGTERM stops the server; a second signal stops it at once. Without databases, it
/// solves small games and positions with few stones on request.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen, as HOST:PORT; with port 0 the server takes a free port and prints it
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    addr: String,
    /// Let pages of this origin (`https://example.org`, or `*` for all) read the answers; may be
    /// repeated
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,
    /// Also answer requests to the host NAME, for example the name of a proxy in front (`*` for
    /// all); a port in it is ignored; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// The path below which the page and all addresses are, for example /mill/
    #[arg(long, value_name = "PATH", default_value = "/")]
    base: String,
    /// How many connections one address may have open (64 by default); loopback may have any number
    #[arg(long, value_name = "NUMBER")]
    connections_per_address: Option<NonZeroUsize>,
    /// How many MiB of decoded values to keep in memory; more make look-ups faster
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    cache: u32,
    /// Show numbers about requests, look-ups and connections at /metrics, for Prometheus
    #[arg(long)]
    metrics: bool,
    /// Write a line about each request to standard error
    #[arg(long)]
    access_log: bool,
    /// What to write to standard error
    #[arg(long, value_enum, default_value_t = Log::Warn)]
    log: Log,
}

/// What the server writes while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Nothing
    Off,
    /// Problems of the server: a damaged file, too many requests
    Warn,
    /// Also wrong requests
    Debug,
}

/// How long the end of the program waits at most for look-ups whose clients have gone.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs the command.
pub(crate) fn run(database: &DatabaseArgs, args: &ServeArgs) -> anyhow::Result<Exit> {
    let options = options(args)?;
    let mut limits = Limits::default();
    if let Some(most) = args.connections_per_address {
        limits.connections_per_address = most.get();
    }
    limits.blocks = args.cache as usize * (1024 * 1024 / Limits::BLOCK_SIZE);
    let tables = Explorer::most_files(&database.ruleset());
    let files = raise_open_files(limits.connections + tables + Limits::OTHER_FILES);
    let limits = limits.within_files(files.saturating_sub(tables));
    let explorer = Explorer::open(&database.existing_folder()?, database.ruleset(), &limits)?;
    let level = match args.log {
        Log::Off => LevelFilter::OFF,
        Log::Warn => LevelFilter::WARN,
        Log::Debug => LevelFilter::DEBUG,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).without_time().init();
    try_threads(thread::available_parallelism().map_or(1, usize::from))
        .context("cannot start threads")?;
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime: Runtime = runtime.context("cannot start threads")?;
    runtime.block_on(async {
        let listener = TcpListener::bind(&args.addr).await;
        let listener = listener.with_context(|| format!("cannot listen at {}", args.addr))?;
        let address = listener.local_addr().context("cannot read the address")?;
        let stop = stop_signal().context("cannot wait for signals")?;
        let mut out = io::stdout().lock();
        let (base, ruleset) = (options.base(), database.ruleset());
        writeln!(out, "merels is at http://{address}{base} ({ruleset}); Ctrl-C stops it")
            .and_then(|()| out.flush())
            .context(CANNOT_WRITE)?;
        drop(out);
        serve(listener, explorer, &limits, &options, stop).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(PATIENCE);
    Ok(Exit::Fine)
}

/// The options of the server.
fn options(args: &ServeArgs) -> anyhow::Result<Options> {
    let mut options = Options::default();
    for origin in &args.cors {
        options.allow_origin(origin)?;
    }
    for name in &args.allow_host {
        options.allow_host(name).context("--allow-host")?;
    }
    options.set_base(&args.base).context("--base")?;
    (options.metrics, options.access_log) = (args.metrics, args.access_log);
    let is_port = |(host, port): &(&str, &str)| !host.is_empty() && port.parse::<u16>().is_ok();
    let parts = args.addr.rsplit_once(':').filter(is_port);
    let (host, _) = parts.with_context(|| {
        format!(
            "--addr: '{}' is not an address; write HOST:PORT, for example 127.0.0.1:7878, \
             localhost:7878 or [::1]:7878",
            args.addr
        )
    })?;
    // Where the system knows a name that is none for the web, nobody can send it either.
    let _ = options.allow_host(host);
    Ok(options)
}

/// Starts as many threads as the runtime does, and ends them. The runtime itself would panic where
/// the system refuses a thread.
fn try_threads(count: usize) -> io::Result<()> {
    let started: io::Result<Vec<_>> =
        (0..=count).map(|_| thread::Builder::new().spawn(thread::park)).collect();
    for thread in started? {
        thread.thread().unpark();
        // A thread that only waits does not panic.
        let _ = thread.join();
    }
    Ok(())
}

/// A future that ends at the first signal to stop. A second signal ends the program at once.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut signals = Signals::new()?;
    Ok(async move {
        signals.next().await;
        tokio::spawn(async move {
            signals.next().await;
            process::exit(Exit::Interrupted as i32);
        });
    })
}

/// The signals that ask the program to stop.
#[cfg(unix)]
struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// The signals that ask the program to stop.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
