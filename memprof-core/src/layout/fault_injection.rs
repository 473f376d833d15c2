//! Fault injection for tests. It simulates a std with another layout: it changes observations
//! before they are used.

use super::table::TableWords;
use super::tree::WordIndices;
use std::cell::Cell;

/// A difference from the real std.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// The words of tables are changed.
    Table(fn(TableWords) -> TableWords),
    /// The root and the length of a tree are exchanged.
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

/// Runs `test` as if this thread used a std with another layout.
pub(crate) fn with_fault<R>(fault: Fault, test: impl FnOnce() -> R) -> R {
    FAULT.set(Some(fault));
    let result = test();
    FAULT.set(None);
    result
}

/// Returns `true` if a fault is injected on this thread. In this case, callers must not use cached
/// observations.
pub(super) fn is_active() -> bool {
    FAULT.get().is_some()
}

pub(super) fn table(words: TableWords) -> TableWords {
    if let Some(Fault::Table(change)) = FAULT.get() { change(words) } else { words }
}

pub(super) fn word_indices(indices: WordIndices) -> WordIndices {
    let WordIndices { root, len } = indices;
    if let Some(Fault::TreeWords) = FAULT.get() {
        WordIndices { root: len, len: root }
    } else {
        indices
    }
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
