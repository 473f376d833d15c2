//! Each request has a token, and each step of it a token of its own.
//!
//! tokio-util 0.7.1 keeps a token whose child outlived it: tokio-rs/tokio#4652.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let service = CancellationToken::new();
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        for _ in 0..200 {
            drop(request(&service));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

/// Returns the token of the request's last step, which outlives the request.
fn request(service: &CancellationToken) -> CancellationToken {
    let request = service.child_token(); // the leak
    request.child_token()
}
