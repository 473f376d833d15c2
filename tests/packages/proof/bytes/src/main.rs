//! Pages of a shared buffer are copied into vectors of their own.
//!
//! bytes 1.10.0 never drops the owner of a buffer that becomes a vector: tokio-rs/bytes#773.

use bytes::Bytes;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

struct Page([u8; 4096]);

impl AsRef<[u8]> for Page {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        for number in 0..8 {
            drop(read(number));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

fn read(number: u8) -> Vec<u8> {
    let page = Bytes::from_owner(Page([number; 4096])); // the leak
    page.into()
}
