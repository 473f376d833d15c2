//! A small HTTP server that a metrics collector scrapes.
//!
//! memprof has its own server because it answers only two paths. `tiny_http`, which smaller
//! exporters use, has no time limit for a connection (its issue 143, open since 2018). A client
//! that opens connections and sends nothing blocks the server's threads forever. Servers with time
//! limits depend on an async runtime.
//!
//! Here one thread serves all connections. Few connections are open at once, and each takes a few
//! seconds at most. The program's threads do not wait for this thread.

mod connection;
mod request;

#[cfg(test)]
mod tests;

use connection::Connection;
use core::fmt::{self, Display};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The number of connections served at once. The operating system queues further ones.
const CONNECTIONS: usize = 16;

/// The pause while connections are open and none is ready.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The pause after the operating system refused to accept a connection.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);

/// The time limit for reading a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest time that dropping the server waits for the thread to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// A server of metrics over HTTP, which runs until it is dropped. For each request of `/metrics`,
/// it calls a closure that returns the answer.
///
/// There is no password: any program that can connect can read the metrics. So the server listens
/// on this machine only, unless the caller gives it another address.
///
/// # Example
/// The server answers each scrape with the latest snapshot of a session.
/// ```no_run
/// use memprof::export::metrics::MetricsServer;
/// use memprof::export::prometheus;
/// use memprof::Session;
///
/// let session = Session::start()?;
/// let handle = session.handle();
/// let server = MetricsServer::on_port(9464, move || {
///     let snapshot = handle.latest_snapshot().ok_or("nothing is recorded")?;
///     Ok::<_, &str>(prometheus::of_snapshot(&snapshot))
/// })?;
/// println!("{server}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// The server runs one thread, which sleeps while no client is connected. It serves 16 connections
/// at once and reads at most 8 KiB of each request. It disconnects clients that take more than 5
/// seconds to send the request or to receive the answer.
#[derive(Debug)]
pub struct MetricsServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    /// Nothing is sent on this channel. It closes when the thread has ended.
    ended: Receiver<()>,
}

impl MetricsServer {
    /// Serves the result of `metrics` on a port of the loopback address, so only programs on this
    /// machine can connect. Port 0 selects any free port.
    ///
    /// # Errors
    /// Returns an error if the port is in use, or if the operating system cannot create a thread.
    pub fn on_port<E: Display>(
        port: u16,
        metrics: impl FnMut() -> Result<String, E> + Send + 'static,
    ) -> io::Result<Self> {
        Self::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), metrics)
    }

    /// Serves the result of `metrics` at any address. Other machines have access if they can reach
    /// the address. If `metrics` fails, the answer has status 500 and contains the error.
    ///
    /// # Errors
    /// Returns an error if the address is in use or not an address of this machine, or if the
    /// operating system cannot create a thread.
    pub fn bind<E: Display>(
        address: SocketAddr,
        metrics: impl FnMut() -> Result<String, E> + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(address, REQUEST_TIMEOUT, metrics)
    }

    fn start<E: Display>(
        address: SocketAddr,
        request_timeout: Duration,
        mut metrics: impl FnMut() -> Result<String, E> + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let (end, ended) = channel();
        let mut text = move || {
            let result =
                catch_unwind(AssertUnwindSafe(|| metrics().map_err(|reason| reason.to_string())));
            result
                .unwrap_or_else(|_| Err("the closure that returns the metrics panicked".to_owned()))
        };
        thread::Builder::new().name("memprof-metrics".to_owned()).spawn(move || {
            serve(&listener, &stopped, request_timeout, &mut text);
            // The listener is dropped first, so that the port is free when `ended` closes.
            drop(listener);
            drop(end);
        })?;
        Ok(Self { address, stop, ended })
    }

    /// Returns the address at which the server listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MetricsServer {
    /// Closes all connections. If the closure is running, waits at most one second for it to
    /// return.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // A connection wakes the thread from `accept`.
        let _ = TcpStream::connect_timeout(&reachable(self.address), SHUTDOWN_TIMEOUT);
        let _ = self.ended.recv_timeout(SHUTDOWN_TIMEOUT);
    }
}

/// Returns an address at which a listener can be reached: an unspecified address becomes the
/// loopback address.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

fn serve(
    listener: &TcpListener,
    stop: &AtomicBool,
    request_timeout: Duration,
    text: &mut request::Metrics<'_>,
) {
    let mut open: Vec<Connection> = Vec::new();
    while !stop.load(Ordering::Acquire) {
        let mut moved = false;
        if open.len() < CONNECTIONS {
            // `accept` may block only if no other connection is open.
            let waiting = listener.set_nonblocking(!open.is_empty());
            match waiting.and_then(|()| listener.accept()) {
                Ok((stream, _)) => {
                    open.extend(Connection::new(stream, request_timeout));
                    moved = true;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => thread::sleep(ACCEPT_RETRY),
            }
        }
        open.retain_mut(|connection| {
            let progress = connection.step(text);
            moved |= progress == connection::Step::Moved;
            progress != connection::Step::Done
        });
        if !moved && !open.is_empty() {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Display for MetricsServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "http://{}/metrics", self.address)
    }
}
