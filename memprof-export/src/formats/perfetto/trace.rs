//! A trace as it is written: packets one by one, and the tracks that they are about.
//!
//! The tracks are the process, and all other tracks directly below it. There are no groups of tracks,
//! because Perfetto keeps each group folded until the user clicks on it. Perfetto sorts the tracks of a
//! process by name. So names begin with their subject, and curves come above calls.

use memprof_recording::Recording;
use prost::{Enumeration, Message};
use std::collections::HashMap;
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

memprof_profile::keywords! {
    /// A figure in the annotations of an event, to which events refer by number.
    #[derive(Clone, Copy, Debug)]
    pub(super) enum Figure {
        Delta => "net_bytes",
        Before => "before_bytes",
        After => "after_bytes",
        TensorDelta => "tensor_net_bytes",
        Path => "path",
        Requested => "requested_bytes",
        Live => "live_bytes",
    }
}

impl Figure {
    pub(super) fn is(self, value: i64) -> Annotation {
        Annotation { name: self.number(), value: Some(value), text: None }
    }

    pub(super) fn text(self, number: u64) -> Annotation {
        Annotation { name: self.number(), value: None, text: Some(number) }
    }

    /// The number of a name must not be 0.
    fn number(self) -> u64 {
        self as u64 + 1
    }
}

fn name(number: u64, name: &str) -> Name {
    Name { number, name: Some(name.to_owned()) }
}

/// Limits a time to Perfetto's signed numbers.
fn time(ns: u64) -> u64 {
    ns.min(i64::MAX.unsigned_abs())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Curve<'n> {
    Heap,
    Resident,
    /// The bytes of roots on a device.
    Device(&'n str),
    Root(&'n str),
    Source(&'n str),
    /// A gauge of a source: the source, the gauge and its unit.
    Figure(&'n str, &'n str, &'n str),
}

impl Curve<'_> {
    fn name(self) -> String {
        match self {
            Self::Heap => "heap live".to_owned(),
            Self::Resident => "RSS".to_owned(),
            Self::Device(device) => format!("roots on {device}"),
            Self::Root(root) => format!("root {root}"),
            Self::Source(source) => format!("source {source}"),
            Self::Figure(source, figure, _) => format!("source {source}: {figure}"),
        }
    }

    fn unit(self) -> (Unit, Option<String>) {
        match self {
            Self::Figure(_, _, "ns") => (Unit::Nanoseconds, None),
            Self::Figure(_, _, "count") => (Unit::Count, None),
            Self::Figure(_, _, unit) if unit != "bytes" => (Unit::Unspecified, Some(unit.into())),
            _ => (Unit::Bytes, None),
        }
    }

    /// Perfetto draws curves with the same key on one scale, so that they can be compared.
    fn scale(self) -> Option<String> {
        match self {
            Self::Heap | Self::Resident => Some("process".into()),
            Self::Root(_) => Some("roots".into()),
            Self::Device(_) | Self::Source(_) | Self::Figure(..) => None,
        }
    }
}

pub(super) struct Trace<'n, W> {
    out: W,
    /// The number of the last track.
    last: u64,
    moments: Option<u64>,
    curves: HashMap<Curve<'n>, u64>,
}

/// The number of the track of the process.
const PROCESS: u64 = 1;

impl<'n, W: Write> Trace<'n, W> {
    /// Writes the clocks, the names to which events refer by number, and the process.
    pub(super) fn begin(out: W, recording: &Recording) -> io::Result<Self> {
        let mut trace = Self { out, last: PROCESS, moments: None, curves: HashMap::new() };
        let metadata = &recording.metadata;
        let clock = |id, timestamp| Clock { id, timestamp: Some(timestamp) };
        let started = time(metadata.started_unix_ns);
        // Perfetto reads the times of packets as times since boot, so the session's clock is
        // declared as the boot clock.
        let clocks = vec![clock(BOOTTIME, 0), clock(REALTIME, started)];
        let clock_snapshot = Some(ClockSnapshot { clocks, primary: BOOTTIME });
        trace.write(TracePacket {
            clock_snapshot,
            timestamp: Some(0),
            ..TracePacket::default()
        })?;
        let paths = (1..).zip(&recording.operation_paths);
        let last = paths.clone().map(|(number, path)| {
            name(number, path.names.last().map_or("unnamed operation", |name| name))
        });
        let whole = paths.map(|(number, path)| name(number, &path.names.join(";")));
        let figures = Figure::ALL.iter().map(|figure| name(figure.number(), figure.as_str()));
        let interned = Interned {
            categories: vec![name(OPERATION, "operation")],
            events: last.collect(),
            annotations: figures.collect(),
            texts: whole.collect(),
        };
        trace.write(TracePacket {
            sequence_flags: Some(NAMES_BEGIN | NEEDS_NAMES),
            interned: Some(interned),
            ..TracePacket::default()
        })?;
        // Perfetto accepts only numbers above 0 as process ids.
        let pid = i32::try_from(metadata.pid).unwrap_or(1).max(1);
        trace.track(TrackDescriptor {
            uuid: PROCESS,
            process: Some(ProcessDescriptor {
                pid: Some(pid),
                name: Some(metadata.program.clone()),
                labels: vec![format!("memprof {}", metadata.memprof), metadata.platform.clone()],
            }),
            ..TrackDescriptor::default()
        })?;
        Ok(trace)
    }

    pub(super) fn moments(&mut self) -> io::Result<u64> {
        if let Some(uuid) = self.moments {
            return Ok(uuid);
        }
        let uuid = self.add("moments".to_owned(), None)?;
        self.moments = Some(uuid);
        Ok(uuid)
    }

    pub(super) fn curve(&mut self, curve: Curve<'n>) -> io::Result<u64> {
        if let Some(&uuid) = self.curves.get(&curve) {
            return Ok(uuid);
        }
        let (unit, unit_name) = curve.unit();
        let counter =
            CounterDescriptor { unit: Some(unit.into()), unit_name, scale: curve.scale() };
        let uuid = self.add(curve.name(), Some(counter))?;
        self.curves.insert(curve, uuid);
        Ok(uuid)
    }

    /// Adds a row of a thread, named after the thread. Perfetto draws rows with the same parent and
    /// name as one track, and draws overlapping calls below each other.
    pub(super) fn row(&mut self, thread: String) -> io::Result<u64> {
        self.add(thread, None)
    }

    fn add(&mut self, name: String, counter: Option<CounterDescriptor>) -> io::Result<u64> {
        self.last += 1;
        self.track(TrackDescriptor {
            uuid: self.last,
            parent: Some(PROCESS),
            name: Some(name),
            counter,
            ..TrackDescriptor::default()
        })?;
        Ok(self.last)
    }

    fn track(&mut self, track: TrackDescriptor) -> io::Result<()> {
        self.write(TracePacket { track: Some(track), ..TracePacket::default() })
    }

    pub(super) fn event(&mut self, at_ns: u64, event: TrackEvent) -> io::Result<()> {
        self.write(TracePacket {
            timestamp: Some(time(at_ns)),
            sequence_flags: Some(NEEDS_NAMES),
            track_event: Some(event),
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

impl TrackEvent {
    pub(super) fn new(kind: Kind, track: u64) -> Self {
        Self { kind: kind.into(), track, ..Self::default() }
    }
}

// The subset of Perfetto's messages that memprof writes. Fields have the numbers of its schema.

#[derive(Clone, PartialEq, Message)]
struct TracePacket {
    #[prost(uint64, optional, tag = "8")]
    timestamp: Option<u64>,
    #[prost(uint32, tag = "10")]
    sequence: u32,
    #[prost(uint32, optional, tag = "13")]
    sequence_flags: Option<u32>,
    #[prost(message, optional, tag = "6")]
    clock_snapshot: Option<ClockSnapshot>,
    #[prost(message, optional, tag = "11")]
    track_event: Option<TrackEvent>,
    #[prost(message, optional, tag = "12")]
    interned: Option<Interned>,
    #[prost(message, optional, tag = "60")]
    track: Option<TrackDescriptor>,
}

#[derive(Clone, PartialEq, Message)]
struct ClockSnapshot {
    #[prost(message, repeated, tag = "1")]
    clocks: Vec<Clock>,
    #[prost(uint32, tag = "2")]
    primary: u32,
}

#[derive(Clone, PartialEq, Message)]
struct Clock {
    #[prost(uint32, tag = "1")]
    id: u32,
    #[prost(uint64, optional, tag = "2")]
    timestamp: Option<u64>,
}

#[derive(Clone, PartialEq, Message)]
struct Interned {
    #[prost(message, repeated, tag = "1")]
    categories: Vec<Name>,
    #[prost(message, repeated, tag = "2")]
    events: Vec<Name>,
    #[prost(message, repeated, tag = "3")]
    annotations: Vec<Name>,
    /// The schema declares this field as bytes, which have the same encoding as text.
    #[prost(message, repeated, tag = "29")]
    texts: Vec<Name>,
}

#[derive(Clone, PartialEq, Message)]
struct Name {
    #[prost(uint64, tag = "1")]
    number: u64,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
}

#[derive(Clone, PartialEq, Message)]
struct TrackDescriptor {
    #[prost(uint64, tag = "1")]
    uuid: u64,
    #[prost(uint64, optional, tag = "5")]
    parent: Option<u64>,
    #[prost(string, optional, tag = "2")]
    name: Option<String>,
    #[prost(message, optional, tag = "3")]
    process: Option<ProcessDescriptor>,
    #[prost(message, optional, tag = "8")]
    counter: Option<CounterDescriptor>,
}

#[derive(Clone, PartialEq, Message)]
struct ProcessDescriptor {
    #[prost(int32, optional, tag = "1")]
    pid: Option<i32>,
    #[prost(string, optional, tag = "6")]
    name: Option<String>,
    #[prost(string, repeated, tag = "8")]
    labels: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
struct CounterDescriptor {
    #[prost(enumeration = "Unit", optional, tag = "3")]
    unit: Option<i32>,
    #[prost(string, optional, tag = "6")]
    unit_name: Option<String>,
    /// Perfetto draws all counters with the same key on one scale.
    #[prost(string, optional, tag = "7")]
    scale: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
enum Unit {
    Unspecified = 0,
    Nanoseconds = 1,
    Count = 2,
    Bytes = 3,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TrackEvent {
    #[prost(enumeration = "Kind", tag = "9")]
    pub(super) kind: i32,
    #[prost(uint64, tag = "11")]
    pub(super) track: u64,
    /// As in the schema, the numbers are not packed. Perfetto would misread packed numbers.
    #[prost(uint64, repeated, packed = "false", tag = "3")]
    pub(super) categories: Vec<u64>,
    #[prost(uint64, optional, tag = "10")]
    pub(super) name_number: Option<u64>,
    #[prost(string, optional, tag = "23")]
    pub(super) name: Option<String>,
    #[prost(int64, optional, tag = "30")]
    pub(super) counter_value: Option<i64>,
    #[prost(message, repeated, tag = "4")]
    pub(super) annotations: Vec<Annotation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Enumeration)]
pub(super) enum Kind {
    Unspecified = 0,
    Begin = 1,
    End = 2,
    Instant = 3,
    Counter = 4,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Annotation {
    #[prost(uint64, tag = "1")]
    name: u64,
    #[prost(int64, optional, tag = "4")]
    value: Option<i64>,
    #[prost(uint64, optional, tag = "17")]
    text: Option<u64>,
}
