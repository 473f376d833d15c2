//! Calls of operations, as slices.

use super::message::{Kind, TrackEvent};
use super::packets::{Figure, OPERATION, Packets};
use super::tracks::Tracks;
use crate::lanes::{end_ns, lanes};
use memprof_session::Recording;
use std::collections::HashMap;
use std::io::{self, Write};

pub(super) fn write(
    packets: &mut Packets<impl Write>,
    tracks: &mut Tracks<'_>,
    recording: &Recording,
) -> io::Result<()> {
    let numbers = (1..).zip(&recording.operation_paths);
    let numbers: HashMap<u32, u64> = numbers.map(|(number, path)| (path.path, number)).collect();
    for lane in lanes(&recording.operation_events) {
        let track = tracks.row(packets, lane.thread)?;
        for at in lane.calls {
            let call = &recording.operation_events[at];
            let number = numbers.get(&call.path).copied();
            packets.event(call.start_ns, Kind::Begin, track, |event| TrackEvent {
                categories: vec![OPERATION],
                name_number: number,
                name: number.is_none().then(|| format!("unknown operation {}", call.path)),
                annotations: [
                    Some(Figure::Delta.is(call.delta_bytes)),
                    Some(Figure::Before.is(call.before_bytes)),
                    Some(Figure::After.is(call.after_bytes)),
                    call.tensor_delta_bytes.map(|bytes| Figure::TensorDelta.is(bytes)),
                    number.map(|number| Figure::Path.text(number)),
                ]
                .into_iter()
                .flatten()
                .collect(),
                ..event
            })?;
            packets.event(end_ns(call), Kind::End, track, |event| event)?;
        }
    }
    Ok(())
}
