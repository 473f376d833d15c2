//! A reader for JSON in memprof's own layout, which has one branch per line. It parses each line as
//! a whole.
//!
//! `serde_json` reads from a reader byte by byte, which took almost three times as long on a
//! million branches. JSON in another layout goes to that parser, starting with the first line that
//! differs.

use crate::Profile;
use crate::views::json::JsonError;
use crate::views::json::document::{BranchRecord, branches_begin};
use crate::views::json::read::Reading;
use std::io::{self, BufRead, Read};

/// The maximum number of lines before the first branch. A file with more lines there goes to the
/// general parser.
const HEAD_LINES: usize = 8;
/// The maximum length of a line in bytes. A file with a longer line goes to the general parser.
const MAX_LINE_LEN: u64 = 1 << 20;

/// Reads a profile.
pub(crate) fn read(mut json: impl BufRead) -> Result<Profile, JsonError> {
    let (mut head, begin) = (Vec::new(), branches_begin());
    for number in 1..=HEAD_LINES {
        let start = head.len();
        next_line(&mut json, &mut head)?;
        if head[start..] == *begin.as_bytes() {
            return Lines { json, number, reading: Reading::default() }.read(head);
        }
    }
    Reading::default().read(head.chain(json))
}

/// Appends the next line, at most `MAX_LINE_LEN` bytes of it.
fn next_line(json: &mut impl BufRead, line: &mut Vec<u8>) -> Result<(), JsonError> {
    json.take(MAX_LINE_LEN).read_until(b'\n', line).map(drop).map_err(JsonError::io)
}

struct Lines<R> {
    json: R,
    /// The number of lines read so far.
    number: usize,
    reading: Reading,
}

impl<R: BufRead> Lines<R> {
    fn read(mut self, mut head: Vec<u8>) -> Result<Profile, JsonError> {
        let begun = head.len();
        head.extend_from_slice(b"]}");
        if self.reading.parse(serde_json::Deserializer::from_slice(&head)).is_err() {
            // Parse again from the start, so that errors are the same as without this reader.
            head.truncate(begun);
            return Reading::default().read(head.chain(self.json));
        }
        let mut line = head;
        // `Some(true)` if a branch must follow, `Some(false)` if none may follow.
        let mut comma = None;
        loop {
            line.clear();
            next_line(&mut self.json, &mut line)?;
            let text = line.trim_ascii();
            let (text, more) = match text.strip_suffix(b",") {
                Some(text) => (text, true),
                None => (text, false),
            };
            let ends = text.starts_with(b"]");
            if !text.is_empty() && comma.is_some_and(|comma| comma == ends) {
                let problem = format!("expected `,` between branches: line {}", self.number + 1);
                return Err(JsonError::whole(problem));
            }
            // Parse a `str`, because the parser would check each string in a byte slice for UTF-8.
            let Ok(text) = str::from_utf8(text) else { break };
            let Ok(record) = serde_json::from_str::<BranchRecord<'_>>(text) else { break };
            self.reading.add(&record)?;
            self.number += 1;
            comma = Some(more);
        }
        self.rest(&line)
    }

    /// Reads the rest of the list and everything after it, with unchanged line numbers.
    fn rest(mut self, line: &[u8]) -> Result<Profile, JsonError> {
        self.reading.expect_more_branches();
        let lines_before = io::repeat(b'\n').take(self.number as u64 - 1);
        let begin = format!("{{{}", branches_begin());
        let before = lines_before.chain(begin.as_bytes());
        self.reading.read(before.chain(line).chain(self.json))
    }
}
