//! The index: the files and lines of each word.

use memprof::MemoryProfile;
use std::collections::HashMap;
use std::path::PathBuf;

/// The files and lines of each word.
#[derive(Default, MemoryProfile)]
pub(crate) struct Index {
    files: Vec<SourceFile>,
    words: HashMap<Box<str>, Vec<Place>>,
}

/// A file that was indexed.
#[derive(MemoryProfile)]
struct SourceFile {
    path: PathBuf,
    lines: u32,
}

/// A line that contains a word.
#[derive(Clone, Copy, MemoryProfile)]
struct Place {
    file: u32,
    line: u32,
}

/// The words of one file, each with its lines.
pub(crate) type Words<'t> = HashMap<&'t str, Vec<u32>>;

impl Index {
    /// Adds a file. If the file was indexed before, only updates its number of lines.
    pub(crate) fn add(&mut self, path: PathBuf, lines: u32, words: Words<'_>) {
        let known = self.files.iter().position(|file| file.path == path);
        if let Some(known) = known {
            self.files[known].lines = lines;
            return;
        }
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(SourceFile { path, lines });
        for (word, lines) in words {
            let places = match self.words.get_mut(word) {
                Some(places) => places,
                None => self.words.entry(word.into()).or_default(),
            };
            places.extend(lines.into_iter().map(|line| Place { file, line }));
        }
    }

    pub(crate) fn files(&self) -> usize {
        self.files.len()
    }

    pub(crate) fn words(&self) -> usize {
        self.words.len()
    }

    /// Returns the places of a word as text, at most `most` of them.
    pub(crate) fn find(&self, word: &str, most: usize) -> Vec<String> {
        let places = self.words.get(word).map(Vec::as_slice).unwrap_or_default();
        let shown = |place: &Place| {
            let path = &self.files[place.file as usize].path;
            format!("{}:{}", path.display(), place.line)
        };
        places.iter().take(most).map(shown).collect()
    }

    /// Returns the `most` most frequent words, with the most frequent first.
    pub(crate) fn frequent(&self, most: usize) -> Vec<String> {
        let mut words: Vec<_> = self.words.iter().collect();
        words.sort_by(|(a, x), (b, y)| y.len().cmp(&x.len()).then_with(|| a.cmp(b)));
        words.into_iter().take(most).map(|(word, _)| word.to_string()).collect()
    }
}
