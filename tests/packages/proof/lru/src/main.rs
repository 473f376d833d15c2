//! A cache of pages is emptied when the pages have changed.
//!
//! lru 0.6.2 forgets the values in `clear`: jeromefroe/lru-rs#100.

use lru::LruCache;
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
    let mut pages = LruCache::new(100);
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        for number in 0..50 {
            pages.put(number, render(number));
        }
        pages.clear();
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

fn render(number: usize) -> String {
    format!("{number:>500}") // the leak
}
