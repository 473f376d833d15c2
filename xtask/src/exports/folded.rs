//! Folded stacks of sessions, read by inferno and by a terminal viewer.

use super::programs::{export, output, python};
use super::recordings::recordings;
use crate::Failure;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A script that prints the total and the number of stacks according to the viewer's parser.
const PARSE: &str = include_str!("folded.py");

/// The parser. Its licence is the GPL, so it only runs here and is never a dependency.
const PACKAGES: [&str; 1] = ["flamegraph-textual"];

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let python = python(&PACKAGES)?;
    let mut results = Vec::new();
    for recorded in recordings(folder)? {
        let forms = [
            ("folded-sites", recorded.site_bytes()),
            ("folded-operations", recorded.operation_bytes().0),
            ("folded", recorded.snapshot_bytes()?),
        ];
        for (form, sum) in forms {
            let file = folder.join(format!("{}.{form}", recorded.name));
            export(&recorded.path, form, &file)?;
            let text = fs::read_to_string(&file)?;
            let drawn = inferno(&text)?;
            let parsed = output(Command::new(&python).args(["-c", PARSE]).arg(&file))?;
            let expected = format!("{sum} {}", depths(&text));
            if drawn != sum || parsed.trim() != expected {
                let name = recorded.name;
                let parsed = parsed.trim();
                return Err(format!(
                    "{name} {form}: inferno draws {drawn}, flamegraph-textual reads {parsed}, \
                     and not {expected}"
                )
                .into());
            }
            results.push(format!(
                "{} {form}: {sum} bytes, the same to inferno and flamegraph-textual",
                recorded.name
            ));
        }
    }
    Ok(results.join("\n"))
}

/// Returns the total that inferno's drawing contains.
fn inferno(folded: &str) -> Result<u64, Failure> {
    let mut options = inferno::flamegraph::Options::default();
    let mut svg = Vec::new();
    inferno::flamegraph::from_lines(&mut options, folded.lines(), &mut svg)?;
    let svg = String::from_utf8(svg)?;
    // inferno draws a line with two counts as a difference.
    if svg.contains("%; +") || svg.contains("%; -") {
        return Err("inferno took a name's end for a count".into());
    }
    let total = svg.split_once("total_samples=\"").and_then(|(_, rest)| rest.split_once('"'));
    Ok(total.ok_or("no total in inferno's drawing")?.0.parse()?)
}

/// Returns the depth of the deepest stack.
fn depths(folded: &str) -> usize {
    folded.lines().map(|line| line.split(';').count()).max().unwrap_or(0)
}
