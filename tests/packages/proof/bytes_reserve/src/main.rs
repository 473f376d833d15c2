//! A connection reads messages into one buffer and keeps the first half of each.
//!
//! bytes 1.2.0 doubles the buffer where its spare part would be enough: tokio-rs/bytes#559.

use bytes::BytesMut;
use std::error::Error;
use std::path::PathBuf;
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
    let mut buffer = BytesMut::with_capacity(4096);
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        message(&mut buffer);
        std::thread::sleep(Duration::from_millis(450));
    }
    println!("{}", session.finish()?);
    Ok(())
}

/// Reads a message, and keeps the first half of it for the next call.
fn message(buffer: &mut BytesMut) {
    buffer.resize(4096, 0);
    drop(buffer.split_off(2048));
    buffer.reserve(2048); // the leak
}
