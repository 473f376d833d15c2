//! Formats amounts, places and operations; escapes names, so that none moves a terminal's cursor.

use crate::document::{Estimate, Place};
use core::fmt::Display;
use memprof_profile::text::{CodeOrigin, Shown, counted, short_file, short_function, signed};
use memprof_profile::views::{Grouped, Units};

/// Formats an average as whole bytes.
pub(super) fn rounded(bytes: f64, units: Units) -> String {
    signed(bytes.round() as i128, units)
}

/// Formats a share with one digit after the point: `85.4 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Formats an estimated count: `1 204 blocks ± 30`.
#[expect(clippy::cast_sign_loss, reason = "counts are not negative")]
pub(super) fn estimated(count: &Estimate, thing: &str) -> String {
    let side = (1.96 * count.standard_error).round() as u64;
    let count = counted(count.value.max(0.0).round() as u64, thing);
    if side == 0 { count } else { format!("{count} ± {}", Grouped(side)) }
}

/// Formats a place: `parse_line (src/parse.rs:41)`, with a short function and a short file. Files
/// are relative to `folder`.
pub(super) fn place(place: &Place, folder: Option<&str>) -> String {
    let safe = |name: &str| Shown(name).to_string();
    place.shown_as(|name| safe(&short_function(name)), |file| safe(&short_file(file, folder)))
}

/// Formats a place in this number of columns. The function is cut at its start if there is no room
/// for it; the file and the line are never cut.
pub(super) fn place_within(width: usize, of: &Place, folder: Option<&str>) -> String {
    let whole = place(of, folder);
    let excess = whole.chars().count().saturating_sub(width);
    let (Some(function), true) = (of.function.as_deref(), of.file.is_some()) else { return whole };
    if excess == 0 {
        return whole;
    }
    let function = Shown(&short_function(function)).to_string();
    let rest = whole.strip_prefix(&function).unwrap_or_default();
    let most = function.chars().count().saturating_sub(excess);
    let shorter = [without_trait(&function), last_names(&function)].into_iter().flatten();
    if let Some(fits) = shorter.into_iter().find(|name| name.chars().count() <= most) {
        return fits + rest;
    }
    let kept = most.saturating_sub(1);
    if kept < LEAST_NAME {
        return rest.trim_start_matches([' ', '(']).trim_end_matches(')').to_owned();
    }
    let name = last_names(&function).unwrap_or(function);
    let cut = name.chars().count().saturating_sub(kept);
    format!("…{}{rest}", name.chars().skip(cut).collect::<String>())
}

/// Returns `a::Type::method` for `<a::Type as b::Trait>::method`.
fn without_trait(function: &str) -> Option<String> {
    let (of, rest) = function.strip_prefix('<')?.split_once(" as ")?;
    let (_, method) = rest.rsplit_once(">::")?;
    Some(format!("{of}::{method}"))
}

/// Returns the last two names of a path: `Type::method`. A closure counts with its function.
fn last_names(function: &str) -> Option<String> {
    let path = without_trait(function).unwrap_or_else(|| function.to_owned());
    let path = path.replace("<…>", "");
    let closures = path.matches("::{").count();
    let (at, _) = path.rmatch_indices("::").nth(1 + closures)?;
    let names = &path[at + 2..];
    // The end of a type's arguments is no name.
    (!names.contains([' ', '<', '>'])).then(|| names.to_owned())
}

/// The number of characters below which the end of a function's name says nothing.
const LEAST_NAME: usize = 6;

impl Place {
    /// Returns the origin of the place's code. `program` is the file name of the program: code
    /// without a file is the user's if it is in the crate of that name.
    pub fn origin(&self, program: Option<&str>) -> CodeOrigin {
        CodeOrigin::of(self.function.as_deref(), self.file.as_deref(), program)
    }

    /// Returns the function without type arguments: `new` for `new::<u8>`.
    pub fn short_function(&self) -> Option<String> {
        self.function.as_deref().map(short_function)
    }

    /// Formats the place, with its function and its file as the two given functions return them.
    ///
    /// The given functions escape names for their output format.
    pub fn shown_as(
        &self,
        function: impl FnOnce(&str) -> String,
        file: impl FnOnce(&str) -> String,
    ) -> String {
        let file = self.file.as_deref().map(|name| {
            let line = self.line.map_or_else(String::new, |line| format!(":{line}"));
            file(name) + &line
        });
        match (self.function.as_deref().map(function), file) {
            (Some(function), Some(file)) => format!("{function} ({file})"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) if self.address.is_some() => "unnamed".into(),
            (None, None) => "unknown: no debug information".into(),
        }
    }
}

/// Formats a path of operations: `serve;handle`.
pub(super) fn operation(names: &[String]) -> String {
    if names.is_empty() {
        return "outside of operations".into();
    }
    joined(names.iter().map(|name| Shown(name)), ";")
}

/// Joins the parts with a separator.
pub(super) fn joined(parts: impl IntoIterator<Item: Display>, between: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.join(between)
}

#[cfg(test)]
mod tests {
    use super::place_within;
    use crate::document::Place;

    #[test]
    fn functions_become_shorter_and_files_and_lines_stay() {
        let of = |function: &str| Place {
            function: Some(function.to_owned()),
            file: Some("src/tree/node.rs".to_owned()),
            line: Some(144),
            ..Place::default()
        };
        let implemented = "<app::tree::Node<u8> as core::default::Default>::default";
        for (function, width, expected) in [
            (
                implemented,
                99,
                "<app::tree::Node<…> as core::default::Default>::default (src/tree/node.rs:144)",
            ),
            (implemented, 60, "app::tree::Node<…>::default (src/tree/node.rs:144)"),
            (implemented, 40, "Node::default (src/tree/node.rs:144)"),
            ("app::tree::Tree::push::<u8>", 99, "app::tree::Tree::push (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 40, "Tree::push (src/tree/node.rs:144)"),
            ("app::tree::push::{{closure}}", 50, "tree::push::{{closure}} (src/tree/node.rs:144)"),
            ("a_function_with_a_long_name", 40, "…with_a_long_name (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 10, "src/tree/node.rs:144"),
        ] {
            assert_eq!(place_within(width, &of(function), None), expected, "{width}");
        }
    }
}
