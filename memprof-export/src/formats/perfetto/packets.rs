//! The packets of a trace, written one by one.

use super::message::{
    Annotation, Clock, ClockSnapshot, Interned, Kind, Name, TracePacket, TrackDescriptor,
    TrackEvent,
};
use memprof_recording::Recording;
use prost::Message;
use std::io::{self, Write};

/// A trace is a sequence of packets. Each begins with the tag of field 1 and the packet's length.
const PACKET: u8 = 1 << 3 | 2;

/// There is one sequence, because all packets come from one writer.
const SEQUENCE: u32 = 1;

/// Perfetto's flags: the first packet defines names, later packets refer to them by number.
const NAMES_BEGIN: u32 = 1;
const NEEDS_NAMES: u32 = 2;

/// Perfetto's numbers of the clocks.
const REALTIME: u32 = 1;
const BOOTTIME: u32 = 6;

/// The number of the category name of calls.
pub(super) const OPERATION: u64 = 1;

#[derive(Clone, Copy, Debug)]
pub(super) enum Figure {
    Delta,
    Before,
    After,
    TensorDelta,
    Path,
    Requested,
    Live,
}

const FIGURES: [(Figure, &str); 7] = [
    (Figure::Delta, "net_bytes"),
    (Figure::Before, "before_bytes"),
    (Figure::After, "after_bytes"),
    (Figure::TensorDelta, "tensor_net_bytes"),
    (Figure::Path, "path"),
    (Figure::Requested, "requested_bytes"),
    (Figure::Live, "live_bytes"),
];

impl Figure {
    pub(super) fn is(self, value: i64) -> Annotation {
        Annotation { name: self as u64 + 1, value: Some(value), text: None }
    }

    /// Returns an annotation of this figure whose value is the interned text with this number.
    pub(super) fn text(self, number: u64) -> Annotation {
        Annotation { name: self as u64 + 1, value: None, text: Some(number) }
    }
}

pub(super) struct Packets<W> {
    out: W,
}

impl<W: Write> Packets<W> {
    pub(super) const fn new(out: W) -> Self {
        Self { out }
    }

    /// Writes the clocks, and the names to which events refer by number.
    pub(super) fn begin(&mut self, recording: &Recording) -> io::Result<()> {
        let clock = |id, timestamp| Clock { id, timestamp: Some(timestamp) };
        let started = time(recording.metadata.started_unix_ns);
        // Perfetto reads the times of packets as times since boot, so the session's clock is
        // declared as the boot clock.
        let clocks = vec![clock(BOOTTIME, 0), clock(REALTIME, started)];
        let clock_snapshot = Some(ClockSnapshot { clocks, primary: BOOTTIME });
        self.write(TracePacket { clock_snapshot, timestamp: Some(0), ..TracePacket::default() })?;
        let paths = (1..).zip(&recording.operation_paths);
        let last = paths.clone().map(|(number, path)| {
            name(number, path.names.last().map_or("unnamed operation", |name| name))
        });
        let whole = paths.map(|(number, path)| name(number, &path.names.join(";")));
        let interned = Interned {
            categories: vec![name(OPERATION, "operation")],
            events: last.collect(),
            annotations: FIGURES.map(|(figure, is)| name(figure as u64 + 1, is)).into(),
            texts: whole.collect(),
        };
        self.write(TracePacket {
            sequence_flags: Some(NAMES_BEGIN | NEEDS_NAMES),
            interned: Some(interned),
            ..TracePacket::default()
        })
    }

    pub(super) fn track(&mut self, track: TrackDescriptor) -> io::Result<()> {
        self.write(TracePacket { track: Some(track), ..TracePacket::default() })
    }

    /// Writes an event on a track; `fill` sets its other fields.
    pub(super) fn event(
        &mut self,
        at_ns: u64,
        kind: Kind,
        track: u64,
        fill: impl FnOnce(TrackEvent) -> TrackEvent,
    ) -> io::Result<()> {
        let event = TrackEvent { kind: kind.into(), track, ..TrackEvent::default() };
        self.write(TracePacket {
            timestamp: Some(time(at_ns)),
            sequence_flags: Some(NEEDS_NAMES),
            track_event: Some(fill(event)),
            ..TracePacket::default()
        })
    }

    fn write(&mut self, mut packet: TracePacket) -> io::Result<()> {
        packet.sequence = SEQUENCE;
        self.out.write_all(&[PACKET])?;
        self.out.write_all(&packet.encode_length_delimited_to_vec())
    }

    pub(super) fn end(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn name(number: u64, name: &str) -> Name {
    Name { number, name: Some(name.to_owned()) }
}

/// Limits a time to Perfetto's signed numbers.
fn time(ns: u64) -> u64 {
    ns.min(i64::MAX.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::FIGURES;

    #[test]
    fn figures_are_numbered_as_they_are_listed() {
        for (at, (figure, name)) in FIGURES.into_iter().enumerate() {
            assert_eq!(figure as usize, at, "{name}");
        }
    }
}
