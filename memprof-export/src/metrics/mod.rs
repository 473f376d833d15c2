//! A small HTTP server that a metrics collector scrapes.
//!
//! By hand, as it answers two paths. `tiny_http`, which the smaller exporters take, gives a
//! connection no time limit (its issue 143, open since 2018): whoever opens some and says nothing
//! holds its threads for good. The servers that have limits bring an async runtime along. Here one
//! thread serves all connections, few at once, each for a few seconds at most; nobody waits for it.

mod connection;
mod request;

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

/// So many connections are served at once; more wait for the system to hand them over.
const CONNECTIONS: usize = 16;

/// How long is slept while connections are open and none has anything to say.
const PAUSE: Duration = Duration::from_millis(2);

/// How long is slept when the system has no more connections to give.
const NO_ROOM: Duration = Duration::from_millis(100);

/// How long whoever drops the server waits for it to end.
const END: Duration = Duration::from_secs(1);

/// Serves metrics over HTTP until it is dropped: `/metrics` is what a closure says, asked anew each
/// time.
///
/// Nobody is asked for a password: whoever can connect can read. So it listens to this machine alone
/// unless it is given another address.
///
/// # Example
/// A session that is scraped; each scrape takes a snapshot.
/// ```no_run
/// use memprof_export::prometheus;
/// use memprof_export::metrics::MetricsServer;
/// use memprof_session::Session;
///
/// let session = Session::start()?;
/// let handle = session.handle();
/// let server = MetricsServer::on_port(9464, move || {
///     let snapshot = handle.snapshot().ok_or("nothing is recorded")?;
///     Ok::<_, &str>(prometheus::of_snapshot(&snapshot))
/// })?;
/// println!("{server}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// One thread, asleep while nobody is connected. It serves 16 connections at once, and reads 8 KiB of
/// each request at most; who takes more than 5 seconds to ask, or to take the answer, is hung up on.
#[derive(Debug)]
pub struct MetricsServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    /// Says nothing, and hangs up when the thread has ended.
    ended: Receiver<()>,
}

impl MetricsServer {
    /// Serves what `metrics` says on a port of this machine, to programs of this machine; 0 stands
    /// for any free port.
    ///
    /// # Errors
    /// If the port is taken, or the system has no thread.
    pub fn on_port<E: Display>(
        port: u16,
        metrics: impl FnMut() -> Result<String, E> + Send + 'static,
    ) -> io::Result<Self> {
        Self::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), metrics)
    }

    /// Serves what `metrics` says at any address: to other machines too, if it is one that they
    /// reach. What `metrics` says if it fails is the answer of status 500.
    ///
    /// # Errors
    /// If the address is taken or none of this machine's, or the system has no thread.
    pub fn bind<E: Display>(
        address: SocketAddr,
        mut metrics: impl FnMut() -> Result<String, E> + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let (end, ended) = channel();
        let mut text = move || {
            let said = catch_unwind(AssertUnwindSafe(|| metrics().map_err(|why| why.to_string())));
            said.unwrap_or_else(|_| Err("the program panicked when it was asked".to_owned()))
        };
        thread::Builder::new().name("memprof-metrics".to_owned()).spawn(move || {
            serve(&listener, &stopped, &mut text);
            // Whoever is told of the end finds the port free.
            drop(listener);
            drop(end);
        })?;
        Ok(Self { address, stop, ended })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for MetricsServer {
    /// Closes all connections. It waits a second at most, where the closure is at work.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // Whoever waits for a connection is woken by one.
        let _ = TcpStream::connect_timeout(&reachable(self.address), END);
        let _ = self.ended.recv_timeout(END);
    }
}

/// An address at which a listener is reached: one of all addresses is not one itself.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

fn serve(listener: &TcpListener, stop: &AtomicBool, text: &mut request::Metrics<'_>) {
    let mut open: Vec<Connection> = Vec::new();
    while !stop.load(Ordering::Acquire) {
        let mut moved = false;
        if open.len() < CONNECTIONS {
            // Only who has nothing else to do may wait for the next.
            let waiting = listener.set_nonblocking(!open.is_empty());
            match waiting.and_then(|()| listener.accept()) {
                Ok((stream, _)) => {
                    open.extend(Connection::new(stream));
                    moved = true;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => thread::sleep(NO_ROOM),
            }
        }
        open.retain_mut(|connection| {
            let went = connection.step(text);
            moved |= went == connection::Step::Moved;
            went != connection::Step::Done
        });
        if !moved && !open.is_empty() {
            thread::sleep(PAUSE);
        }
    }
}

impl Display for MetricsServer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "http://{}/metrics", self.address)
    }
}
