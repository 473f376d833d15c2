//! The lines of a file, plain or compressed with gzip.

use super::error::Problem;
use flate2::bufread::MultiGzDecoder;
use std::io::{BufRead, BufReader, Read};

/// The first bytes of every gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The maximum length of a line, far above the lines of any model. The limit keeps a file without
/// line ends from filling the memory.
const LONGEST_LINE: u64 = 64 * 1024;

/// A reader of lines, which reads one line at a time into a reused buffer and counts lines.
pub(crate) struct Lines {
    input: Box<dyn BufRead>,
    buffer: Vec<u8>,
    number: usize,
}

impl Lines {
    /// Creates a reader. Detects compression by the content, not by the file's name.
    pub(crate) fn new(mut input: impl BufRead + 'static) -> Result<Self, Problem> {
        let compressed = input.fill_buf().map_err(Problem::Unreadable)?.starts_with(&GZIP);
        let input: Box<dyn BufRead> = if compressed {
            Box::new(BufReader::new(MultiGzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        Ok(Self { input, buffer: Vec::new(), number: 0 })
    }

    /// Returns the next line without its end, or `None` after the last.
    pub(crate) fn next_line(&mut self) -> Result<Option<&str>, Problem> {
        self.buffer.clear();
        let mut input = self.input.by_ref().take(LONGEST_LINE);
        let length = input.read_until(b'\n', &mut self.buffer).map_err(Problem::Unreadable)?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if length as u64 == LONGEST_LINE {
            return Err(Problem::LongLine { limit: LONGEST_LINE });
        }
        match str::from_utf8(&self.buffer) {
            Ok(line) => Ok(Some(line.trim_end())),
            Err(cause) => Err(Problem::NotText { byte: self.buffer[cause.valid_up_to()], cause }),
        }
    }

    /// Returns the number of the line read last, counted from 1, or `None` before the first.
    pub(crate) fn number(&self) -> Option<usize> {
        (self.number > 0).then_some(self.number)
    }
}
