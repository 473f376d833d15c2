//! Readings of other sources in snapshots; a source that fails or panics affects only itself.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::source::{ATTRIBUTED, Gauge, Source};
use memprof::tree::Device;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::error::Error;
use std::sync::Arc;
use std::{fmt, io};

/// A source with a given result.
struct Says(&'static str);

/// An error that gives its reason only in its cause.
#[derive(Debug)]
struct Caused(io::Error);

impl fmt::Display for Caused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("it failed")
    }
}

impl Error for Caused {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl Source for Says {
    fn name(&self) -> &str {
        assert_ne!(self.0, "nameless", "it was told to");
        self.0
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        match self.0 {
            "card" => Ok(Profile::from_folded("card;used 3000\ncard;free 1000\n")?),
            "lost" => Err("the device is lost".into()),
            "caused" => Err(Box::new(Caused(io::Error::other("the bus")))),
            _ => panic!("it was told to"),
        }
    }
}

/// A GPU, part of whose memory is held by roots.
#[derive(Default)]
struct Card {
    held: u64,
}

impl Source for Card {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn set_attributed(&mut self, held: &[(Device, u64)]) {
        let held = held.iter().find(|(device, _)| *device == Device::Cuda(0));
        self.held = held.map_or(0, |&(_, bytes)| bytes);
    }

    fn read(&mut self) -> Result<Profile, Box<dyn Error + Send + Sync>> {
        let leaf = |path, bytes| ([path, ATTRIBUTED], Device::Cuda(0), bytes);
        let rest = ["used", "by others"];
        Ok(Profile::of_counters("gpu", [leaf("used", self.held), (rest, Device::Cuda(0), 900)]))
    }

    fn gauges(&self) -> Vec<Gauge> {
        let unknown = Err("not supported".to_owned());
        vec![Gauge::new("heat", "celsius", Ok(41)), Gauge::new("power", "milliwatts", unknown)]
    }
}

/// A handle to a buffer of `BYTES` bytes on a GPU.
pub(crate) struct Buffer<const BYTES: usize>;

impl<const BYTES: usize> MemoryProfile for Buffer<BYTES> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.bytes_on(at, Device::Cuda(0), BYTES);
    }
}

#[test]
fn device_memory_of_roots_counts_once_with_the_devices_counters() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    session.source(Card::default());
    let buffer = Arc::new(Buffer::<100>);
    session.root("buffer", buffer.clone());
    session.checkpoint("held");
    drop(buffer);
    end(session);
    let recording = folder.recording();
    let snapshot = recording.snapshot("held").expect("it was taken");
    let card = snapshot.root("gpu").expect("it tells").expect("it is a profile");
    assert_eq!(card.to_folded(), "gpu;used;attributed 100\ngpu;used;by_others 900\n");
    let all = snapshot.profile("program").expect("profiles");
    assert_eq!(all.devices(), [(Device::Cuda(0), 1000)]);
}

#[test]
fn an_unknown_figure_has_a_reason_and_no_value() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    session.source(Card::default());
    session.checkpoint("hot");
    end(session);
    let recording = folder.recording();
    let gauges = &recording.snapshot("hot").expect("it was taken").sources[0].gauges;
    let gauges: Vec<_> = gauges
        .iter()
        .map(|gauge| (&*gauge.name, &*gauge.unit, gauge.value, gauge.reason.as_deref()))
        .collect();
    let power = ("power", "milliwatts", None, Some("not supported"));
    assert_eq!(gauges, [("heat", "celsius", Some(41), None), power]);
}

#[test]
fn each_source_reports_its_bytes_or_an_error() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    for name in ["card", "lost", "broken", "caused", "nameless"] {
        session.source(Says(name));
    }
    session.checkpoint("with sources");
    end(session);
    let recording = folder.recording();
    let snapshot = recording.snapshot("with sources").expect("it was taken");
    let [card, lost, broken, caused, nameless] = &snapshot.sources[..] else {
        panic!("five sources")
    };
    let profile = card.profile().expect("it tells").expect("it is a profile");
    assert_eq!((card.name.as_str(), profile.total_bytes()), ("card", 4000));
    assert_eq!(lost.error.as_deref(), Some("the device is lost"));
    assert_eq!(broken.error.as_deref(), Some("panicked while it was read"));
    assert_eq!(caused.error.as_deref(), Some("it failed (the bus)"));
    assert_eq!(nameless.name, "unnamed");
    assert!(lost.profile().is_none() && broken.profile().is_none());
}
