//! The tracks of the trace: the process, and all tracks directly below it.
//!
//! There are no groups of tracks, because Perfetto keeps each group folded until the user clicks on
//! it. Perfetto sorts the tracks of a process by name. So names begin with their subject, and
//! curves come above calls.

use super::message::{CounterDescriptor, ProcessDescriptor, TrackDescriptor, Unit};
use super::packets::Packets;
use memprof_recording::document::Metadata;
use std::collections::HashMap;
use std::io::{self, Write};

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

    /// Perfetto draws curves with the same key to one scale, so that they can be compared.
    fn scale(self) -> Option<String> {
        match self {
            Self::Heap | Self::Resident => Some("process".into()),
            Self::Root(_) => Some("roots".into()),
            Self::Device(_) | Self::Source(_) | Self::Figure(..) => None,
        }
    }
}

#[derive(Debug)]
pub(super) struct Tracks<'n> {
    last: u64,
    moments: Option<u64>,
    curves: HashMap<Curve<'n>, u64>,
}

const PROCESS: u64 = 1;

impl<'n> Tracks<'n> {
    pub(super) fn new(packets: &mut Packets<impl Write>, metadata: &Metadata) -> io::Result<Self> {
        // Perfetto accepts only numbers above 0 as process ids.
        let pid = i32::try_from(metadata.pid).unwrap_or(1).max(1);
        packets.track(TrackDescriptor {
            uuid: PROCESS,
            process: Some(ProcessDescriptor {
                pid: Some(pid),
                name: Some(metadata.program.clone()),
                labels: vec![format!("memprof {}", metadata.memprof), metadata.platform.clone()],
            }),
            ..TrackDescriptor::default()
        })?;
        Ok(Self { last: PROCESS, moments: None, curves: HashMap::new() })
    }

    pub(super) fn moments(&mut self, packets: &mut Packets<impl Write>) -> io::Result<u64> {
        if let Some(uuid) = self.moments {
            return Ok(uuid);
        }
        let uuid = self.add(packets, "moments".to_owned(), None)?;
        self.moments = Some(uuid);
        Ok(uuid)
    }

    pub(super) fn curve(
        &mut self,
        packets: &mut Packets<impl Write>,
        curve: Curve<'n>,
    ) -> io::Result<u64> {
        if let Some(&uuid) = self.curves.get(&curve) {
            return Ok(uuid);
        }
        let (unit, unit_name) = curve.unit();
        let counter =
            CounterDescriptor { unit: Some(unit.into()), unit_name, scale: curve.scale() };
        let uuid = self.add(packets, curve.name(), Some(counter))?;
        self.curves.insert(curve, uuid);
        Ok(uuid)
    }

    /// Adds a row of a thread, named after the thread. Perfetto draws rows with the same parent and
    /// name as one track, and draws overlapping calls below each other.
    pub(super) fn row(
        &mut self,
        packets: &mut Packets<impl Write>,
        thread: String,
    ) -> io::Result<u64> {
        self.add(packets, thread, None)
    }

    fn add(
        &mut self,
        packets: &mut Packets<impl Write>,
        name: String,
        counter: Option<CounterDescriptor>,
    ) -> io::Result<u64> {
        self.last += 1;
        packets.track(TrackDescriptor {
            uuid: self.last,
            parent: Some(PROCESS),
            name: Some(name),
            counter,
            ..TrackDescriptor::default()
        })?;
        Ok(self.last)
    }
}
