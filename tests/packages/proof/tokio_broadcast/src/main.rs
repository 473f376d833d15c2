//! Each connection waits for its request or for the shutdown, which a broadcast announces.
//!
//! tokio 0.2.20 keeps a node for each receiver that waited and was dropped:
//! tokio-rs/mini-redis#38.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::{Sender, channel};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let mut runtime = tokio::runtime::Builder::new().basic_scheduler().build()?;
    let (shutdown, _) = channel(1);
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        for _ in 0..200 {
            runtime.block_on(connection(&shutdown));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

async fn connection(shutdown: &Sender<()>) {
    let mut shutdown = shutdown.subscribe(); // the leak
    tokio::select! {
        _ = shutdown.recv() => {}
        _ = request() => {}
    }
}

async fn request() {
    let () = tokio::task::yield_now().await;
}
