//! Prints the total of folded stacks according to inferno: `folded_total FILE`.
//! `memprof-export/tests/consumers` compares it with the recording.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("expected a file with folded stacks")?;
    let folded = std::fs::read_to_string(path)?;
    let mut svg = Vec::new();
    inferno::flamegraph::from_lines(
        &mut inferno::flamegraph::Options::default(),
        folded.lines(),
        &mut svg,
    )?;
    let svg = String::from_utf8(svg)?;
    // inferno draws a line with two counts as a difference.
    if svg.contains("%; +") || svg.contains("%; -") {
        return Err("inferno took the end of a name for a count".into());
    }
    let total = svg.split_once("total_samples=\"").and_then(|(_, rest)| rest.split_once('"'));
    println!("{}", total.ok_or("inferno drew no total")?.0);
    Ok(())
}
