//! Many threads use one regex for a short time.
//!
//! regex 1.4.3 keeps a cache for each of the threads until the regex is dropped:
//! rust-lang/regex#362.

use regex::Regex;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Barrier;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let words = Regex::new(r"(\p{L}+)\s+(\p{N}+)")?;
    let all = Barrier::new(200);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                all.wait();
                words.is_match("one two three 4"); // the bloat
                all.wait();
            });
        }
    });
    session.checkpoint("held");
    drop(words);
    println!("{}", session.finish()?);
    Ok(())
}
