//! Bytes that no root explains or that two roots claim, and suspects.

use super::super::leaks::{growth, interval};
use super::super::suspects::key_places;
use super::super::words::{operation, place_within};
use super::page::Page;
use crate::Recording;
use crate::document::{Site, Snapshot};
use memprof_profile::text::{Shown, Table, key_line, lived};

/// The maximum number of lines shown in each section.
const SHOWN: usize = 3;
/// The number of suspects shown.
const LEAKS: usize = 5;

pub(super) fn write(page: &mut Page, recording: &Recording) {
    let summary = &recording.summary;
    let units = page.units;
    let program = &recording.metadata.program;
    if summary.unexplained_sites.is_empty() && summary.unexplained_operations.is_empty() {
        sites(page, "live, by place", &summary.sites, program);
    }
    // Values that were not visited may hold this memory.
    let is_partial = recording.snapshots.last().is_some_and(Snapshot::roots_lack_values);
    let title = if is_partial {
        "not found in any visited value, by place"
    } else {
        "explained by no root, by place"
    };
    sites(page, title, &summary.unexplained_sites, program);
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

fn sites(page: &mut Page, title: &str, sites: &[Site], program: &str) {
    let mut table = Table::new([""; 2], &[1]);
    let mut places = Vec::new();
    for site in sites.iter().take(SHOWN) {
        let (key, allocates) = key_places(&site.place, &site.stack, program);
        let place = key_line(key.your_code, allocates, |place| {
            place_within(page.place_width(), place, page.folder.as_deref())
        });
        let place = place + &lived_of(site);
        table.row([site.live.bytes(page.units).to_string(), place.clone()]);
        places.push(place);
    }
    if !table.is_empty() {
        page.heading(title);
        page.table_with_places(table, 1, &places);
    }
}

/// Returns how long freed blocks lived, if the program freed at least three quarters of what the call
/// site allocated. Otherwise most freed blocks may be vectors that were about to grow.
fn lived_of(site: &Site) -> String {
    let frees_most = site.allocated.is_some_and(|all| all.value > 4.0 * site.live.value);
    let known = site.lifetime.filter(|lifetime| frees_most && lifetime.interval_ms().is_some());
    known.map(|lifetime| lived(lifetime.mean())).unwrap_or_default()
}

fn leaks(page: &mut Page, recording: &Recording) {
    let leaks = &recording.suspects();
    let units = page.units;
    let mut table = Table::new(["a second", "95 % interval", "a call", "live", ""], &[4]);
    let mut places = Vec::new();
    let all_freed = leaks.iter().all(|leak| leak.freed_at_end);
    for leak in leaks.iter().take(LEAKS) {
        let within = leak.operation().map_or_else(String::new, |names| format!(" in {names}"));
        let root =
            leak.held_by.first().map(|held| format!(", held by the root {}", Shown(&held.root)));
        let root = root.unwrap_or_default();
        let freed = if leak.freed_at_end && !all_freed { ", freed at the end" } else { "" };
        let place = format!(
            "{}{within}{root}{freed}",
            leak.line(page.place_width(), page.folder.as_deref())
        );
        table.row([
            growth(leak.bytes_per_second, units),
            interval(leak, units).join(" to "),
            leak.bytes_per_call.map_or_else(String::new, |bytes| growth(bytes, units)),
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
    page.table_with_places(table, 4, &places);
}
