//! Several values with handles to the same memory. Under each policy, the branches add up to the
//! total. Under the policy of sole owners, a value's branch has the bytes that dropping the value
//! frees.

use crate::allocator::live_bytes;
use crate::random::Random;
use memprof::tree::{Branch, EXTERNAL, Role, SEVERAL, SharingPolicy};
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of random sets of owners.
const SETS: u64 = if cfg!(miri) { 10 } else { 2_000 };

/// A part that several owners and other parts may share.
struct Part {
    bytes: Vec<u8>,
    below: Vec<Arc<Part>>,
}

impl MemoryProfile for Part {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.bytes.owned(walk, at);
        self.below.owned(walk, at);
    }
}

/// One of several values.
struct Owner {
    name: String,
    parts: Vec<Arc<Part>>,
}

impl MemoryProfile for Owner {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.name.owned(walk, at);
        self.parts.owned(walk, at);
    }
}

/// Returns some of the parts, some of them twice.
fn some(parts: &[Arc<Part>], random: &mut Random) -> Vec<Arc<Part>> {
    let count = random.below(4).min(parts.len());
    (0..count).map(|_| parts[random.below(parts.len())].clone()).collect()
}

/// Returns owners, and handles outside them that keep some parts alive.
fn owners(random: &mut Random) -> (Vec<Owner>, Vec<Arc<Part>>) {
    let mut parts: Vec<Arc<Part>> = Vec::new();
    for _ in 0..random.below(10) {
        let below = some(&parts, random);
        parts.push(Arc::new(Part { bytes: vec![0; random.below(100)], below }));
    }
    let owner = |number: usize, random: &mut Random| Owner {
        name: format!("owner {number}"),
        parts: some(&parts, random),
    };
    let owners = (0..=random.below(4)).map(|number| owner(number, random)).collect();
    let outside = if random.flip() { Vec::new() } else { some(&parts, random) };
    (owners, outside)
}

fn profile(owners: &[Owner], policy: SharingPolicy) -> Profile {
    let named = owners.iter().map(|owner| (&owner.name, owner as &dyn MemoryProfile));
    Profile::of_all_with("owners", named, policy)
}

/// Returns the bytes of a branch directly below the root.
fn bytes_of(profile: &Profile, name: &str) -> u64 {
    let branch = profile.root().children().find(|child| child.name() == name);
    branch.map_or(0, Branch::total_bytes)
}

#[test]
fn dropping_a_value_frees_its_branch_under_the_policy_of_sole_owners() {
    for seed in 0..SETS {
        let mut random = Random::new(seed);
        let (mut owners, outside) = owners(&mut random);
        while !owners.is_empty() {
            let profile = profile(&owners, SharingPolicy::SoleOwner);
            let dropped = owners.swap_remove(random.below(owners.len()));
            let name = dropped.name.clone();
            let before = live_bytes();
            drop(dropped);
            let freed = (before - live_bytes()) as u64;
            let branch = bytes_of(&profile, &name);
            assert_eq!(branch, freed + size_of::<Owner>() as u64, "seed {seed}, {name}");
        }
        drop(outside);
    }
}

#[test]
fn the_branches_of_each_policy_add_up_to_the_same_total() {
    for seed in 0..SETS {
        let (owners, outside) = owners(&mut Random::new(seed));
        let [first, sole] = [SharingPolicy::FirstValue, SharingPolicy::SoleOwner]
            .map(|policy| profile(&owners, policy));
        assert_eq!(first.total_bytes(), sole.total_bytes(), "seed {seed}");
        assert_eq!(first.shared(), sole.shared(), "seed {seed}");
        let apart = bytes_of(&sole, SEVERAL) + bytes_of(&sole, EXTERNAL);
        let of_owners: u64 = owners.iter().map(|owner| bytes_of(&sole, &owner.name)).sum();
        assert_eq!(apart + of_owners, sole.total_bytes(), "seed {seed}");
        drop(outside);
    }
}

#[test]
fn without_handles_outside_nothing_is_external() {
    for seed in 0..SETS {
        let (owners, mut outside) = owners(&mut Random::new(seed));
        outside.clear();
        let sole = profile(&owners, SharingPolicy::SoleOwner);
        assert_eq!(bytes_of(&sole, EXTERNAL), 0, "seed {seed}");
    }
}

/// An array with a unit that arrays share.
#[derive(MemoryProfile)]
struct Array {
    data: Vec<f64>,
    #[profile(role = "metadata")]
    unit: Arc<str>,
    #[profile(keyed)]
    labels: BTreeMap<u8, Arc<str>>,
}

#[test]
fn an_allocation_apart_keeps_its_path_its_role_and_its_entry() {
    let (unit, label): (Arc<str>, Arc<str>) = ("m/s".into(), "north".into());
    let array = |len| Array {
        data: vec![0.0; len],
        unit: unit.clone(),
        labels: BTreeMap::from([(7, label.clone())]),
    };
    let (speed, wind) = (array(100), array(10));
    let values: [(_, &dyn MemoryProfile); 2] = [("speed", &speed), ("wind", &wind)];
    let profile = Profile::of_all_with("arrays", values, SharingPolicy::SoleOwner);
    let unit_bytes = Some(16 + 3 + 5);
    assert_eq!(profile.bytes_at("[several];speed;unit"), unit_bytes);
    assert_eq!(profile.bytes_at("[several];speed;labels;7"), unit_bytes);
    let below = |path: &str| path.starts_with("arrays;[several];speed;unit");
    let mut roles = profile.leaves().filter(|(path, _)| below(&path.to_string()));
    assert!(roles.all(|(_, leaf)| leaf.role() == Role::Metadata));
}
