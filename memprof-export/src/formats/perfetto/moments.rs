//! Marks: checkpoints, peaks, and out-of-memory moments.

use super::message::{Kind, TrackEvent};
use super::packets::{Figure, Packets};
use super::tracks::Tracks;
use memprof_recording::Recording;
use memprof_recording::document::Trigger;
use std::io::{self, Write};

pub(super) fn write(
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
