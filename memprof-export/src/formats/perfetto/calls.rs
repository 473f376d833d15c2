//! Calls of operations as slices.

use super::message::{Kind, TrackEvent};
use super::packets::{Figure, OPERATION, Packets};
use super::tracks::Tracks;
use crate::lanes::end_ns;
use crate::nesting::{Edge, nests};
use memprof_recording::Recording;
use std::collections::HashMap;
use std::io::{self, Write};

pub(super) fn write(
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
