//! Each job runs on a runtime of its own.
//!
//! tokio 1.2.0 keeps the part of a runtime that handles signals: tokio-rs/tokio#3550.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;

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
        for number in 0..20 {
            job(number)?;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

fn job(number: u32) -> Result<u32, std::io::Error> {
    let runtime = Builder::new_current_thread().enable_all().build()?; // the leak
    Ok(runtime.block_on(async { number + 1 }))
}
