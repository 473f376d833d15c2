//! Curves: what snapshots found, one counter for each thing that has bytes.

use super::ExportError;
use super::message::{Kind, TrackEvent};
use super::packets::Packets;
use super::tracks::{Counter, Group, Tracks};
use memprof_session::Recording;
use memprof_session::document::{Snapshot, SourceReading};
use std::collections::HashMap;
use std::io::Write;

pub(super) fn write<'r>(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'r>,
    recording: &'r Recording,
) -> Result<(), ExportError> {
    let mut snapshots: Vec<&Snapshot> = recording.snapshots.iter().collect();
    // The clock may have been set back; what is unchanged is so in the order that is drawn.
    snapshots.sort_by_key(|snapshot| snapshot.at_ns);
    let mut last: HashMap<u64, i64> = HashMap::new();
    for snapshot in snapshots {
        for (counter, value) in readings(snapshot)? {
            let Some(value) = value else { continue };
            let track = tracks.counter(packets, &counter)?;
            if last.insert(track, value) == Some(value) {
                continue;
            }
            packets.event(snapshot.at_ns, Kind::Counter, track, |event| TrackEvent {
                counter_value: Some(value),
                ..event
            })?;
        }
    }
    Ok(())
}

/// A counter and what it shows; `None` where that isn't known.
type Reading<'n> = (Counter<'n>, Option<i64>);

/// What a snapshot found.
fn readings(snapshot: &Snapshot) -> Result<Vec<Reading<'_>>, ExportError> {
    let heap = snapshot.heap.map(|heap| heap.live_bytes);
    let bytes = |group, name| Counter { group, name: (name, ""), unit: "bytes" };
    let mut readings = vec![
        (bytes(Group::Process, "heap live"), heap),
        (bytes(Group::Process, "RSS"), snapshot.process.rss_bytes.map(signed)),
    ];
    let devices = snapshot.devices.iter();
    readings
        .extend(devices.map(|one| (bytes(Group::Devices, &one.device), Some(signed(one.bytes)))));
    let roots = snapshot.roots.iter();
    readings
        .extend(roots.map(|root| (bytes(Group::Roots, &root.name), root.total_bytes.map(signed))));
    for source in &snapshot.sources {
        readings.push((bytes(Group::Sources, &source.name), total(snapshot, source)?));
        readings.extend(source.gauges.iter().map(|gauge| {
            let name = (&*source.name, &*gauge.name);
            (Counter { group: Group::Sources, name, unit: &gauge.unit }, gauge.value.map(signed))
        }));
    }
    Ok(readings)
}

/// All bytes of a source; `None` if it could not be read.
fn total(snapshot: &Snapshot, source: &SourceReading) -> Result<Option<i64>, ExportError> {
    let Some(profile) = source.profile() else { return Ok(None) };
    let wrong = |error| ExportError::profile(&source.name, snapshot.number, error);
    Ok(Some(signed(profile.map_err(wrong)?.total_bytes())))
}

/// Perfetto's counters are signed; more is more than any machine has.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
