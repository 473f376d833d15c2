//! Columns of numbers as few bytes, one after the other in one compressed stream.
//!
//! A column is a header of two numbers, then its own numbers. The header has the count of bytes behind
//! it, and twice the count of numbers, plus 1 if each is the change since the last one known. A number
//! is a sign and a magnitude: in the first byte, the sign is the lowest bit, six bits of the magnitude
//! follow, and the highest bit says that more bytes do, with seven bits each. Minus nought is unknown.
//! Behind the last column of numbers is one of text: the document that has the indices of the others.

use super::contents::{Column, Document};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// The stream that columns are written to.
#[derive(Debug)]
pub(super) struct Columns {
    stream: GzEncoder<Vec<u8>>,
    written: usize,
    /// The numbers of the column at hand, and how many they are.
    column: Vec<u8>,
    count: usize,
    rounded: bool,
}

/// Larger amounts are told as this: 4 PiB. The difference of two is exact in a script then.
const LARGEST: i128 = 1 << 52;

impl Columns {
    pub(super) fn new() -> Self {
        let stream = GzEncoder::new(Vec::new(), Compression::default());
        Self { stream, written: 0, column: Vec::new(), count: 0, rounded: false }
    }

    /// Moments, which rise as a rule: each as the time since the one before.
    pub(super) fn times(&mut self, times: impl IntoIterator<Item = u64>) -> io::Result<Column> {
        let mut before = 0.0;
        for time in times {
            let passed = as_number(i128::from(time)) - before;
            self.push(Some(passed as i128));
            // What the reader comes to, so that no rounding adds up.
            before += passed;
        }
        self.end(Form::Changes)
    }

    /// Spans of time, each as it is: what scripts can't hold exactly they round by themselves.
    pub(super) fn spans(&mut self, spans: impl IntoIterator<Item = u64>) -> io::Result<Column> {
        for span in spans {
            self.push(Some(i128::from(span)));
        }
        self.end(Form::Plain)
    }

    /// Numbers, each as it is.
    pub(super) fn numbers<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = N>,
    ) -> io::Result<Column> {
        self.known(numbers.into_iter().map(Some))
    }

    /// Numbers that may not be known, each as it is.
    pub(super) fn known<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<Column> {
        for each in numbers {
            let each = each.map(|each| self.at_most(each.into()));
            self.push(each);
        }
        self.end(Form::Plain)
    }

    /// Numbers that may not be known, each as the difference to the last one that is.
    pub(super) fn changes<N: Into<i128>>(
        &mut self,
        numbers: impl IntoIterator<Item = Option<N>>,
    ) -> io::Result<Column> {
        let mut before = 0;
        for each in numbers {
            let change = each.map(|each| {
                let each = self.at_most(each.into());
                each - core::mem::replace(&mut before, each)
            });
            self.push(change);
        }
        self.end(Form::Changes)
    }

    /// Whether an amount was too large to be told.
    pub(super) fn rounded(&self) -> bool {
        self.rounded
    }

    /// The document behind all columns, compressed.
    pub(super) fn finish(mut self, document: &Document) -> io::Result<Vec<u8>> {
        serde_json::to_writer(&mut self.column, document)?;
        self.end(Form::Plain)?;
        self.stream.finish()
    }

    fn at_most(&mut self, amount: i128) -> i128 {
        self.rounded |= amount.abs() > LARGEST;
        amount.clamp(-LARGEST, LARGEST)
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

/// How the numbers of a column are written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain = 0,
    Changes = 1,
}

/// Minus nought.
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

/// A whole number as scripts have it.
#[expect(clippy::cast_precision_loss, reason = "as scripts round it")]
fn as_number(number: i128) -> f64 {
    number as f64
}
