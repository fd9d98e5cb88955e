//! The loop that accepts connections.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::limits::Limits;

/// The pause after the system refuses a connection, for example because no file handle is left.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers connections to `listener` until `stop` ends. Then it accepts no more, and open
/// connections may finish within the time that the limits allow.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    stop: impl Future<Output = ()>,
) {
    let mut connection = http1::Builder::new();
    connection.timer(TokioTimer::new());
    connection.header_read_timeout(limits.sending);
    connection.max_buf_size(limits.head);
    let open = Arc::new(Semaphore::new(limits.connections));
    let farewell = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let next = async {
            let place = Arc::clone(&open).acquire_owned().await.expect("places for connections");
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut stop => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("cannot take a connection: {error}");
                sleep(PAUSE).await;
                continue;
            }
        };
        // Answers are small and clients wait for them.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let answered = farewell.watch(connection.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = answered.await {
                // The client has gone or does not send HTTP.
                tracing::debug!("connection: {error}");
            }
            drop(place);
        });
    }
    drop(listener);
    if timeout(limits.farewell, farewell.shutdown()).await.is_err() {
        tracing::warn!("some connections were cut");
    }
}
