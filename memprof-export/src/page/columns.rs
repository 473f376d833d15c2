//! Columns of numbers as few bytes, one after the other in one compressed stream.
//!
//! A column is the count of its bytes, then its numbers. A number is a sign and a magnitude: in the
//! first byte, the sign is the lowest bit, six bits of the magnitude follow, and the highest bit
//! says that more bytes do, with seven bits each. Minus nought is a number that is not known.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// The stream that columns are written to.
#[derive(Debug)]
pub(super) struct Columns {
    stream: GzEncoder<Vec<u8>>,
    column: Vec<u8>,
    rounded: bool,
}

/// Larger amounts are told as this: 4 PiB. The difference of two is exact in a script then.
const LARGEST: i128 = 1 << 52;

impl Columns {
    pub(super) fn new() -> Self {
        let stream = GzEncoder::new(Vec::new(), Compression::default());
        Self { stream, column: Vec::new(), rounded: false }
    }

    /// A text, before or between columns.
    pub(super) fn text(&mut self, text: &[u8]) -> io::Result<()> {
        self.column.clear();
        self.column.extend_from_slice(text);
        self.end()
    }

    /// Moments, which rise as a rule: each as the time since the one before.
    pub(super) fn times(&mut self, times: impl IntoIterator<Item = u64>) -> io::Result<()> {
        self.column.clear();
        let mut before = 0.0;
        for time in times {
            let passed = as_number(i128::from(time)) - before;
            number(&mut self.column, passed as i128);
            // What the reader comes to, so that no rounding adds up.
            before += passed;
        }
        self.end()
    }

    /// Spans of time, each as it is: what scripts can't hold exactly they round by themselves.
    pub(super) fn spans(&mut self, spans: impl IntoIterator<Item = u64>) -> io::Result<()> {
        self.column.clear();
        spans.into_iter().for_each(|span| number(&mut self.column, i128::from(span)));
        self.end()
    }

    /// Numbers, each as it is.
    pub(super) fn numbers<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = N>,
    ) -> io::Result<()> {
        self.known(numbers.into_iter().map(Some))
    }

    /// Numbers that may not be known, each as it is.
    pub(super) fn known<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<()> {
        self.column.clear();
        for each in numbers {
            match each {
                Some(each) => {
                    let each = self.at_most(each.into());
                    number(&mut self.column, each);
                }
                None => unknown(&mut self.column),
            }
        }
        self.end()
    }

    /// Numbers that may not be known, each as the difference to the last one that is.
    pub(super) fn changes<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<()> {
        self.column.clear();
        let mut before = 0;
        for each in numbers {
            match each {
                Some(each) => {
                    let each = self.at_most(each.into());
                    number(&mut self.column, each - before);
                    before = each;
                }
                None => unknown(&mut self.column),
            }
        }
        self.end()
    }

    /// Whether an amount was too large to be told.
    pub(super) fn rounded(&self) -> bool {
        self.rounded
    }

    /// All columns, compressed.
    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.stream.finish()
    }

    fn at_most(&mut self, amount: i128) -> i128 {
        self.rounded |= amount.abs() > LARGEST;
        amount.clamp(-LARGEST, LARGEST)
    }

    fn end(&mut self) -> io::Result<()> {
        let mut length = Vec::new();
        number(&mut length, self.column.len() as i128);
        self.stream.write_all(&length)?;
        self.stream.write_all(&self.column)
    }
}

fn number(column: &mut Vec<u8>, number: i128) {
    let mut rest = number.unsigned_abs();
    let mut byte = u8::from(number < 0) | ((rest & 63) << 1) as u8;
    rest >>= 6;
    while rest > 0 {
        column.push(byte | 128);
        byte = (rest & 127) as u8;
        rest >>= 7;
    }
    column.push(byte);
}

fn unknown(column: &mut Vec<u8>) {
    column.push(1);
}

/// A whole number as scripts have it.
#[expect(clippy::cast_precision_loss, reason = "as scripts round it")]
fn as_number(number: i128) -> f64 {
    number as f64
}
