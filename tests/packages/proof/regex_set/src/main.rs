//! A service matches paths against a set of patterns, as globset builds them.
//!
//! regex 1.9.1 keeps much more memory for a set than regex 1.8: rust-lang/regex#1059.

use regex::bytes::RegexSet;
use std::error::Error;
use std::path::PathBuf;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let patterns = (0..100).map(|number| format!(r"(?-u)^(?:/?|.*/)target{number}/[^/]*\.rs$"));
    let ignored = RegexSet::new(patterns)?;
    let is_ignored = ignored.is_match(b"memprof/target7/lib.rs"); // the bloat
    assert!(is_ignored);
    session.checkpoint("held");
    drop(ignored);
    println!("{}", session.finish()?);
    Ok(())
}
