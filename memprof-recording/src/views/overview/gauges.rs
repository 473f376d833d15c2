//! The gauges of sources.

use super::page::Page;
use crate::document::{GaugeReading, Snapshot};
use memprof_profile::text::Shown;
use memprof_profile::text::Table;
use memprof_profile::text::span;
use memprof_profile::views::Units;

/// The number of gauges shown.
const SHOWN: usize = 24;

pub(super) fn write(page: &mut Page, snapshot: &Snapshot) {
    let gauges: Vec<&GaugeReading> =
        snapshot.sources.iter().flat_map(|source| &source.gauges).collect();
    let mut table = Table::new([""; 3], &[0, 2]);
    for gauge in gauges.iter().take(SHOWN) {
        let why = gauge.reason.as_deref().map(|why| Shown(why).to_string());
        let value =
            gauge.value.map_or_else(|| "unknown".into(), |value| amount(value, gauge, page.units));
        table.row([Shown(&gauge.name).to_string(), value, why.unwrap_or_default()]);
    }
    if let Some(more) = gauges.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        table.row([format!("…{more} more"), String::new(), String::new()]);
    }
    page.section("gauges", &table);
}

/// Formats a figure with its unit; an unknown unit is shown as the source wrote it.
fn amount(value: u64, gauge: &GaugeReading, units: Units) -> String {
    match &*gauge.unit {
        "bytes" => units.show(value).to_string(),
        "ns" => span(value),
        "celsius" => format!("{value} °C"),
        "milliwatts" => format!("{}.{} W", value / 1000, value % 1000 / 100),
        other => format!("{value} {}", Shown(other)),
    }
}
