//! Who allocates it? `cargo run -p memprof-examples --example operations`

use memprof::heap::{self, Level, Rate};
use std::collections::HashMap;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[memprof::track] // an operation with the function's name
fn read() -> Vec<String> {
    (0..20_000).map(|line| format!("word{} word{}", line % 100, line % 7)).collect()
}

fn count(lines: &[String]) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in lines {
        let _operation = memprof::operation!("split"); // until the end of the scope
        let words: Vec<&str> = line.split(' ').collect();
        for word in words {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    heap::set_rate(Rate::every(4096)); // a sample each 4 KiB: this program is small
    heap::set_level(Level::Sampled);
    let lines = read();
    let (counts, measured) = heap::measure(|| count(&lines))?;
    println!("{} words took {} B at most", counts.len(), measured.peak_bytes);
    println!("{}", heap::operations()?); // exact counts by operation
    println!("{}", heap::sites()?); // samples by function, file and line
    Ok(())
}
