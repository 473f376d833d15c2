//! The tree of the selected branches, as nested `<details>`.

use super::escaped;
use super::selection::{Row, Selection};
use memprof_profile::Profile;
use memprof_profile::text::{Grouped, Percent, Units, counted};
use std::fmt::Write;

/// Branches up to this level are open at first.
const OPEN_LEVELS: usize = 2;
/// The width of a full bar, in pixels.
const BAR: u64 = 80;

pub(super) fn write(html: &mut String, profile: &Profile, selection: &Selection) {
    write_row(html, selection, 0);
    let exact = if profile.is_exact() { "exact" } else { "not exact" };
    let bytes = Grouped(profile.total_bytes());
    let _ = write!(html, "<div style=\"opacity:0.7\">{bytes} bytes, {exact}</div>");
}

fn write_row(html: &mut String, selection: &Selection, index: usize) {
    let row = &selection.rows[index];
    let line = line(row, selection.total());
    if row.children.is_empty() && row.more.0 == 0 {
        let _ = write!(html, "<div style=\"padding-left:14px\">{line}</div>");
        return;
    }
    let open = if row.level < OPEN_LEVELS { " open" } else { "" };
    let _ =
        write!(html, "<details{open}><summary>{line}</summary><div style=\"margin-left:18px\">");
    for &child in &row.children {
        write_row(html, selection, child);
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

/// Returns a bar, the bytes, the share, the name and the notes of a row.
fn line(row: &Row, total: u64) -> String {
    let filled = u128::from(row.bytes) * u128::from(BAR) / u128::from(total.max(1));
    let bytes = Units::Iec.show(row.bytes);
    let percent = Percent { part: row.bytes, whole: total };
    let name = escaped(&row.name);
    let mut notes = String::new();
    if row.allocations > 0 {
        let _ = write!(notes, " \u{b7} {}", counted(row.allocations, "allocation"));
    }
    if !row.is_exact {
        notes.push_str(" \u{b7} not exact");
    }
    format!(
        "<span style=\"display:inline-block;width:{BAR}px;background-color:rgba(128,128,128,0.2)\">\
         <span style=\"display:inline-block;width:{filled}px;background-color:#e08a3c\">&nbsp;</span>\
         </span> {bytes} \u{b7} {percent} <b>{name}</b><span style=\"opacity:0.7\">{notes}</span>"
    )
}
