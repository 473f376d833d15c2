//! The sections of `docs/internal/measurements.md`, one for each measurement.

use super::Name;
use crate::{Failure, workspace};
use std::fs;

const PAGE: &str = "docs/internal/measurements.md";

pub(super) fn store(name: Name, printed: &str) -> Result<(), Failure> {
    let section = format!("Printed by `cargo xtask measure {name}`.\n\n{}", printed.trim_end());
    let page = workspace().join(PAGE);
    let old = fs::read_to_string(&page).unwrap_or_else(|_| "# Measurements\n".into());
    fs::write(page, with_section(&old, &name.to_string(), &section))?;
    Ok(())
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
    use super::with_section;

    #[test]
    fn a_section_is_added_and_then_replaced() {
        let added = with_section("# Page\n\ntext\n", "table", "one");
        assert!(added.starts_with("# Page\n\ntext\n\n<!-- table: start -->\n"));
        let replaced = with_section(&format!("{added}more\n"), "table", "two");
        assert!(replaced.contains("two\n<!-- table: end -->\nmore\n"));
        assert!(!replaced.contains("one"));
    }
}
