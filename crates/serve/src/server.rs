//! The loop that accepts connections.

use std::future::Future;
use std::io;
use std::time::Duration;

use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::connections::{Arrival, Connections};
use crate::explorer::Explorer;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::router::router;

/// The pause after the system refuses a connection, for example because no file handle is left.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers connections to `listener` from `explorer` until `stop` ends. Then it accepts no more, and
/// open connections may finish within the time that the limits allow.
pub async fn serve(
    listener: TcpListener,
    explorer: Explorer,
    limits: &Limits,
    options: &Options,
    stop: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new());
    http.header_read_timeout(limits.sending);
    http.max_buf_size(limits.head);
    let connections = Connections::new(limits);
    let metrics = Metrics::new(&explorer, &connections);
    let router = TowerToHyperService::new(router(explorer, limits, options, metrics));
    let farewell = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let place = connections.place().await;
            (place, accept(&listener).await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let (stream, arrival) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("cannot take a connection: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        let Some(open) = connections.admit(place, arrival.peer.ip()) else {
            tracing::debug!("{} has too many connections", arrival.peer.ip());
            continue;
        };
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(arrival);
            router.call(request)
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.receiving));
        let stream = TokioIo::new(Box::pin(stream));
        let answered = farewell.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            if let Err(error) = answered.await {
                // The client has gone, does not read, or does not send HTTP.
                tracing::debug!("connection: {error}");
            }
            drop(open);
        });
    }
    drop(listener);
    if timeout(limits.farewell, farewell.shutdown()).await.is_err() {
        tracing::warn!("some connections were cut");
    }
}

/// Takes the next connection.
async fn accept(listener: &TcpListener) -> io::Result<(TcpStream, Arrival)> {
    let (stream, peer) = listener.accept().await?;
    // Answers are small and clients wait for them.
    let _ = stream.set_nodelay(true);
    let local = stream.local_addr()?;
    Ok((stream, Arrival { peer, local }))
}
