//! What is expected beside what was measured.

use super::foretold::title;
use super::row::{self, Row};
use super::table::{Line, drawn};
use crate::arguments::Arguments;
use crate::generate::Generated;
use crate::model::{KvCache, Maker, Transformer};
use memprof::{Device, Profile, Units};
use std::fmt;

/// Every part, on the device that the transformer runs on.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    title: String,
    device: Device,
    rows: Vec<Row>,
    /// The most that one operation asked for beyond what it left.
    scratch: u64,
    tokens: Vec<u32>,
}

impl Report {
    pub(crate) fn new(
        arguments: &Arguments,
        maker: &Maker,
        transformer: &Transformer,
        cache: &KvCache,
        generated: &Generated,
    ) -> candle_core::Result<Self> {
        let model = row::model(arguments, maker, &Profile::named("model", transformer));
        let cache = row::cache(arguments, maker, cache)?;
        let passes = row::passes(arguments, generated);
        let together = Row::together([&model[0], &cache[0], &passes[0]]);
        let books = [Some(generated.prompt), generated.last];
        let scratch = books.into_iter().flatten().map(|books| books.scratch_peak_bytes);
        Ok(Self {
            title: title(arguments),
            device: arguments.place.profiled(),
            rows: [model, cache, passes, vec![together]].concat(),
            scratch: scratch.max().unwrap_or_default().max(0).cast_unsigned(),
            tokens: generated.tokens.clone(),
        })
    }

    /// Whether each part has the bytes that it is expected to have, no more and no less.
    pub(crate) fn is_as_expected(&self) -> bool {
        self.rows.iter().all(Row::is_as_expected)
    }

    /// The last line but the tokens: whether to trust the figures.
    fn verdict(&self) -> String {
        let wrong = self.rows.iter().filter(|row| !row.is_as_expected());
        let wrong: Vec<&str> = wrong.map(|row| row.name.as_str()).collect();
        if wrong.is_empty() {
            let scratch = Units::Iec.show(self.scratch);
            format!("as expected, byte for byte · operations need up to {scratch} while they run")
        } else {
            format!("not as expected: {}", wrong.join(", "))
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = ["expected", "measured", "beside"].map(str::to_owned);
        let head = Line { level: 0, name: self.device.to_string(), figures, note: String::new() };
        let lines: Vec<_> = std::iter::once(head).chain(self.rows.iter().map(Row::line)).collect();
        writeln!(out, "{}\n\n{}", self.title, drawn(&lines))?;
        writeln!(out, "{}", self.verdict())?;
        let tokens: Vec<String> = self.tokens.iter().map(u32::to_string).collect();
        write!(out, "tokens {}", tokens.join(" "))
    }
}
