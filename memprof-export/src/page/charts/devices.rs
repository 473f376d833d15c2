//! Devices and pools: bytes of the roots next to the figures of drivers and pools. Gauges of sources,
//! such as temperatures, power and counts, whose charts are folded at first.

use super::{Amount, Charts, Series, SeriesByName, Style, UNKNOWN_REASON, bytes, sparse};
use crate::known::{device_bytes, incomplete_reason};
use crate::page::texts;
use memprof_profile::Profile;
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::tree::{Branch, Device};
use memprof_recording::document::{Snapshot, SourceReading};
use std::collections::{BTreeMap, HashMap};

/// The number of names directly below a source that have their own curve.
const MAX_PARTS: usize = 12;

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key<'s> {
    name: String,
    style: Style,
    /// The source of the values; `None` for values of the roots.
    source: Option<&'s str>,
}

/// Charts of devices precede charts that only sources report.
#[derive(Default)]
struct SeriesByChart<'s> {
    charts: BTreeMap<(bool, String), SeriesByName<'s, Key<'s>>>,
    errors: HashMap<&'s str, Vec<(usize, Amount<'s>)>>,
}

impl<'s> SeriesByChart<'s> {
    fn record(&mut self, chart: (bool, &str), key: Key<'s>, index: usize, amount: Amount<'s>) {
        let chart = self.charts.entry((chart.0, chart.1.to_owned())).or_default();
        chart.record(key, index, amount);
    }
}

pub(super) fn add<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
    let mut series = SeriesByChart::default();
    for (index, &snapshot) in snapshots.iter().enumerate() {
        let reason = incomplete_reason(snapshot).unwrap_or(UNKNOWN_REASON);
        for (device, amount) in device_bytes(snapshot).filter(|(device, _)| *device != "cpu") {
            let key = Key { name: "the roots' values".into(), style: Style::Fill, source: None };
            series.record((false, device), key, index, amount.map(bytes).ok_or(reason));
        }
        for source in &snapshot.sources {
            if let Some(error) = &source.error {
                series.errors.entry(&source.name).or_default().push((index, Err(error)));
            }
            // Data that are not a profile are reported with the snapshot.
            if let Some(Ok(profile)) = source.profile() {
                of_source(&mut series, source, &profile, index);
            }
        }
    }
    let SeriesByChart { charts: by_chart, errors } = series;
    for ((_, title), curves) in by_chart {
        let curves = curves.in_order().map(|(key, mut series)| {
            if let Some(errors) = key.source.and_then(|source| errors.get(source)) {
                series.extend(errors);
                series.sort_by_key(|(index, _)| *index);
                series.dedup_by_key(|(index, _)| *index);
            }
            sparse(texts::name(&key.name), key.style, snapshots, series)
        });
        charts.add(texts::name(&title), "bytes".into(), false, curves);
    }
}

fn of_source<'s>(
    series: &mut SeriesByChart<'s>,
    source: &'s SourceReading,
    profile: &Profile,
    index: usize,
) {
    let root = profile.root();
    let devices = root.children().filter(|child| child.name().parse::<Device>().is_ok());
    let mut is_of_devices = false;
    for device in devices {
        is_of_devices = true;
        of_device(series, source, device, index);
    }
    if !is_of_devices {
        let mut record = |name: &str, style, amount| {
            let key = Key { name: name.to_owned(), style, source: Some(&source.name) };
            series.record((true, &source.name), key, index, Ok(bytes(amount)));
        };
        record("total", Style::Fill, root.total_bytes());
        parts(root).for_each(|(name, amount)| record(name, Style::Line, amount));
    }
}

/// Adds the curves of a device's memory. The capacity is known only if the free memory is known.
fn of_device<'s>(
    series: &mut SeriesByChart<'s>,
    source: &'s SourceReading,
    device: Branch<'_>,
    index: usize,
) {
    let mut record = |name, style, amount| {
        let key = Key { name, style, source: Some(&source.name) };
        series.record((false, device.name()), key, index, Ok(bytes(amount)));
    };
    if device.child("free").is_some() {
        record("capacity".into(), Style::Limit, device.total_bytes());
    }
    let used = device.child("used").into_iter().flat_map(parts);
    let parts = parts(device).filter(|part| part.0 != "free").chain(used);
    for (name, amount) in parts.filter(|part| part.0 != ATTRIBUTED) {
        record(format!("{}: {name}", source.name), Style::Dashed, amount);
    }
}

/// Names past the limit are added up as `others`.
fn parts(branch: Branch<'_>) -> impl Iterator<Item = (&str, u64)> {
    let rest = branch.children().skip(MAX_PARTS).map(Branch::total_bytes);
    let rest = rest.reduce(u64::saturating_add).map(|rest| ("others", rest));
    branch.children().take(MAX_PARTS).map(|child| (child.name(), child.total_bytes())).chain(rest)
}

/// The gauges by source and unit, then by name, with their values.
type Gauges<'s> = BTreeMap<(&'s str, &'s str), BTreeMap<&'s str, Series<'s>>>;

pub(super) fn add_gauges<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
    let mut gauges: Gauges<'_> = BTreeMap::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for source in &snapshot.sources {
            for gauge in &source.gauges {
                let reason = gauge.reason.as_deref().unwrap_or(UNKNOWN_REASON);
                let value = gauge.value.map(bytes).ok_or(reason);
                let chart = gauges.entry((&source.name, &gauge.unit)).or_default();
                let series = chart.entry(&gauge.name).or_default();
                if series.last().is_none_or(|last| last.0 != index) {
                    series.push((index, value));
                }
            }
        }
    }
    for ((source, unit), curves) in gauges {
        let curves = curves
            .into_iter()
            .map(|(name, series)| sparse(texts::name(name), Style::Line, snapshots, series));
        let title = format!("{}: {}", texts::name(source), quantity(unit));
        charts.add(title, texts::name(unit), true, curves);
    }
}

fn quantity(unit: &str) -> String {
    match unit {
        "celsius" => "temperature".into(),
        "milliwatts" => "power".into(),
        "ns" => "time".into(),
        other => texts::name(other),
    }
}
