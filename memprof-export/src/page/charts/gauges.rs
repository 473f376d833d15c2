//! Gauges of sources, such as temperatures, power and counts. Their charts are folded at first.

use super::series::Series;
use super::{Charts, Style, UNKNOWN_REASON, bytes, sparse};
use crate::page::texts;
use memprof_recording::document::Snapshot;
use std::collections::BTreeMap;

/// The gauges by source and unit, then by name, with their values.
type Gauges<'s> = BTreeMap<(&'s str, &'s str), BTreeMap<&'s str, Series<'s>>>;

pub(super) fn add<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
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

/// Returns the common name of the quantity with this unit.
fn quantity(unit: &str) -> String {
    match unit {
        "celsius" => "temperature".into(),
        "milliwatts" => "power".into(),
        "ns" => "time".into(),
        other => texts::name(other),
    }
}
