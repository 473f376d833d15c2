//! A B-tree of a million structs, each with a name, built in the order of its keys.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;
use std::collections::BTreeMap;

/// `BTreeMap<u64, Account>`.
pub const WORKLOAD: Workload = Workload {
    name: "B-tree of structs",
    bar: Bar::OverHand(1.0),
    beats_allocative: true,
    size: 1_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// An account of a bank.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Account {
    /// The name of the owner.
    pub owner: String,
    /// The balance, in cents.
    pub balance: i64,
    /// `true` if the account accepts no orders.
    pub closed: bool,
}

/// Returns `size` accounts by their numbers.
pub fn build(size: usize) -> BTreeMap<u64, Account> {
    let mut random = Xorshift::new(11);
    let account = |number| {
        let letters = random.between(4, 20);
        let owner = random.word(letters);
        let (balance, closed) =
            (random.below(1_000_000).cast_signed() as i64, random.below(50) == 0);
        (number, Account { owner, balance, closed })
    };
    (0..size as u64).map(account).collect()
}

/// Returns the exact bytes.
pub fn exact(map: &BTreeMap<u64, Account>) -> usize {
    let mut names = 0;
    let nodes = hand::btree_bytes(map, |account| names += account.owner.capacity());
    size_of_val(map) + nodes + names
}
