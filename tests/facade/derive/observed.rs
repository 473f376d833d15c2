//! Walks over derived types that stop early, and walks that report addresses.

use memprof::tree::OpaqueReason;
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile};

/// An observer that stops a walk after `asks` checks, and keeps the addresses that it receives.
struct Watching {
    asks: usize,
    addresses: Vec<usize>,
}

impl Observer for Watching {
    fn stops(&mut self) -> bool {
        let stops = self.asks == 0;
        self.asks = self.asks.saturating_sub(1);
        stops
    }

    fn wants_blocks(&self) -> bool {
        true
    }

    fn block(&mut self, address: usize) {
        self.addresses.push(address);
    }
}

#[derive(MemoryProfile)]
struct Track {
    title: Title,
    kind: Kind,
}

#[derive(MemoryProfile)]
struct Title(String);

#[derive(MemoryProfile)]
enum Kind {
    Samples(Vec<f32>),
    Mix { of: Vec<Title> },
}

fn tracks(count: usize) -> Vec<Track> {
    let title = |name: &str| Title(String::from(name));
    let kind = |number| match number % 2 {
        0 => Kind::Samples(vec![0.5; 10]),
        _ => Kind::Mix { of: vec![title("one"), title("another")] },
    };
    (0..count).map(|number| Track { title: title("title"), kind: kind(number) }).collect()
}

#[test]
fn fields_variants_and_newtypes_report_addresses() {
    let tracks = tracks(2);
    let mut watching = Watching { asks: usize::MAX, addresses: Vec::new() };
    let profile = Profile::observed("tracks", &tracks, &mut watching);
    assert_eq!(profile, Profile::named("tracks", &tracks));
    let Kind::Samples(samples) = &tracks[0].kind else { panic!("even tracks have samples") };
    let Kind::Mix { of } = &tracks[1].kind else { panic!("odd tracks are mixes") };
    let text = |title: &Title| title.0.as_ptr().addr();
    let mut expected = vec![
        tracks.as_ptr().addr(),
        text(&tracks[0].title),
        samples.as_ptr().addr(),
        text(&tracks[1].title),
        of.as_ptr().addr(),
        text(&of[0]),
        text(&of[1]),
    ];
    expected.sort_unstable();
    watching.addresses.sort_unstable();
    assert_eq!(watching.addresses, expected);
}

#[test]
fn a_slice_of_derived_values_stops_and_unvisited_values_are_counted() {
    let tracks = tracks(10_000);
    let whole = Profile::named("tracks", &tracks);
    let mut watching = Watching { asks: 2, addresses: Vec::new() };
    let profile = Profile::observed("tracks", &tracks, &mut watching);
    let marks: Vec<(OpaqueReason, u64)> = profile.root().opaque().collect();
    let [(OpaqueReason::Stopped, left)] = marks[..] else { panic!("{profile:?}") };
    assert!((9_488..10_000).contains(&left), "{left} left");
    assert!(profile.total_bytes() >= (tracks.len() * size_of::<Track>()) as u64);
    assert!(profile.total_bytes() < whole.total_bytes());
}
