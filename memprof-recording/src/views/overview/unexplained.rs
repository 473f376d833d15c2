//! Bytes that no root explains or that two roots claim.

use super::super::suspects::key_places;
use super::super::words::place_within;
use super::page::Page;
use crate::Recording;
use crate::document::{Site, Snapshot};
use memprof_profile::text::{Shown, Table, key_line, lived};

/// The maximum number of lines shown in each section.
const SHOWN: usize = 3;

pub(super) fn write(page: &mut Page, recording: &Recording) {
    let summary = &recording.summary;
    let units = page.units;
    let program = &recording.metadata.program;
    if summary.unexplained_sites.is_empty() && summary.unexplained_operations.is_empty() {
        let all: Vec<&Site> = summary.sites.iter().collect();
        sites(page, "live, by place", &all, program);
    }
    // Values that were not visited may hold this memory.
    let is_partial = recording.snapshots.last().is_some_and(Snapshot::roots_lack_values);
    let title = if is_partial { "not found in any visited value" } else { "explained by no root" };
    // The suspects are above.
    let suspects = recording.suspects();
    let is_suspect = |site: &&Site| {
        let (key, allocates) = key_places(&site.place, &site.stack, program);
        suspects.iter().any(|one| one.is_at(key.your_code, allocates))
    };
    let (above, rest): (Vec<&Site>, Vec<&Site>) =
        summary.unexplained_sites.iter().partition(is_suspect);
    let besides = if above.is_empty() { "" } else { ", besides what grows" };
    sites(page, &format!("{title}{besides}"), &rest, program);
    let mut table = Table::new([""; 2], &[1]);
    for twice in summary.claimed_twice.iter().take(SHOWN) {
        let [one, other] = &twice.roots;
        let roots = format!("{} and {}", Shown(one), Shown(other));
        table.row([twice.live.bytes(units).to_string(), roots]);
    }
    page.part_of_section("claimed by two roots", &table);
}

fn sites(page: &mut Page, title: &str, sites: &[&Site], program: &str) {
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
