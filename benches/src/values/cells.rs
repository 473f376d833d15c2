//! Strings behind cells: two million, each in a `RefCell`, and a million, each behind an
//! `Rc<RefCell<_>>`.

use crate::{Bar, Large, Peer, Subject, Workload, hand, peers, xorshift::Xorshift};
use allocative::Allocative;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::{FlatType, MemSize};
use memprof::MemoryProfile;
use std::cell::RefCell;
use std::rc::Rc;

/// `Vec<RefCell<String>>`.
pub const STRINGS: Workload = Workload {
    name: "strings in cells",
    bar: Bar::OverHand(2.0),
    beats_allocative: false,
    size: 2_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| strings(size), exact, peers()),
};

/// `Vec<Rc<RefCell<String>>>`.
pub const SHARED: Workload = Workload {
    name: "strings in shared cells",
    bar: Bar::OverHand(2.0),
    beats_allocative: false,
    size: 1_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| shared(size), exact_shared, peers()),
};

fn peers<T: MemoryProfile + MemSize + FlatType + GetSize + DeepSizeOf + Allocative>() -> Vec<Peer<T>>
{
    let [tree, total] = peers::memprof();
    let [allocative_total, allocative_tree] = peers::allocative();
    vec![
        tree,
        total,
        peers::mem_dbg(),
        peers::get_size2(),
        peers::deepsize(),
        peers::absent(peers::DATASIZE, "it has no impl for `RefCell`"),
        allocative_total,
        allocative_tree,
    ]
}

/// Returns `size` cells.
pub fn strings(size: usize) -> Vec<RefCell<String>> {
    let mut random = Xorshift::new(14);
    let mut word = |_| {
        let letters = random.between(4, 36);
        RefCell::new(random.word(letters))
    };
    (0..size).map(&mut word).collect()
}

/// Returns `size` cells, each with one handle.
pub fn shared(size: usize) -> Vec<Rc<RefCell<String>>> {
    strings(size).into_iter().map(Rc::new).collect()
}

/// Returns the exact bytes.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(cells: &Vec<RefCell<String>>) -> usize {
    let mut bytes = size_of_val(cells) + cells.capacity() * size_of::<RefCell<String>>();
    for cell in cells {
        bytes += cell.try_borrow().map_or(0, |string| string.capacity());
    }
    bytes
}

/// Returns the exact bytes of cells that each have one handle.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact_shared(cells: &Vec<Rc<RefCell<String>>>) -> usize {
    let mut bytes = size_of_val(cells) + cells.capacity() * size_of::<Rc<RefCell<String>>>();
    let mut visited = hand::Visited::new(0);
    for cell in cells {
        if Rc::strong_count(cell) == 1 || visited.insert(Rc::as_ptr(cell).addr()) {
            bytes += hand::arc_bytes::<RefCell<String>>();
            bytes += cell.try_borrow().map_or(0, |string| string.capacity());
        }
    }
    bytes
}
