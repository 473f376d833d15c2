//! A std with another layout, for tests: observations are changed before they are judged.

use super::table::TableWords;
use super::tree::Places;
use std::cell::Cell;

/// A difference from the real std.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// The words of tables are changed.
    Table(fn(TableWords) -> TableWords),
    /// The root and the length of a tree change places.
    TreeWords,
    /// Nodes start this number of bytes before the described start.
    Node(usize),
    /// The edges of an inner node are this number of bytes later.
    Edges(usize),
    /// Headers of shared values are this number of bytes larger.
    Header(usize),
    /// `Weak::new` points elsewhere.
    NeverAllocated,
}

thread_local! {
    static FAULT: Cell<Option<Fault>> = const { Cell::new(None) };
}

/// Runs `test` with a std that differs on this thread.
pub(crate) fn with<R>(fault: Fault, test: impl FnOnce() -> R) -> R {
    FAULT.set(Some(fault));
    let result = test();
    FAULT.set(None);
    result
}

/// Returns whether std differs on this thread, so that earlier observations are ignored.
pub(super) fn is_falsified() -> bool {
    FAULT.get().is_some()
}

pub(super) fn table(words: TableWords) -> TableWords {
    if let Some(Fault::Table(change)) = FAULT.get() { change(words) } else { words }
}

pub(super) fn places(places: Places) -> Places {
    let Places { root, len } = places;
    if let Some(Fault::TreeWords) = FAULT.get() { Places { root: len, len: root } } else { places }
}

pub(super) fn node(address: usize) -> usize {
    if let Some(Fault::Node(bytes)) = FAULT.get() { address - bytes } else { address }
}

pub(super) fn edges(offset: usize) -> usize {
    if let Some(Fault::Edges(bytes)) = FAULT.get() { offset + bytes } else { offset }
}

pub(super) fn distance(bytes: usize) -> usize {
    if let Some(Fault::Header(more)) = FAULT.get() { bytes + more } else { bytes }
}

pub(super) fn never_allocated(address: usize) -> usize {
    if let Some(Fault::NeverAllocated) = FAULT.get() { 8 } else { address }
}
