//! Columns of numbers in few bytes, all in one compressed stream.
//!
//! A column is a header of two numbers, followed by the column's numbers. The first number of the
//! header is the length of the column's numbers in bytes. The second is twice their count, plus 1
//! if each number is the difference from the last known one.
//!
//! A number has a sign and a magnitude. In the first byte, the lowest bit is the sign. The next six
//! bits are the lowest bits of the magnitude. The highest bit is set if more bytes follow. Each
//! further byte has the next seven bits of the magnitude, and its highest bit has the same meaning.
//! Minus zero means unknown.
//!
//! The last column is text: the document, which refers to the columns of numbers by index.

use super::contents::{Column, Document};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

#[derive(Debug)]
pub(super) struct Columns {
    stream: GzEncoder<Vec<u8>>,
    written: usize,
    /// The numbers of the current column, and their count.
    column: Vec<u8>,
    count: usize,
    clamped: bool,
}

/// The largest amount, 4 PiB; larger ones are clamped. A script can subtract two of them exactly.
const MAX_AMOUNT: i128 = 1 << 52;

impl Columns {
    pub(super) fn new() -> Self {
        let stream = GzEncoder::new(Vec::new(), Compression::default());
        Self { stream, written: 0, column: Vec::new(), count: 0, clamped: false }
    }

    /// Writes times, which usually rise, as differences between neighbours.
    pub(super) fn times(&mut self, times: impl IntoIterator<Item = u64>) -> io::Result<Column> {
        let mut before = 0.0;
        for time in times {
            let difference = as_number(i128::from(time)) - before;
            self.push(Some(difference as i128));
            // Add the rounded difference, as the reader does, so that errors do not add up.
            before += difference;
        }
        self.end(Form::Changes)
    }

    /// Writes no differences. Scripts round durations that they cannot represent exactly.
    pub(super) fn spans(&mut self, spans: impl IntoIterator<Item = u64>) -> io::Result<Column> {
        for span in spans {
            self.push(Some(i128::from(span)));
        }
        self.end(Form::Plain)
    }

    pub(super) fn numbers<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = N>,
    ) -> io::Result<Column> {
        self.optional_numbers(numbers.into_iter().map(Some))
    }

    /// Writes numbers that may be unknown, without differences.
    pub(super) fn optional_numbers<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<Column> {
        for each in numbers {
            let each = each.map(|each| self.clamp_amount(each.into()));
            self.push(each);
        }
        self.end(Form::Plain)
    }

    /// Writes numbers that may be unknown, each as the difference to the last known one.
    pub(super) fn changes<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<Column> {
        let mut before = 0;
        for each in numbers {
            let change = each.map(|each| {
                let each = self.clamp_amount(each.into());
                each - core::mem::replace(&mut before, each)
            });
            self.push(change);
        }
        self.end(Form::Changes)
    }

    pub(super) fn clamped(&self) -> bool {
        self.clamped
    }

    /// Writes the document after all columns, and returns the compressed stream.
    pub(super) fn finish(mut self, document: &Document) -> io::Result<Vec<u8>> {
        serde_json::to_writer(&mut self.column, document)?;
        self.end(Form::Plain)?;
        self.stream.finish()
    }

    fn clamp_amount(&mut self, amount: i128) -> i128 {
        self.clamped |= amount.abs() > MAX_AMOUNT;
        amount.clamp(-MAX_AMOUNT, MAX_AMOUNT)
    }

    fn push(&mut self, each: Option<i128>) {
        self.count += 1;
        match each {
            Some(each) => number(&mut self.column, each),
            None => self.column.push(UNKNOWN),
        }
    }

    fn end(&mut self, form: Form) -> io::Result<Column> {
        let mut header = Vec::new();
        number(&mut header, self.column.len() as i128);
        number(&mut header, 2 * self.count as i128 + form as i128);
        self.stream.write_all(&header)?;
        self.stream.write_all(&self.column)?;
        self.column.clear();
        (self.count, self.written) = (0, self.written + 1);
        Ok(Column(self.written - 1))
    }
}

/// The encoding of the numbers of a column.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain = 0,
    Changes = 1,
}

/// The byte of minus zero.
const UNKNOWN: u8 = 1;

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

#[expect(clippy::cast_precision_loss, reason = "as scripts round it")]
fn as_number(number: i128) -> f64 {
    number as f64
}
