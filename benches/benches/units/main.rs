//! The array of the example `unit_arrays`, compared with the raw vector: profiling, creating,
//! adding, scaling.
//!
//! `cargo bench --package memprof-benches --bench units` prints the table. Both sides run in one
//! process, in turns. Without `--bench`, as under `cargo test`, the arrays are small.

#[path = "../../../examples/unit_arrays/array.rs"]
#[expect(dead_code, reason = "the example uses more of it")]
mod array;
#[path = "../../../examples/unit_arrays/unit.rs"]
#[expect(dead_code, reason = "the example uses more of it")]
mod unit;

mod operations;
mod rounds;

use operations::OPERATIONS;

/// The number of elements of the arrays, with its label in the table.
const SIZES: [(&str, usize); 4] =
    [("10", 10), ("1 K", 1_000), ("100 K", 100_000), ("1 M", 1_000_000)];

fn main() {
    let smaller = if std::env::args().any(|word| word == "--bench") { 1 } else { 1_000 };
    println!(
        "Arrays with a unit: the CPU time of each operation, relative to the same operation on a \
         raw `Vec<f64>`. Figures are medians of {} rounds in which both sides take turns, and the \
         raw time is in brackets.\n",
        rounds::ROUNDS
    );
    println!("| operation | {} |", SIZES.map(|(size, _)| size).join(" | "));
    println!("|---|{}", "---:|".repeat(SIZES.len()));
    for operation in &OPERATIONS {
        let cells = SIZES.map(|(_, len)| {
            let (raw, wrapped) = (operation.sides)((len / smaller).max(10));
            rounds::compare(&*raw, &*wrapped).to_string()
        });
        println!("| {} | {} |", operation.name, cells.join(" | "));
    }
}
