//! The tracks of the trace: groups below the process, and what is in them.

use super::message::{ChildOrdering, CounterDescriptor, ProcessDescriptor, TrackDescriptor, Unit};
use super::packets::Packets;
use memprof_session::document::Metadata;
use std::collections::HashMap;
use std::io::{self, Write};

/// What is shown together, from above to below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Group {
    Moments,
    Process,
    Devices,
    Roots,
    Sources,
    Operations,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Moments => "moments",
            Self::Process => "memory of the process",
            Self::Devices => "bytes of roots by device",
            Self::Roots => "roots",
            Self::Sources => "sources",
            Self::Operations => "operations",
        }
    }
}

/// A counter: where it stands, its name and what it counts in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Counter<'n> {
    pub(super) group: Group,
    /// The source that it is of, and its own name; one of the two may be all.
    pub(super) name: (&'n str, &'n str),
    pub(super) unit: &'n str,
}

/// Tracks that were described; others are when something happens on them.
#[derive(Debug)]
pub(super) struct Tracks<'n> {
    last: u64,
    groups: HashMap<Group, u64>,
    counters: HashMap<Counter<'n>, u64>,
}

/// The track of the process.
const PROCESS: u64 = 1;

impl<'n> Tracks<'n> {
    pub(super) fn new(packets: &mut Packets<impl Write>, metadata: &Metadata) -> io::Result<Self> {
        // Nothing but numbers above 0 is a process to Perfetto.
        let pid = i32::try_from(metadata.pid).unwrap_or(1).max(1);
        packets.track(TrackDescriptor {
            uuid: PROCESS,
            process: Some(ProcessDescriptor {
                pid: Some(pid),
                name: Some(metadata.program.clone()),
                labels: vec![format!("memprof {}", metadata.memprof), metadata.platform.clone()],
            }),
            child_ordering: Some(ChildOrdering::Explicit.into()),
            ..TrackDescriptor::default()
        })?;
        Ok(Self { last: PROCESS, groups: HashMap::new(), counters: HashMap::new() })
    }

    /// The track of a group.
    pub(super) fn group(
        &mut self,
        packets: &mut Packets<impl Write>,
        group: Group,
    ) -> io::Result<u64> {
        if let Some(&uuid) = self.groups.get(&group) {
            return Ok(uuid);
        }
        let uuid = self.next();
        self.groups.insert(group, uuid);
        packets.track(TrackDescriptor {
            uuid,
            parent: Some(PROCESS),
            name: Some(group.name().to_owned()),
            child_ordering: Some(ChildOrdering::Explicit.into()),
            rank: Some(group as i32),
            ..TrackDescriptor::default()
        })?;
        Ok(uuid)
    }

    /// The track of a counter.
    pub(super) fn counter(
        &mut self,
        packets: &mut Packets<impl Write>,
        counter: &Counter<'n>,
    ) -> io::Result<u64> {
        if let Some(&uuid) = self.counters.get(counter) {
            return Ok(uuid);
        }
        let parent = self.group(packets, counter.group)?;
        let uuid = self.next();
        self.counters.insert(counter.clone(), uuid);
        let (unit, unit_name) = match counter.unit {
            "bytes" => (Unit::Bytes, None),
            "ns" => (Unit::Nanoseconds, None),
            "count" => (Unit::Count, None),
            other => (Unit::Unspecified, Some(other.to_owned())),
        };
        // Roots are compared with each other, the live heap with what is resident.
        let compared = matches!(counter.group, Group::Process | Group::Roots);
        let scale = compared.then(|| counter.group.name().to_owned());
        packets.track(TrackDescriptor {
            uuid,
            parent: Some(parent),
            name: Some(match counter.name {
                (of, "") | ("", of) => of.to_owned(),
                (of, what) => format!("{of}: {what}"),
            }),
            counter: Some(CounterDescriptor { unit: Some(unit.into()), unit_name, scale }),
            rank: Some(rank(uuid)),
            ..TrackDescriptor::default()
        })?;
        Ok(uuid)
    }

    /// A row of a thread. Rows of one parent and one name are drawn as one track, each call as far
    /// below as it needs.
    pub(super) fn row(
        &mut self,
        packets: &mut Packets<impl Write>,
        thread: u32,
    ) -> io::Result<u64> {
        let parent = self.group(packets, Group::Operations)?;
        let uuid = self.next();
        packets.track(TrackDescriptor {
            uuid,
            parent: Some(parent),
            name: Some(format!("thread {thread}")),
            rank: Some(i32::try_from(thread).unwrap_or(i32::MAX)),
            ..TrackDescriptor::default()
        })?;
        Ok(uuid)
    }

    const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

fn rank(uuid: u64) -> i32 {
    i32::try_from(uuid).unwrap_or(i32::MAX)
}
