//! A std whose collections look different, for tests.

use super::{TableWords, TreeLayout};
use std::cell::Cell;

/// Changes the words of a table.
type Falsify = fn(TableWords) -> TableWords;

thread_local! {
    static TABLES: Cell<Option<Falsify>> = const { Cell::new(None) };
    static TREES: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn words(words: &mut TableWords) {
    if let Some(falsify) = TABLES.get() {
        *words = falsify(*words);
    }
}

pub(super) fn tree_layout(layout: Option<TreeLayout>) -> Option<TreeLayout> {
    let layout = layout?;
    // The root and the length have changed places: both are words that may be read in any map.
    let swapped = TreeLayout { root: layout.len, len: layout.root, ..layout };
    Some(if TREES.get() { swapped } else { layout })
}

/// Runs `test` with hash tables on this thread whose words `falsify` changes.
pub(crate) fn tables<R>(falsify: Falsify, test: impl FnOnce() -> R) -> R {
    TABLES.set(Some(falsify));
    let result = test();
    TABLES.set(None);
    result
}

/// Runs `test` with B-trees on this thread whose words are taken for each other.
pub(crate) fn trees<R>(test: impl FnOnce() -> R) -> R {
    TREES.set(true);
    let result = test();
    TREES.set(false);
    result
}
