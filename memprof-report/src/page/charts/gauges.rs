//! What sources tell besides their bytes: temperatures, power, counts. Shown when asked for.

use super::{Charts, Curve, Style, sparse};
use crate::page::texts;
use memprof_session::document::Snapshot;
use std::collections::BTreeMap;

/// The gauges of one source in one unit, by name, with what is known of each.
type Gauges<'s> = BTreeMap<(&'s str, &'s str), BTreeMap<&'s str, Vec<(usize, u64)>>>;

pub(super) fn add(charts: &mut Charts, snapshots: &[&Snapshot]) {
    let mut gauges: Gauges<'_> = BTreeMap::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for source in &snapshot.sources {
            for gauge in &source.gauges {
                let Some(value) = gauge.value else { continue };
                let chart = gauges.entry((&source.name, &gauge.unit)).or_default();
                let known = chart.entry(&gauge.name).or_default();
                if known.last().is_none_or(|last| last.0 != index) {
                    known.push((index, value));
                }
            }
        }
    }
    for ((source, unit), curves) in gauges {
        let curves: Vec<Curve> = curves
            .into_iter()
            .map(|(name, known)| sparse(texts::name(name), Style::Line, snapshots, &known))
            .collect();
        let title = format!("{}: {}", texts::name(source), quantity(unit));
        charts.add(title, texts::name(unit), true, curves);
    }
}

/// What figures in a unit are of, as people call it.
fn quantity(unit: &str) -> String {
    match unit {
        "celsius" => "temperature".into(),
        "milliwatts" => "power".into(),
        "ns" => "time".into(),
        other => texts::name(other),
    }
}
