//! What is expected, with the formulas: all that a dry run prints.

use super::table::{Line, drawn};
use crate::arguments::Arguments;
use crate::expected::{Expected, kv_cache_used, part, peak};
use crate::parts::Part;
use memprof::Units;

/// What the model, the cache and the largest pass take together.
pub(crate) fn expected_bytes(arguments: &Arguments) -> u64 {
    let number = arguments.number();
    let kept = Part::MODEL.iter().chain([&Part::KvCache]);
    let kept: u64 = kept.map(|kept| part(*kept, &arguments.shape, number).bytes).sum();
    let passes = [Some(arguments.prompt_pass()), arguments.last_pass()];
    let passes = passes.into_iter().flatten().map(|pass| peak(&arguments.shape, pass).bytes);
    kept + passes.max().unwrap_or_default()
}

/// The first line of any report: which transformer it is.
pub(super) fn title(arguments: &Arguments) -> String {
    let shape = &arguments.shape;
    let weights = |part: &&Part| **part != Part::Rotary;
    let weights: u64 =
        Part::MODEL.iter().filter(weights).map(|known| part(*known, shape, 1).bytes).sum();
    format!(
        "{} · {} weights of {} · {} layers · {} heads on {} · {}",
        shape.name,
        grouped(weights),
        arguments.dtype.as_str(),
        shape.layers,
        shape.heads,
        shape.kv_heads,
        arguments.place
    )
}

/// The parts of the model, widest first, and what they take together.
pub(super) fn model(arguments: &Arguments) -> (u64, Vec<(Part, Expected)>) {
    let expected = |known| (known, part(known, &arguments.shape, arguments.number()));
    let mut parts: Vec<_> = Part::MODEL.into_iter().map(expected).collect();
    parts.sort_by_key(|(_, expected)| std::cmp::Reverse(expected.bytes));
    (parts.iter().map(|(_, expected)| expected.bytes).sum(), parts)
}

/// The table of a dry run.
pub(crate) fn foretold(arguments: &Arguments) -> String {
    let line = |level, name: String, bytes: Option<u64>, note: String| {
        let figure = bytes.map(|bytes| Units::Iec.show(bytes).to_string());
        Line { level, name, figures: [figure.unwrap_or_default()], note }
    };
    let (shape, number) = (&arguments.shape, arguments.number());
    let (bytes, parts) = model(arguments);
    let head =
        Line { figures: ["expected".to_owned()], ..line(0, String::new(), None, String::new()) };
    let mut lines = vec![head, line(0, "model".to_owned(), Some(bytes), String::new())];
    for (part, Expected { bytes, formula }) in parts {
        lines.push(line(1, part.name().to_owned(), Some(bytes), formula));
    }
    let cache = part(Part::KvCache, shape, number);
    let used = kv_cache_used(shape, number, arguments.tokens());
    lines.push(line(0, Part::KvCache.name().to_owned(), Some(cache.bytes), cache.formula));
    let of = format!("{} of {} places", arguments.tokens(), shape.context);
    lines.push(line(1, "used".to_owned(), Some(used), of));
    let passes = [("prompt", Some(arguments.prompt_pass())), ("last token", arguments.last_pass())];
    let passes = passes.into_iter().filter_map(|(name, pass)| Some((name, pass?)));
    let passes: Vec<_> = passes.map(|(name, pass)| (name, pass, peak(shape, pass))).collect();
    let most = passes.iter().map(|(_, _, peak)| peak.bytes).max();
    lines.push(line(0, "activations".to_owned(), most, String::new()));
    for (name, pass, peak) in passes {
        let note = format!("{}, most at: {}", counted(pass.tokens), peak.name);
        lines.push(line(1, name.to_owned(), Some(peak.bytes), note));
    }
    lines.push(line(0, "together".to_owned(), Some(expected_bytes(arguments)), String::new()));
    format!("{}\n\n{}", title(arguments), drawn(&lines))
}

pub(super) fn counted(tokens: usize) -> String {
    if tokens == 1 { "1 token".to_owned() } else { format!("{tokens} tokens") }
}

/// Digits in groups of three, as the other reports have them.
pub(super) fn grouped(number: u64) -> String {
    Units::Bytes.show(number).to_string().trim_end_matches(" B").to_owned()
}
