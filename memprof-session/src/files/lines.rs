//! The lines of a timeline, recognized by their first bytes. Lines that are copied are not parsed.

use super::own_file::OwnFile;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Metadata; the first line has this kind too.
    Metadata,
    /// A snapshot with its number.
    Snapshot(u64),
    Paths,
    ThreadNames,
    Events,
    OutOfMemory,
    Stacks,
    /// Live stacks, with the time at which they were recorded.
    LiveStacks(u64),
    Summary,
}

/// A line, including its newline.
pub(super) struct Found<'l> {
    pub(super) kind: Kind,
    pub(super) text: &'l [u8],
    /// The JSON of its content.
    pub(super) value: &'l [u8],
}

pub(super) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
}

impl<'f> Lines<&'f OwnFile> {
    pub(super) fn of(mut file: &'f OwnFile) -> io::Result<Self> {
        file.seek(SeekFrom::Start(0))?;
        Ok(Self { reader: BufReader::with_capacity(64 << 10, file), line: Vec::new() })
    }
}

impl<R: io::Read> Lines<R> {
    /// Returns the next line of a known kind.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Found<'_>>> {
        loop {
            self.line.clear();
            if self.reader.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if let Some((kind, from)) = kind(&self.line) {
                let text = &self.line[..];
                let end = text.trim_ascii_end().len() - 1;
                return Ok(Some(Found { kind, text, value: &text[from.min(end)..end] }));
            }
        }
    }
}

/// Returns the kind of a line, and the offset of its JSON.
fn kind(line: &[u8]) -> Option<(Kind, usize)> {
    const SNAPSHOT: &[u8] = b"{\"snapshot\":";
    const LIVE_STACKS: &[u8] = b"{\"live_stacks\":";
    const PLAIN: [(&[u8], Kind); 8] = [
        (b"{\"format\":", Kind::Metadata),
        (b"{\"metadata\":", Kind::Metadata),
        (b"{\"operation_paths\":", Kind::Paths),
        (b"{\"thread_names\":", Kind::ThreadNames),
        (b"{\"operation_events\":", Kind::Events),
        (b"{\"out_of_memory\":", Kind::OutOfMemory),
        (b"{\"stacks\":", Kind::Stacks),
        (b"{\"summary\":", Kind::Summary),
    ];
    if !line.ends_with(b"}\n") {
        return None;
    }
    if let Some(snapshot) = line.strip_prefix(SNAPSHOT) {
        let number = number_after(snapshot, b"{\"number\":")?;
        return Some((Kind::Snapshot(number), SNAPSHOT.len()));
    }
    if let Some(moment) = line.strip_prefix(LIVE_STACKS) {
        let at_ns = number_after(moment, b"{\"at_ns\":")?;
        return Some((Kind::LiveStacks(at_ns), LIVE_STACKS.len()));
    }
    let (begin, kind) = PLAIN.into_iter().find(|(begin, _)| line.starts_with(begin))?;
    Some((kind, begin.len()))
}

/// Returns the number that follows these bytes.
fn number_after(json: &[u8], key: &[u8]) -> Option<u64> {
    let digits = json.strip_prefix(key)?;
    let end = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    str::from_utf8(&digits[..end]).ok()?.parse().ok()
}
