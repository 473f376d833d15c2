//! Prints allocations by operation and by place in the source, and the largest blocks.
//!
//! It counts the words of the documentation, or of the given files, and keeps some memory that it
//! should free: `cargo run --release --example who_allocates`.

use memprof::heap::{self, Level, Rate};
use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

// The allocator samples from the first allocation on, so that nothing is missing.
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Sampled);

/// The places of each word.
#[derive(Default)]
struct Index {
    words: HashMap<String, Vec<Place>>,
    /// Texts that are never read again.
    texts: Vec<String>,
}

struct Place {
    file: u32,
    line: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    // This program is small, so it samples every 4 KiB. The default is 512 KiB.
    heap::set_rate(Rate::every(4096));
    let mut index = Index::default();
    for (number, file) in (0..).zip(files()?) {
        let _operation = memprof::operation!("file");
        let text = read(&file)?;
        add(&mut index, number, &text);
        index.texts.push(text);
    }
    let places: usize = index.words.values().map(Vec::len).sum();
    let (first, last) =
        index.words.values().flatten().fold((u32::MAX, 0), |(first, last), place| {
            (first.min(place.line), last.max(place.file))
        });
    println!("{} words at {places} places, from line {first} to file {last}\n", index.words.len());
    println!("{}\n", heap::totals()?);
    println!("{}\n", heap::operations()?);
    println!("{}\n", heap::sites()?);
    println!("{}", heap::largest(3)?);
    Ok(())
}

fn files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let named: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    Ok(files)
}

fn read(file: &PathBuf) -> Result<String, Box<dyn Error>> {
    let _operation = memprof::operation!("read");
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn add(index: &mut Index, file: u32, text: &str) {
    let _operation = memprof::operation!("index");
    for (line, text) in (1..).zip(text.lines()) {
        for word in text.split(|char: char| !char.is_alphanumeric()) {
            if !word.is_empty() {
                index.words.entry(word.to_lowercase()).or_default().push(Place { file, line });
            }
        }
    }
}
