//! A row of the report: the bytes of a part's elements, expected and measured.

use super::foretold::{counted, model as expected_model};
use super::table::Line;
use crate::arguments::Arguments;
use crate::expected::{Expected, Pass, kv_cache_used, part, peak};
use crate::generate::Generated;
use crate::measured;
use crate::model::{Books, KvCache, Maker};
use crate::parts::Part;
use memprof::{Device, Profile, Units};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) level: usize,
    pub(super) name: String,
    pub(super) expected: u64,
    pub(super) measured: u64,
    /// Bytes of the host's memory that were handed out besides; none where another row has them.
    pub(super) beside: Option<i64>,
    pub(super) note: String,
}

/// The whole model and its parts, widest first.
pub(super) fn model(arguments: &Arguments, maker: &Maker, profile: &Profile) -> Vec<Row> {
    let (expected, parts) = expected_model(arguments);
    let part = |(part, expected): (Part, Expected)| {
        let found = measured::part(profile, part);
        let note = if expected.bytes == 0 { expected.formula } else { String::new() };
        let row = Row::new(1, part.name(), expected.bytes, &found, arguments);
        row.besides(maker.host_bytes(part), &found).noted(note)
    };
    let parts: Vec<Row> = parts.into_iter().map(part).collect();
    // All that the profile found, in parts or not.
    let whole = Row::new(0, "model", expected, &measured::all(profile), arguments);
    let whole = Row { beside: Row::together(&parts).beside, ..whole };
    std::iter::once(whole).chain(parts).collect()
}

/// The whole cache, its layers, and what of them is used.
pub(super) fn cache(
    arguments: &Arguments,
    maker: &Maker,
    cache: &KvCache,
) -> candle_core::Result<Vec<Row>> {
    let (shape, number) = (&arguments.shape, arguments.number());
    let expected = part(Part::KvCache, shape, number).bytes;
    let found = measured::part(&Profile::named("KV cache", cache), Part::KvCache);
    let whole = Row::new(0, Part::KvCache.name(), expected, &found, arguments)
        .besides(maker.host_bytes(Part::KvCache), &found);
    // Layers that are alike are one row, and a layer that isn't shows.
    let mut layers: BTreeMap<u64, (Row, usize)> = BTreeMap::new();
    let mut used = BTreeMap::new();
    for layer in &cache.layers {
        let found = measured::all(&Profile::of(layer));
        let row = Row::new(1, "each layer", expected / shape.layers as u64, &found, arguments);
        layers.entry(row.measured).or_insert((row, 0)).1 += 1;
        for (device, bytes) in measured::all(&Profile::of(&layer.used(cache.tokens)?)) {
            *used.entry(device).or_default() += bytes;
        }
    }
    let layers = layers.into_values().map(|(row, count)| row.noted(format!("{count} layers")));
    let expected = kv_cache_used(shape, number, arguments.tokens());
    let used = Row::new(1, "used", expected, &used, arguments)
        .noted(format!("{} of {} places", cache.tokens, shape.context));
    Ok(std::iter::once(whole).chain(layers).chain([used]).collect())
}

/// The activations: the larger pass, and each.
pub(super) fn passes(arguments: &Arguments, generated: &Generated) -> Vec<Row> {
    let prompt = pass("prompt", arguments, arguments.prompt_pass(), &generated.prompt);
    let last = arguments.last_pass().zip(generated.last);
    let last = last.map(|(known, books)| pass("last token", arguments, known, &books));
    let passes: Vec<Row> = std::iter::once(prompt).chain(last).collect();
    let largest = passes.iter().max_by_key(|row| row.measured).cloned();
    let largest = largest.map(|row| Row {
        name: "activations".to_owned(),
        note: String::new(),
        level: 0,
        ..row
    });
    largest.into_iter().chain(passes).collect()
}

fn pass(name: &str, arguments: &Arguments, pass: Pass, books: &Books) -> Row {
    let peak = peak(&arguments.shape, pass);
    let found = BTreeMap::from([(arguments.place.profiled(), books.peak_bytes)]);
    Row::new(1, name, peak.bytes, &found, arguments)
        .besides(books.host_peak_bytes, &found)
        .noted(format!("{}, most at: {}", counted(pass.tokens), peak.name))
}

impl Row {
    /// What was found on the device where it is expected; what is elsewhere is said.
    fn new(
        level: usize,
        name: &str,
        expected: u64,
        found: &BTreeMap<Device, u64>,
        arguments: &Arguments,
    ) -> Self {
        let device = arguments.place.profiled();
        let measured = found.get(&device).copied().unwrap_or_default();
        let others = found.iter().filter(|(other, _)| **other != device);
        let others = others.map(|(other, bytes)| format!("{} on {other}", Units::Iec.show(*bytes)));
        let note = others.collect::<Vec<_>>().join(", ");
        Self { level, name: name.to_owned(), expected, measured, beside: None, note }
    }

    /// The sum of rows.
    pub(super) fn together<'r>(rows: impl IntoIterator<Item = &'r Self>) -> Self {
        let rows: Vec<&Self> = rows.into_iter().collect();
        Self {
            level: 0,
            name: "together".to_owned(),
            expected: rows.iter().map(|row| row.expected).sum(),
            measured: rows.iter().map(|row| row.measured).sum(),
            beside: Some(rows.iter().filter_map(|row| row.beside).sum()),
            note: String::new(),
        }
    }

    /// With what the host handed out for it less the elements that are in the host's memory.
    fn besides(self, host_bytes: i64, found: &BTreeMap<Device, u64>) -> Self {
        let elements = found.get(&Device::Cpu).copied().unwrap_or_default();
        Self { beside: Some(host_bytes - elements.cast_signed()), ..self }
    }

    fn noted(self, note: String) -> Self {
        Self { note: joined([self.note, note]), ..self }
    }

    pub(super) fn is_as_expected(&self) -> bool {
        self.expected == self.measured
    }

    pub(super) fn line(&self) -> Line<3> {
        let show = |bytes: u64| Units::Iec.show(bytes).to_string();
        let beside = self.beside.map(|bytes| {
            let sign = if bytes < 0 { "−" } else { "" };
            format!("{sign}{}", show(bytes.unsigned_abs()))
        });
        let figures = [show(self.expected), show(self.measured), beside.unwrap_or_default()];
        // Quiet where both sides agree.
        let difference = i128::from(self.measured) - i128::from(self.expected);
        let difference = if difference == 0 { String::new() } else { format!("{difference:+} B") };
        let note = joined([difference, self.note.clone()]);
        Line { level: self.level, name: self.name.clone(), figures, note }
    }
}

fn joined(notes: [String; 2]) -> String {
    notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join(", ")
}
