//! The call sites and roots that held memory at the peak, or at the chosen snapshot.

use super::super::words::operation;
use super::page::Page;
use crate::document::{LiveStacks, Snapshot};
use crate::{LiveSite, Recording};
use memprof_profile::text::{Shown, Table, percent, span};
use memprof_profile::views::Units;

/// The number of call sites shown.
const SITES: usize = 3;
/// The number of roots shown.
const ROOTS: usize = 4;
/// The number of roots and operations shown of one call site.
const OF_SITE: usize = 2;

/// Writes the call sites and roots that held memory at the snapshot `at`, or at the peak of the
/// recording. If `is_whole` is `false`, the recording may lack stacks, so only the largest sites are
/// written.
pub(super) fn write(page: &mut Page, recording: &Recording, at: Option<&Snapshot>, is_whole: bool) {
    let Some((moment, title)) = chosen(recording, at, page.units) else { return };
    let sites = recording.live_sites(moment);
    let shown = SITES;
    // Estimates of all sites may add up to more than the exact bytes.
    let sum: f64 = sites.iter().map(|site| site.live.value).sum();
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let whole = sum.max(moment.live_bytes.max(0) as f64);
    let mut table = Table::new(["live", "share", "root", ""], &[2, 3]);
    let mut places = Vec::new();
    for site in sites.iter().take(shown) {
        let place =
            format!("{}{}", site.line(page.place_width(), page.folder.as_deref()), within(site));
        table.row([
            site.live.bytes(page.units).to_string(),
            share(site.live.value, whole),
            roots_of(site),
            place.clone(),
        ]);
        places.push(place);
    }
    if table.is_empty() {
        return;
    }
    page.heading(&title);
    page.table_with_places(table, 3, &places);
    if !is_whole {
        // The overview of a part does not add up the other sites and roots: the file has more.
        if sites.len() > shown {
            page.line("…more call sites, and the roots: `memprof info`");
        }
        return;
    }
    let rest: f64 = sites.iter().skip(shown).map(|site| site.live.value).sum();
    if rest > 0.0 {
        let more = sites.len() - shown;
        let noun = if more == 1 { "call site" } else { "call sites" };
        let share = share(rest, whole);
        page.line(&format!("…{more} more {noun} with {share}: `memprof export --to folded-sites`"));
    }
    roots(page, recording, moment);
}

/// Returns the moment to show, and the title of its section.
fn chosen<'r>(
    recording: &'r Recording,
    at: Option<&Snapshot>,
    units: Units,
) -> Option<(&'r LiveStacks, String)> {
    let is_peak = |moment: &LiveStacks| {
        recording.peak_stacks().is_some_and(|peak| peak.at_ns == moment.at_ns)
    };
    let of = |at: &Snapshot| {
        recording.live_stacks.iter().find(|moment| moment.snapshot == Some(at.number))
    };
    let is_highest = |at: &Snapshot| recording.peak().is_some_and(|peak| peak.number == at.number);
    match at {
        // The highest snapshot is the snapshot of the peak, even if the stacks are from another
        // moment.
        Some(at) if !is_highest(at) => {
            let moment = of(at).filter(|moment| !is_peak(moment))?;
            let live = units.show(moment.live_bytes.max(0).unsigned_abs());
            Some((moment, format!("what held the {live} that were live")))
        }
        _ => {
            let moment = recording.peak_stacks()?;
            Some((moment, peak_title(recording, moment, units)))
        }
    }
}

/// Formats the title of the peak. If the stacks were recorded when fewer bytes were live, the title
/// has their share of the peak.
fn peak_title(recording: &Recording, moment: &LiveStacks, units: Units) -> String {
    let live = moment.live_bytes.max(0).unsigned_abs();
    let at = span(moment.at_ns);
    let most = recording.peak_bytes().unwrap_or(live).max(live);
    let peak = units.show(most).to_string();
    if peak == units.show(live).to_string() {
        return format!("at the peak of {peak} at {at}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = percent(live as f64 / most as f64);
    format!("at the peak of {peak}; the stacks of {at} have {share} of it")
}

/// Formats `part` as a percentage of the whole.
fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { percent(part / whole) } else { String::new() }
}

/// Formats the roots that reached the memory of a site, such as `cache (98.0 %)`. A root that
/// reached nearly all of it has no percentage.
fn roots_of(site: &LiveSite) -> String {
    let all = site.live.value.max(1.0);
    let one = |(name, live): &(String, crate::document::Estimate)| {
        let part = (live.value / all).min(1.0);
        let name = Shown(name);
        if part > 0.995 { name.to_string() } else { format!("{name} ({})", percent(part)) }
    };
    let mut roots: Vec<String> = site.roots.iter().take(OF_SITE).map(one).collect();
    let more = site.roots.len().saturating_sub(OF_SITE);
    if more > 0 {
        roots.push(format!("{more} more"));
    }
    roots.join(", ")
}

/// Formats the operations of a site, such as ` in serve;handle`. The string is empty if no sample
/// was in an operation.
fn within(site: &LiveSite) -> String {
    let named: Vec<_> = site.operations.iter().filter(|names| !names.is_empty()).collect();
    let Some(first) = named.first() else { return String::new() };
    match site.operations.len() - 1 {
        0 => format!(" in {}", operation(first)),
        1 => format!(" in {}, and 1 other operation", operation(first)),
        more => format!(" in {}, and {more} other operations", operation(first)),
    }
}

/// Writes the roots of the moment, each with its time if it is from another snapshot.
fn roots(page: &mut Page, recording: &Recording, moment: &LiveStacks) {
    let roots = recording.roots_at(moment);
    let mut parts: Vec<String> = Vec::new();
    for (root, snapshot) in roots.iter().take(ROOTS) {
        let bytes = root.shown_bytes(page.units).unwrap_or_default();
        let name = Shown(&root.name);
        parts.push(if moment.snapshot == Some(snapshot.number) {
            format!("{name} {bytes}")
        } else {
            let side = if snapshot.at_ns < moment.at_ns { "before" } else { "after" };
            let apart = span(snapshot.at_ns.abs_diff(moment.at_ns));
            format!("{name} {bytes} ({apart} {side})")
        });
    }
    let more = roots.len().saturating_sub(ROOTS);
    if more > 0 {
        parts.push(format!("…{more} more"));
    }
    if let Some(first) = parts.first_mut() {
        first.insert_str(0, "roots: ");
        page.parts(&parts);
    }
}
