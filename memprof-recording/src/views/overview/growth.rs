//! The call sites whose memory keeps growing, with the evidence of the watch.

use super::super::leaks::{growth, interval};
use super::page::Page;
use crate::Recording;
use memprof_profile::text::{Shown, Table};

/// The number of suspects shown.
const SUSPECTS: usize = 5;

pub(super) fn write(page: &mut Page, recording: &Recording) {
    if recording.snapshots.iter().all(|snapshot| snapshot.heap.is_none()) {
        return;
    }
    if let Some(why) = recording.leaks_unknown() {
        page.heading(&format!("growth unknown: {why}"));
        return;
    }
    let mut verdict = recording.leak_verdict(page.units).into_iter();
    let suspects = recording.suspects();
    let more = match suspects.len().saturating_sub(SUSPECTS) {
        0 => String::new(),
        more => format!(", {more} of them only in `memprof leaks`"),
    };
    page.heading(&format!("{}{more}", verdict.next().unwrap_or_default()));
    let mut table = Table::new(["a second", "95 % interval", "a call", "live", ""], &[4]);
    let mut places = Vec::new();
    let all_freed = suspects.iter().all(|suspect| suspect.freed_at_end);
    for suspect in suspects.iter().take(SUSPECTS) {
        let within = suspect.operation().map_or_else(String::new, |names| format!(" in {names}"));
        let root =
            suspect.held_by.first().map(|held| format!(", held by the root {}", Shown(&held.root)));
        let root = root.unwrap_or_default();
        let freed = if suspect.freed_at_end && !all_freed { ", freed at the end" } else { "" };
        let line = suspect.line(page.place_width(), page.folder.as_deref());
        let place = format!("{line}{within}{root}{freed}");
        table.row([
            growth(suspect.bytes_per_second, page.units),
            interval(suspect, page.units).join(" to "),
            suspect.bytes_per_call.map_or_else(String::new, |bytes| growth(bytes, page.units)),
            suspect.live.bytes(page.units).to_string(),
            place.clone(),
        ]);
        places.push(place);
    }
    if !table.is_empty() {
        page.table_with_places(table, 4, &places);
    }
    for line in verdict {
        page.line(&line);
    }
}
