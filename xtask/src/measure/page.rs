//! The sections of `docs/performance.md`, one for each measurement.

use super::Name;
use crate::{Failure, workspace};
use std::fs;

const PAGE: &str = "docs/performance.md";
const README: &str = "README.md";

/// Writes the output of `cargo xtask measure NAME` between its markers in the page, or at the end.
/// The summary of the table goes into the README.
pub(super) fn store(name: Name, printed: &str) -> Result<(), Failure> {
    let section = format!("Printed by `cargo xtask measure {name}`.\n\n{}", printed.trim_end());
    let Some((table, summary, details)) = with_summary(printed) else {
        return replace(PAGE, name, &section);
    };
    replace(README, name, summary)?;
    let section = format!("Printed by `cargo xtask measure {name}`.\n\n{table}\n\n{details}");
    replace(PAGE, name, &section)
}

fn replace(page: &str, name: Name, section: &str) -> Result<(), Failure> {
    let page = workspace().join(page);
    let old = fs::read_to_string(&page).unwrap_or_else(|_| "# Performance\n".into());
    fs::write(page, with_section(&old, &name.to_string(), section))?;
    Ok(())
}

/// Splits an output into the table, its summary for the README, and the details.
fn with_summary(printed: &str) -> Option<(&str, &str, &str)> {
    let (table, rest) = printed.split_once("\nSummary:\n")?;
    let (summary, details) = rest.split_once("\nDetails:\n")?;
    Some((table.trim(), summary.trim(), details.trim()))
}

fn with_section(page: &str, name: &str, section: &str) -> String {
    let (start, end) = (format!("<!-- {name}: start -->"), format!("<!-- {name}: end -->"));
    let section = format!("{start}\n{section}\n{end}");
    match (page.split_once(&start), page.split_once(&end)) {
        (Some((before, _)), Some((_, after))) => format!("{before}{section}{after}"),
        _ => format!("{}\n\n{section}\n", page.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::{with_section, with_summary};

    #[test]
    fn the_summary_is_between_the_table_and_the_details() {
        let printed = "table\n\nSummary:\n\n| a |\n\nDetails:\n\nbytes\n";
        assert_eq!(with_summary(printed), Some(("table", "| a |", "bytes")));
        assert_eq!(with_summary("| a table |\n"), None);
    }

    #[test]
    fn a_section_is_added_and_then_replaced() {
        let added = with_section("# Page\n\ntext\n", "table", "one");
        assert!(added.starts_with("# Page\n\ntext\n\n<!-- table: start -->\n"));
        let replaced = with_section(&format!("{added}more\n"), "table", "two");
        assert!(replaced.contains("two\n<!-- table: end -->\nmore\n"));
        assert!(!replaced.contains("one"));
    }
}
