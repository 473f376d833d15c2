//! A session as a Perfetto trace (`.pftrace`): a row of calls for each thread, and curves of bytes.
//!
//! Two programs open the file: <https://ui.perfetto.dev>, which does not upload it, and Perfetto's
//! `trace_processor`, which answers SQL. The trace contains:
//! - a slice for each recorded call of an operation. The slice has the live bytes before and after
//!   the call, and its net bytes;
//! - a counter from snapshots for the live heap, the resident memory, each root, the bytes of
//!   roots on each device, each source, and each gauge;
//! - a mark for each checkpoint, each snapshot that a peak caused, and each out-of-memory moment.
//!
//! The trace does not contain the trees of snapshots: Perfetto cannot draw a tree of bytes from a
//! program's own events.

mod message;
mod nesting;
mod packets;
mod tracks;

use super::ExportError;
use crate::known::{device_bytes, root_bytes};
use crate::lanes::end_ns;
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, SourceReading, Trigger};
use message::{Kind, TrackEvent};
use nesting::{Edge, nests};
use packets::{Figure, OPERATION, Packets};
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use tracks::{Curve, Tracks};

/// Writes a recording as a trace for Perfetto.
///
/// Times are nanoseconds since the session began. Unknown values have no sample, so a curve keeps
/// its last value until the next known one.
///
/// # Errors
/// Returns an error if writing fails, or if the data of a source are not a profile.
///
/// # Example
/// ```no_run
/// use std::fs::File;
///
/// let recording = memprof::session::Recording::read_file("session.json")?;
/// memprof::export::perfetto::write(&recording, File::create("session.pftrace")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Packets are written one by one. Sorting the calls into rows takes 64 bytes of memory for each
/// call. A call takes about 70 bytes in the file.
pub fn write(recording: &Recording, out: impl Write) -> Result<(), ExportError> {
    let mut packets = Packets::new(BufWriter::new(out));
    packets.begin(recording)?;
    let mut tracks = Tracks::new(&mut packets, &recording.metadata)?;
    write_moments(&mut packets, &mut tracks, recording)?;
    write_curves(&mut packets, &mut tracks, recording)?;
    write_calls(&mut packets, &mut tracks, recording)?;
    Ok(packets.end()?)
}

/// Writes marks: checkpoints, peaks, and out-of-memory moments.
fn write_moments(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'_>,
    recording: &Recording,
) -> io::Result<()> {
    for snapshot in &recording.snapshots {
        let name = match (snapshot.name.as_deref(), snapshot.trigger) {
            (Some(name), _) => name,
            (None, Trigger::Peak) => "peak",
            (None, _) => continue,
        };
        let live = snapshot.heap.map(|heap| Figure::Live.is(heap.live_bytes));
        let track = tracks.moments(packets)?;
        packets.event(snapshot.at_ns, Kind::Instant, track, |event| TrackEvent {
            name: Some(name.to_owned()),
            annotations: live.into_iter().collect(),
            ..event
        })?;
    }
    for moment in &recording.out_of_memory {
        let requested = i64::try_from(moment.requested_bytes).unwrap_or(i64::MAX);
        let live = moment.heap.map(|heap| Figure::Live.is(heap.live_bytes));
        let track = tracks.moments(packets)?;
        packets.event(moment.at_ns, Kind::Instant, track, |event| TrackEvent {
            name: Some("out of memory".to_owned()),
            annotations: [Figure::Requested.is(requested)].into_iter().chain(live).collect(),
            ..event
        })?;
    }
    Ok(())
}

/// Writes curves from snapshots: one counter for each name that has bytes.
fn write_curves<'r>(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'r>,
    recording: &'r Recording,
) -> Result<(), ExportError> {
    let mut snapshots: Vec<&Snapshot> = recording.snapshots.iter().collect();
    // Skipping unchanged values needs chronological order, and the clock may have been set back.
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

/// Perfetto's signed counters can hold the bytes of any machine.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn write_calls(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'_>,
    recording: &Recording,
) -> io::Result<()> {
    let numbers = (1..).zip(&recording.operation_paths);
    let numbers: HashMap<u32, u64> = numbers.map(|(number, path)| (path.path, number)).collect();
    let calls = &recording.operation_events;
    for nest in nests(recording) {
        let track = tracks.row(packets, recording.thread_label(nest.thread))?;
        for edge in nest.edges {
            let at = match edge {
                Edge::Begin(at) => at,
                Edge::End(at) => {
                    packets.event(end_ns(&calls[at]), Kind::End, track, |event| event)?;
                    continue;
                }
            };
            let call = &calls[at];
            let number = numbers.get(&call.path).copied();
            packets.event(call.start_ns, Kind::Begin, track, |event| TrackEvent {
                categories: vec![OPERATION],
                name_number: number,
                name: number.is_none().then(|| format!("unknown operation {}", call.path)),
                annotations: [
                    Some(Figure::Delta.is(call.net_bytes)),
                    Some(Figure::Before.is(call.before_bytes)),
                    Some(Figure::After.is(call.after_bytes)),
                    call.tensor_net_bytes.map(|bytes| Figure::TensorDelta.is(bytes)),
                    number.map(|number| Figure::Path.text(number)),
                ]
                .into_iter()
                .flatten()
                .collect(),
                ..event
            })?;
        }
    }
    Ok(())
}
