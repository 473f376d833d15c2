//! Reads the files on several threads, and adds their words to the index.

use crate::index::{Index, Words};
use crate::long_lines;
use memprof::heap::operation::{OperationSite, TrackFuture};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Indexes all files, `at_once` of them at a time.
pub(crate) async fn index_all(files: Vec<PathBuf>, index: &Arc<RwLock<Index>>, at_once: usize) {
    static INDEX: OperationSite = OperationSite::new("index", file!(), line!());
    let waiting = Arc::new(Mutex::new(VecDeque::from(files)));
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..at_once {
        let (waiting, index) = (waiting.clone(), index.clone());
        workers.spawn(
            async move {
                loop {
                    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some(path) = next else { break };
                    index_one(path, &index).await;
                }
            }
            .track(&INDEX),
        );
    }
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            eprintln!("source_index: {error}");
        }
    }
}

/// Indexes one file, unless it is not text.
#[memprof::track]
async fn index_one(path: PathBuf, index: &RwLock<Index>) {
    let Ok(text) = tokio::fs::read_to_string(&path).await else { return };
    let words = words(&text);
    long_lines::remember(&path, &text);
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let _operation = memprof::operation!("insert");
    index.write().unwrap_or_else(PoisonError::into_inner).add(path, lines, words);
}

/// Returns the words of a text, with the lines that contain them.
#[memprof::track]
fn words(text: &str) -> Words<'_> {
    let mut words = Words::new();
    for (line, number) in text.lines().zip(1..) {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        for word in line.split(|letter| !is_word(letter)).filter(|word| word.len() > 2) {
            let lines = words.entry(word).or_default();
            if lines.last() != Some(&number) {
                lines.push(number);
            }
        }
    }
    words
}
