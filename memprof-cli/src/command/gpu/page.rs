//! The devices as text, for people: a line for each device, with its memory and processes below it.

use super::name_of;
use crate::escape::{brief, escaped};
use memprof_gpu::{DeviceIdentity, DeviceReading, DeviceSampler, DeviceStatistics, MemorySource};
use memprof_profile::text::{Percent, Table};
use memprof_profile::views::Units;
use std::fmt::Write;

/// A row below a device: a name, its bytes and a note.
struct Row {
    name: String,
    bytes: Option<u64>,
    note: String,
}

pub(super) fn text(
    sampler: &dyn DeviceSampler,
    readings: &[DeviceReading],
    units: Units,
    is_here: bool,
) -> String {
    let mut text = String::new();
    let environment = sampler.environment();
    let versions = [("driver", environment.driver), ("CUDA", environment.cuda)];
    let versions: Vec<String> = versions
        .iter()
        .filter_map(|(name, version)| Some(format!("{name} {}", escaped(version.as_deref()?))))
        .collect();
    if readings.is_empty() {
        text.push_str("the driver lists no device\n");
    }
    for (identity, reading) in sampler.devices().iter().zip(readings) {
        device(&mut text, identity, reading, units, is_here);
    }
    text.push_str(&versions.join(" · "));
    text.trim_end().to_owned()
}

fn device(
    text: &mut String,
    identity: &DeviceIdentity,
    reading: &DeviceReading,
    units: Units,
    is_here: bool,
) {
    let mut parts = vec![identity.name.as_deref().map_or("unknown product".into(), brief)];
    if let Ok(celsius) = reading.temperature_celsius {
        parts.push(format!("{celsius} °C"));
    }
    if let Ok(milliwatts) = reading.power_milliwatts {
        parts.push(format!("{} W", milliwatts / 1000));
    }
    parts.push(brief(&identity.uuid));
    let _ = writeln!(text, "{}  {}", identity.frame(), parts.join(" · "));
    match DeviceStatistics::new(identity, reading, 0) {
        Err(reason) => {
            let _ = writeln!(text, "└─ memory unknown: {}", escaped(&reason.to_string()));
        }
        Ok(statistics) => {
            let rows = rows(&statistics, reading, is_here);
            table(text, &rows, statistics.memory.total, units);
            for advice in statistics.advice() {
                let action = advice.action().map(|action| format!("; {action}"));
                let (severity, evidence) = (advice.severity(), advice.evidence());
                let _ = writeln!(text, "   {severity}: {evidence}{}", action.unwrap_or_default());
            }
        }
    }
    text.push('\n');
}

fn rows(statistics: &DeviceStatistics, reading: &DeviceReading, is_here: bool) -> Vec<Row> {
    let memory = &statistics.memory;
    let row = |name: &str, bytes| Row { name: name.to_owned(), bytes, note: String::new() };
    let mut rows = vec![row("used", Some(memory.used))];
    match &reading.processes {
        Err(reason) => {
            rows.push(Row { note: escaped(&reason.to_string()), ..row("   processes", None) });
        }
        Ok(processes) => rows.extend(processes.iter().map(|process| {
            let name = name_of(process.pid, is_here).map_or(String::new(), |name| brief(&name));
            Row { note: name, ..row(&format!("   {}", process.pid), process.used) }
        })),
    }
    rows.push(row("free", Some(memory.free)));
    let reserved = match memory.driver_reserved {
        Some(bytes) => row("driver", Some(bytes)),
        None if memory.source == MemorySource::HostUnified => {
            Row { note: "shares the host's memory".into(), ..row("driver", None) }
        }
        None => Row { note: "included in used".into(), ..row("driver", None) },
    };
    rows.push(reserved);
    rows
}

fn table(text: &mut String, rows: &[Row], total: u64, units: Units) {
    let mut table = Table::new([""; 4], &[0, 3]);
    for (at, row) in rows.iter().enumerate() {
        let lead = match row.name.strip_prefix("   ") {
            Some(_) => "│  ",
            None if at + 1 == rows.len() => "└─ ",
            None => "├─ ",
        };
        let amount = row.bytes.map_or("unknown".into(), |bytes| units.show(bytes).to_string());
        table.row([
            format!("{lead}{}", row.name),
            amount,
            share(row.bytes, total),
            row.note.clone(),
        ]);
    }
    for line in table.lines(usize::MAX) {
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Formats the share of the device's memory.
fn share(bytes: Option<u64>, total: u64) -> String {
    let bytes = bytes.filter(|_| total > 0);
    bytes.map_or_else(String::new, |part| Percent { part, whole: total }.to_string())
}
