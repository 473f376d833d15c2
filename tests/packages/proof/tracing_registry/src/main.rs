//! A service installs a subscriber and records no span.
//!
//! tracing-subscriber 0.2.13 allocates the metadata of all possible threads at once:
//! tokio-rs/tracing#1005.

use std::error::Error;
use std::path::PathBuf;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let registry = tracing_subscriber::registry(); // the bloat
    session.checkpoint("held");
    drop(registry);
    println!("{}", session.finish()?);
    Ok(())
}
