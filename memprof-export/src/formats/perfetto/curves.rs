//! Curves from snapshots: one counter for each name that has bytes.

use super::ExportError;
use super::message::{Kind, TrackEvent};
use super::packets::Packets;
use super::tracks::{Curve, Tracks};
use crate::known::{device_bytes, root_bytes};
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, SourceReading};
use std::collections::HashMap;
use std::io::Write;

pub(super) fn write<'r>(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'r>,
    recording: &'r Recording,
) -> Result<(), ExportError> {
    let mut snapshots: Vec<&Snapshot> = recording.snapshots.iter().collect();
    // Unchanged values are skipped, which needs chronological order. The clock may have been set
    // back.
    snapshots.sort_by_key(|snapshot| snapshot.at_ns);
    let mut last: HashMap<u64, i64> = HashMap::new();
    for snapshot in snapshots {
        for (curve, value) in readings(snapshot)? {
            let Some(value) = value else { continue };
            let track = tracks.curve(packets, curve)?;
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

/// A curve with its value; `None` if the value is not known.
type Reading<'n> = (Curve<'n>, Option<i64>);

/// Returns the readings of one snapshot.
fn readings(snapshot: &Snapshot) -> Result<Vec<Reading<'_>>, ExportError> {
    let mut readings = vec![
        (Curve::Heap, snapshot.heap.map(|heap| heap.live_bytes)),
        (Curve::Resident, snapshot.process.rss_bytes.map(signed)),
    ];
    readings.extend(
        device_bytes(snapshot).map(|(name, bytes)| (Curve::Device(name), bytes.map(signed))),
    );
    let roots = snapshot.roots.iter();
    readings.extend(roots.map(|root| (Curve::Root(&root.name), root_bytes(root).map(signed))));
    for source in &snapshot.sources {
        readings.push((Curve::Source(&source.name), total(snapshot, source)?));
        readings.extend(source.gauges.iter().map(|gauge| {
            let curve = Curve::Figure(&source.name, &gauge.name, &gauge.unit);
            (curve, gauge.value.map(signed))
        }));
    }
    Ok(readings)
}

/// Returns all bytes of a source, or `None` if it could not be read.
fn total(snapshot: &Snapshot, source: &SourceReading) -> Result<Option<i64>, ExportError> {
    let Some(profile) = source.profile() else { return Ok(None) };
    let wrong = |error| ExportError::profile(&source.name, snapshot.number, error);
    Ok(Some(signed(profile.map_err(wrong)?.total_bytes())))
}

/// Converts bytes to a value of Perfetto's signed counters, which can hold the bytes of any
/// machine.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
