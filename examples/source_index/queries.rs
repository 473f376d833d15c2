//! Queries the index for words.

use crate::index::Index;
use std::convert::Infallible;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// Looks up the most frequent words, and returns the number of places found.
#[memprof::track]
pub(crate) fn run(index: &RwLock<Index>) -> usize {
    let index = index.read().unwrap_or_else(PoisonError::into_inner);
    index.frequent(100).iter().map(|word| index.find(word, 1000).len()).sum()
}

/// Repeats the queries.
pub(crate) async fn run_for_ever(index: &RwLock<Index>) -> Infallible {
    loop {
        run(index);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
