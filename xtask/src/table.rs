//! `cargo xtask table`: runs the comparison with the peers and keeps it in `docs/performance.md`.

use crate::{Failure, workspace};
use std::ffi::OsStr;
use std::fs;
use std::process::{Command, Stdio};

const PAGE: &str = "docs/performance.md";

pub(crate) fn run() -> Result<(), Failure> {
    let table = ["--package", "memprof-benches", "--bench", "table", "--", "--check"];
    let (printed, ended_well) = bench(table)?;
    if !printed.contains("\nBars:") {
        return Err("the table was not printed".into());
    }
    print!("{printed}");
    keep("table", &printed)?;
    if ended_well { Ok(()) } else { Err("a bar was missed".into()) }
}

/// Keeps the table that a benchmark prints, which has this row.
pub(crate) fn keep_bench(
    name: &str,
    arguments: impl IntoIterator<Item: AsRef<OsStr>>,
    row: &str,
) -> Result<(), Failure> {
    let (printed, ended_well) = bench(arguments)?;
    if !ended_well || !printed.contains(row) {
        return Err("the table was not printed".into());
    }
    print!("{printed}");
    keep(name, &printed)
}

/// What `cargo bench` prints with these arguments, and whether it ended well.
fn bench(arguments: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<(String, bool), Failure> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace()).arg("bench").args(arguments).stderr(Stdio::inherit());
    let run = cargo.output()?;
    Ok((String::from_utf8(run.stdout)?, run.status.success()))
}

/// Puts what `cargo xtask NAME` printed between its markers in the page, or at the page's end.
pub(crate) fn keep(name: &str, printed: &str) -> Result<(), Failure> {
    let page = workspace().join(PAGE);
    let old = fs::read_to_string(&page).unwrap_or_else(|_| "# Performance\n".into());
    fs::write(page, with_section(&old, name, printed))?;
    Ok(())
}

fn with_section(page: &str, name: &str, printed: &str) -> String {
    let (start, end) = (format!("<!-- {name}: start -->"), format!("<!-- {name}: end -->"));
    let section =
        format!("{start}\nPrinted by `cargo xtask {name}`.\n\n{}\n{end}", printed.trim_end());
    match (page.split_once(&start), page.split_once(&end)) {
        (Some((before, _)), Some((_, after))) => format!("{before}{section}{after}"),
        _ => format!("{}\n\n{section}\n", page.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::with_section;

    #[test]
    fn a_section_is_added_and_then_replaced() {
        let added = with_section("# Page\n\ntext\n", "table", "one\n");
        assert!(added.starts_with("# Page\n\ntext\n\n<!-- table: start -->\n"));
        let replaced = with_section(&format!("{added}more\n"), "table", "two");
        assert!(replaced.contains("two\n<!-- table: end -->\nmore\n"));
        assert!(!replaced.contains("one"));
    }
}
