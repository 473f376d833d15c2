//! A profile as HTML for a notebook: a tree that opens and closes, without scripts.
//!
//! Notebooks remove scripts, inline SVG and most attributes from untrusted output. So the tree is made
//! of `<details>`. Nothing has an `id`, so outputs of several cells do not collide.
//!
//! A profile may have a million names, and a notebook stores its outputs. So the output shows only
//! the largest branches: a branch is selected only if its parent is, largest first.

use memprof_profile::Profile;
use memprof_profile::text::{Grouped, Percent, Shown, Units, counted, shortened};
use memprof_profile::tree::Branch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;

/// The maximum number of branches shown.
const MAX_ROWS: usize = 250;
/// The maximum number of children shown of one branch.
const MAX_CHILDREN: usize = 60;
/// The maximum number of levels shown.
const MAX_LEVELS: usize = 24;
/// The maximum number of columns of a name.
const NAME_COLUMNS: usize = 80;
/// Branches up to this level are open at first.
const OPEN_LEVELS: usize = 2;
/// The width of a full bar, in pixels.
const BAR: u64 = 80;

/// Returns the HTML of a profile.
pub(crate) fn html(profile: &Profile) -> String {
    let plain = profile.plain();
    let rows = select(plain.root());
    let mut html = String::from("<div style=\"font-family:monospace;font-size:13px\">");
    write_row(&mut html, &rows, 0);
    let exact = if profile.is_exact() { "exact" } else { "not exact" };
    let bytes = Grouped(profile.total_bytes());
    let _ = write!(html, "<div style=\"opacity:0.7\">{bytes} bytes, {exact}</div></div>");
    html
}

/// Returns preformatted text as HTML.
pub(crate) fn preformatted(text: &str) -> String {
    format!("<pre>{}</pre>", escaped(text))
}

/// Returns text whose markup is escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn write_row(html: &mut String, rows: &[Row<'_>], index: usize) {
    let row = &rows[index];
    let line = line(row.branch, rows[0].branch.total_bytes());
    if row.children.is_empty() && row.more.0 == 0 {
        let _ = write!(html, "<div style=\"padding-left:14px\">{line}</div>");
        return;
    }
    let open = if row.level < OPEN_LEVELS { " open" } else { "" };
    let _ =
        write!(html, "<details{open}><summary>{line}</summary><div style=\"margin-left:18px\">");
    for &child in &row.children {
        write_row(html, rows, child);
    }
    if row.more.0 > 0 {
        let (count, bytes) = row.more;
        let bytes = Units::Iec.show(bytes);
        let _ = write!(
            html,
            "<div style=\"padding-left:14px;opacity:0.7\">\u{2026} {} more, {bytes}</div>",
            Grouped(count)
        );
    }
    html.push_str("</div></details>");
}

/// Returns a bar, the bytes, the share, the name and the notes of a branch.
fn line(branch: Branch<'_>, total: u64) -> String {
    let (part, allocations) = (branch.total_bytes(), branch.counts().allocations);
    let filled = u128::from(part) * u128::from(BAR) / u128::from(total.max(1));
    let bytes = Units::Iec.show(part);
    let percent = Percent { part, whole: total };
    let name = escaped(&shortened(&Shown(branch.name()).to_string(), NAME_COLUMNS));
    let mut notes = String::new();
    if allocations > 0 {
        let _ = write!(notes, " \u{b7} {}", counted(allocations, "allocation"));
    }
    if !branch.is_exact() {
        notes.push_str(" \u{b7} not exact");
    }
    format!(
        "<span style=\"display:inline-block;width:{BAR}px;background-color:rgba(128,128,128,0.2)\">\
         <span style=\"display:inline-block;width:{filled}px;background-color:#e08a3c\">&nbsp;</span>\
         </span> {bytes} \u{b7} {percent} <b>{name}</b><span style=\"opacity:0.7\">{notes}</span>"
    )
}

/// A selected branch.
#[derive(Debug)]
struct Row<'p> {
    branch: Branch<'p>,
    /// The number of branches above.
    level: usize,
    /// The selected children, largest first.
    children: Vec<usize>,
    /// The children that were left out, and their bytes.
    more: (u64, u64),
}

/// Selects branches by size: a branch is selected only if its parent is. The root is the first, and
/// parents are before their children.
///
/// Visits each child of each selected branch once.
fn select(root: Branch<'_>) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    // The branches that may be next, by bytes. Of equal branches, the first in the profile is next.
    let mut open = BinaryHeap::from([(root.total_bytes(), Reverse(0))]);
    let mut branches: Vec<(Branch<'_>, Option<usize>)> = vec![(root, None)];
    while rows.len() < MAX_ROWS
        && let Some((_, Reverse(number))) = open.pop()
    {
        let (branch, parent) = branches[number];
        let this = rows.len();
        let level = parent.map_or(0, |parent| rows[parent].level + 1);
        let mut children: Vec<_> = branch.children().collect();
        children.sort_by_key(|child| Reverse(child.total_bytes()));
        let shown = if level + 1 < MAX_LEVELS { MAX_CHILDREN } else { 0 };
        let left_out = children.split_off(children.len().min(shown));
        let left_out_bytes = left_out.iter().map(|child| child.total_bytes()).sum();
        for child in children {
            open.push((child.total_bytes(), Reverse(branches.len())));
            branches.push((child, Some(this)));
        }
        if let Some(parent) = parent {
            rows[parent].children.push(this);
        }
        let more = (left_out.len() as u64, left_out_bytes);
        rows.push(Row { branch, level, children: Vec::new(), more });
    }
    for (bytes, Reverse(number)) in open {
        if let Some(parent) = branches[number].1 {
            rows[parent].more.0 += 1;
            rows[parent].more.1 += bytes;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{html, select};
    use memprof_profile::Profile;

    /// Returns this number of lines of folded stacks; `line` makes each line from its index.
    fn folded(lines: u64, line: impl Fn(u64) -> String) -> String {
        (0..lines).map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn hostile_names_are_text() {
        let hostile = "</summary><script>alert(1)</script>\"'&\u{202e}\u{1b}[31m\n";
        let names = vec![1_u8; 100];
        let html = html(&Profile::named(hostile, &names));
        assert!(!html.contains("<script"), "{html}");
        assert!(html.contains("&lt;script&gt;"), "{html}");
        assert!(!html.contains(['\u{202e}', '\u{1b}', '\n']), "{html:?}");
    }

    #[test]
    fn nothing_has_an_id_and_no_attribute_runs() {
        let html = html(&Profile::named("numbers", &vec![0_u64; 100]));
        for forbidden in [" id=", "<script", "<style", " on", "javascript:", "<svg", "href"] {
            assert!(!html.contains(forbidden), "{forbidden}: {html}");
        }
    }

    #[test]
    fn a_profile_with_many_branches_is_pruned() {
        let folded = folded(100_000, |n| format!("root;a{};b{n} {}", n % 300, n + 1));
        let profile = Profile::from_folded(&folded).expect("folded stacks");
        let html = html(&profile);
        assert!(html.len() < 200_000, "{} bytes", html.len());
        assert!(html.contains(" more, "));
    }

    #[test]
    fn shown_and_omitted_rows_add_up() {
        let folded = folded(5_000, |n| format!("root;a{};b{n} 16", n % 7));
        let profile = Profile::from_folded(&folded).expect("folded stacks");
        let plain = profile.plain();
        let rows = select(plain.root());
        for row in &rows {
            let children = row.children.iter().map(|&child| rows[child].branch.total_bytes());
            if !row.children.is_empty() || row.more.0 > 0 {
                let bytes = children.sum::<u64>() + row.more.1;
                assert_eq!(bytes, row.branch.total_bytes(), "{}", row.branch.name());
            }
        }
    }

    #[test]
    fn an_empty_profile_has_html() {
        assert!(html(&Profile::of(&())).contains("0 bytes"));
    }
}
