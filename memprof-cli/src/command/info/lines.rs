//! The summary of a profile as text, with a line for each figure.

use super::sums::Sums;
use super::{format_name, version};
use crate::escape::brief;
use crate::input::Format;
use memprof_profile::Profile;
use memprof_profile::report::{SharingAnalysis, Statistics};
use memprof_profile::text::counted;
use memprof_profile::tree::{Origin, Tensors};
use memprof_profile::views::{Grouped, Units};

type Line = (&'static str, String);

pub(super) fn text(profile: &Profile, format: Format, sums: &Sums, units: Units) -> String {
    let mut lines = of_file(profile, format, sums, units);
    let from_values = profile.origin() == Origin::Values;
    let values = of_values(profile, sums, units);
    lines.extend(values.into_iter().map(|(label, text)| match text {
        _ if !from_values && (label != "devices" || text.is_empty()) => (label, "unknown".into()),
        text if text.is_empty() => (label, "none".into()),
        text => (label, text),
    }));
    let width = lines.iter().map(|line| line.0.len()).max().unwrap_or_default();
    let lines = lines.iter().map(|(label, text)| format!("{label:width$}  {text}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the lines that a profile of any origin has.
fn of_file(profile: &Profile, format: Format, sums: &Sums, units: Units) -> Vec<Line> {
    let version =
        version(format).map_or_else(String::new, |version| format!(", version {version}"));
    let least = if profile.is_lower_bound() { "≥ " } else { "" };
    vec![
        ("format", format!("{}{version}", format_name(format))),
        ("root", brief(profile.root().name())),
        ("total", format!("{least}{}", amount(profile.total_bytes(), units))),
        ("branches", Grouped(sums.branches).to_string()),
        ("leaves", Grouped(sums.leaves).to_string()),
        ("depth", Grouped(sums.depth).to_string()),
    ]
}

/// Returns the lines of a profile of values. A figure that it lacks has an empty text.
fn of_values(profile: &Profile, sums: &Sums, units: Units) -> Vec<Line> {
    let statistics = profile.statistics();
    let sharing = profile.sharing();
    let shallow = profile.shallow_bytes();
    let mut lines = vec![
        ("exact", exactness(profile, sums, units)),
        ("shallow", shallow.map_or_else(|| "unknown".into(), |bytes| amount(bytes, units))),
    ];
    lines.extend(sums.counts().map(|(label, count)| (label, Grouped(count).to_string())));
    lines.extend([
        ("data", amount(statistics.data, units)),
        ("metadata", metadata(&statistics, units)),
        ("auxiliary", amount(statistics.auxiliary, units)),
        ("spare", amount(statistics.spare, units)),
        ("padding", amount(statistics.padding, units)),
        ("shared", shared(profile, units)),
        ("duplicates", duplicates(&sharing, units)),
        ("tensors", tensors(profile.tensors(), units)),
    ]);
    let devices = profile.devices();
    let devices = devices.iter().map(|(device, bytes)| format!("{device} {}", units.show(*bytes)));
    lines.push(("devices", devices.collect::<Vec<_>>().join(", ")));
    lines
}

fn amount(bytes: u64, units: Units) -> String {
    match units.show(bytes).to_string() {
        short if bytes < 1000 || matches!(units, Units::Bytes) => short,
        short => format!("{short} ({})", Units::Bytes.show(bytes)),
    }
}

fn exactness(profile: &Profile, sums: &Sums, units: Units) -> String {
    if profile.is_exact() {
        return "yes".into();
    }
    let mut reasons: Vec<String> =
        sums.opaque.iter().map(|(reason, count)| format!("{} {reason}", Grouped(*count))).collect();
    if sums.estimated_bytes > 0 {
        reasons.push(format!("{} estimated", units.show(sums.estimated_bytes)));
    }
    format!("no: {}", reasons.join(", "))
}

fn metadata(statistics: &Statistics, units: Units) -> String {
    let mut parts = vec![amount(statistics.metadata, units)];
    if let Some(ratio) = statistics.overhead_ratio() {
        parts.push(format!("overhead ratio {ratio:.4}"));
    }
    if statistics.is_metadata_shared() {
        parts.push(format!("{} of it shared", units.show(statistics.shared_metadata)));
    }
    parts.join(", ")
}

fn shared(profile: &Profile, units: Units) -> String {
    let shared = profile.shared();
    if shared.allocations == 0 {
        return String::new();
    }
    let mut parts = vec![
        format!(
            "{} in {} with {}",
            units.show(shared.bytes),
            counted(shared.allocations, "allocation"),
            counted(shared.handles, "handle"),
        ),
        format!("{} if nothing were shared", units.show(shared.bytes_if_unshared)),
    ];
    if shared.externally_held_bytes > 0 {
        let most = if shared.is_upper_bound { "at most " } else { "" };
        parts.push(format!("{most}{} externally held", units.show(shared.externally_held_bytes)));
    }
    if shared.leaked_bytes > 0 {
        parts.push(format!("{} leaked in a cycle", units.show(shared.leaked_bytes)));
    }
    parts.join(", ")
}

fn duplicates(sharing: &SharingAnalysis, units: Units) -> String {
    match sharing.duplicates {
        0 => String::new(),
        values => {
            format!("{} in {}", units.show(sharing.duplicate_bytes), counted(values, "value"))
        }
    }
}

fn tensors(tensors: &Tensors, units: Units) -> String {
    let Some(largest) = tensors.largest().first() else { return String::new() };
    let dtype = brief(&largest.dtype);
    format!(
        "{}, the largest {dtype} {:?} on {}: {} at {}",
        Grouped(tensors.count()),
        largest.shape,
        largest.device,
        units.show(largest.bytes),
        brief(&largest.path),
    )
}
