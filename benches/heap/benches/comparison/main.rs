//! memprof compared with its peers: `cargo bench` in the root of the workspace.
//!
//! The program prints criterion's lines and, last, one table of ratios. `cargo bench -- --help`
//! prints the options. Without `--bench`, as under `cargo test`, the values are small.

mod heap;
mod lines;
mod machine;
mod options;
mod session;
mod table;
mod walk;
mod wrapper;

use machine::Machine;
use options::{Options, Part};
use std::process::ExitCode;
use table::Table;

// The level is off, except in the rows about sessions.
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{}", options::USAGE);
        return ExitCode::SUCCESS;
    }
    let machine = Machine::read();
    let is_wanted = |part| options.parts.contains(&part);
    let walk = is_wanted(Part::Walk).then(|| walk::measure(&options, &machine));
    let mut others = Vec::new();
    if is_wanted(Part::Heap) {
        others.push(heap::measure(&options));
    }
    if is_wanted(Part::Session) {
        others.push(session::measure(&options));
    }
    if is_wanted(Part::Wrapper) {
        others.push(wrapper::measure(&options));
    }

    let walk_group = walk.as_ref().map(|walk| &walk.group);
    let table = Table { groups: walk_group.into_iter().chain(&others).collect() };
    println!("\n{machine}\n\n{table}");
    if let Some(walk) = walk.as_ref().filter(|_| options.details) {
        println!("{}", walk.details);
    }
    let missed = walk.is_some_and(|walk| walk.missed);
    if missed && options.check { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
