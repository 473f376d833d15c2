//! Formats amounts, places and operations; escapes names, so that none moves a terminal's cursor.

use crate::document::{Estimate, Place, RootReading, with_side};
use core::fmt::Display;
use memprof_profile::text::{CodeOrigin, CodePlace, Shown, counted, short_function, signed};
use memprof_profile::views::{Grouped, Units};

pub(super) fn rounded(bytes: f64, units: Units) -> String {
    signed(bytes.round() as i128, units)
}

/// Formats `1,204 blocks ± 30`, or `at most 42 blocks` if the interval reaches below 0.
pub(super) fn estimated(count: &Estimate, thing: &str) -> String {
    with_side(count, |count| counted(count, thing), |side| Grouped(side).to_string())
}

/// Formats `parse_line (src/parse.rs:41)`, with the file relative to `folder`. The function is cut
/// at its start if there is no room for it; the file and the line are never cut.
pub(super) fn place_within(width: usize, of: &Place, folder: Option<&str>) -> String {
    code(of).within(width, folder).unwrap_or_else(|| without_name(of))
}

fn code(place: &Place) -> CodePlace<'_> {
    CodePlace::new(place.function.as_deref(), place.file.as_deref(), place.line)
}

fn without_name(place: &Place) -> String {
    place.shown_as(str::to_owned, str::to_owned)
}

impl Place {
    /// Returns the origin of the place's code. `program` is the file name of the program: code
    /// without a file is the user's if it is in the crate with that name.
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

impl RootReading {
    /// Formats the bytes of the root: `≥ 152 B` if values were not visited. Returns `None` if no
    /// value was visited.
    pub fn shown_bytes(&self, units: Units) -> Option<String> {
        let range = self.range()?;
        Some(match range.high {
            None => format!("≥ {}", units.show(range.low)),
            Some(_) => units.show(self.total_bytes?).to_string(),
        })
    }
}

pub(super) fn operation(names: &[String]) -> String {
    if names.is_empty() {
        return "outside of operations".into();
    }
    joined(names.iter().map(|name| Shown(name)), ";")
}

/// Formats `serve;handle, and 2 other operations`; `None` outside of all operations.
pub(super) fn first_operation(all: &[impl AsRef<[String]>]) -> Option<String> {
    let first = operation(all.iter().map(AsRef::as_ref).find(|names| !names.is_empty())?);
    Some(match all.len() {
        1 => first,
        2 => format!("{first}, and 1 other operation"),
        more => format!("{first}, and {} other operations", Grouped(more as u64 - 1)),
    })
}

pub(super) fn joined(parts: impl IntoIterator<Item: Display>, between: &str) -> String {
    let parts: Vec<String> = parts.into_iter().map(|part| part.to_string()).collect();
    parts.join(between)
}
