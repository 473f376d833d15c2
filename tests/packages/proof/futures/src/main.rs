//! A service that shuts down takes its unfinished requests out of the set that polls them.
//!
//! futures-util 0.3.32 loses a task that `FuturesUnordered::into_iter` has returned:
//! rust-lang/futures-rs#3004.

use futures_util::stream::{FuturesUnordered, Stream};
use std::error::Error;
use std::future::pending;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        drop(restart());
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

/// Returns the requests that a service did not finish.
fn restart() -> Vec<impl Future<Output = ()>> {
    let mut requests = FuturesUnordered::new();
    for _ in 0..200 {
        requests.push(pending::<()>()); // the leak
    }
    let _ = Pin::new(&mut requests).poll_next(&mut Context::from_waker(Waker::noop()));
    requests.into_iter().collect()
}
