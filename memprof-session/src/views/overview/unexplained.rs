//! Bytes that no root explains or that two roots claim, and suspects.

use super::super::leaks::{growth, sure};
use super::super::words::{operation, place_within};
use super::page::Page;
use crate::Recording;
use crate::document::Site;
use memprof_profile::text::Shown;
use memprof_profile::text::Table;

/// The maximum number of lines shown in each section.
const SHOWN: usize = 3;
/// The number of suspects shown.
const LEAKS: usize = 5;

pub(super) fn write(page: &mut Page, recording: &Recording) {
    let summary = &recording.summary;
    let units = page.units;
    if summary.unexplained_sites.is_empty() && summary.unexplained_operations.is_empty() {
        sites(page, "live, by place", &summary.sites);
    }
    sites(page, "explained by no root, by place", &summary.unexplained_sites);
    let mut table = Table::new([""; 2], &[1]);
    for unexplained in summary.unexplained_operations.iter().take(SHOWN) {
        table.row([unexplained.live.bytes(units).to_string(), operation(&unexplained.operation)]);
    }
    page.part_of_section("by operation", &table);
    let mut table = Table::new([""; 2], &[1]);
    for twice in summary.claimed_twice.iter().take(SHOWN) {
        let [one, other] = &twice.roots;
        let roots = format!("{} and {}", Shown(one), Shown(other));
        table.row([twice.live.bytes(units).to_string(), roots]);
    }
    page.part_of_section("claimed by two roots", &table);
    leaks(page, recording);
}

fn sites(page: &mut Page, title: &str, sites: &[Site]) {
    let mut table = Table::new([""; 2], &[1]);
    let shown = sites.iter().take(SHOWN);
    let longest = shown.map(|site| site.live.bytes(page.units).to_string().chars().count());
    let longest = longest.max().unwrap_or_default();
    for site in sites.iter().take(SHOWN) {
        let live = site.live.bytes(page.units).to_string();
        // Two columns of space separate the cells, and the section is indented by two.
        let width = page.width.saturating_sub(4 + longest.max(live.chars().count()));
        table.row([live, place_within(width, &site.place, page.folder.as_deref())]);
    }
    page.section(title, &table);
}

fn leaks(page: &mut Page, recording: &Recording) {
    let leaks = &recording.suspects();
    let units = page.units;
    let mut table = Table::new(["a second", "a call", "confidence", "live", ""], &[4]);
    let mut places = Vec::new();
    let all_freed = leaks.iter().all(|leak| leak.freed_at_end);
    for leak in leaks.iter().take(LEAKS) {
        let within = leak.operation().map_or_else(String::new, |names| format!(" in {names}"));
        let root =
            leak.held_by.first().map(|held| format!(", held by the root {}", Shown(&held.root)));
        let root = root.unwrap_or_default();
        let freed = if leak.freed_at_end && !all_freed { ", freed at the end" } else { "" };
        let place = format!("{}{within}{root}{freed}", leak.line(page.folder.as_deref()));
        table.row([
            growth(leak.bytes_per_second, units),
            leak.bytes_per_call.map_or_else(String::new, |bytes| growth(bytes, units)),
            sure(leak.confidence),
            leak.live.bytes(units).to_string(),
            place.clone(),
        ]);
        places.push(place);
    }
    // An old summary does not prove that a suspect still grows.
    let grows = match recording.summary_age() {
        None if all_freed => "grew until it was freed at the end".to_owned(),
        None => "keeps growing".to_owned(),
        Some(age) => format!("grew, {age}"),
    };
    let title = match leaks.len().saturating_sub(LEAKS) {
        0 => grows,
        more => format!("{grows} (and {more} more: `memprof leaks`)"),
    };
    if table.is_empty() {
        return;
    }
    page.heading(&title);
    if table.columns() + 2 <= page.width {
        page.table(&table);
        return;
    }
    // A place gets its own line if the table would shorten it in the middle.
    table.drop_column(4);
    let lines = table.lines(page.width - 2);
    for (index, line) in lines.iter().enumerate() {
        page.preformatted(line);
        if let Some(place) = index.checked_sub(1).and_then(|index| places.get(index)) {
            page.uncut(place);
        }
    }
}
