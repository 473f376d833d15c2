//! JSON that is safe to show on a terminal.

use crate::text::is_hostile;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a value as compact JSON. In strings, escapes all characters that move the cursor, or that
/// hide or reorder text. JSON itself requires escapes only for quotes, backslashes and the first 32
/// control characters.
pub(crate) fn write(value: &impl Serialize, out: &mut impl Write) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Safe))
}

struct Safe;

impl serde_json::ser::Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return out.write_all(text.as_bytes());
        }
        for part in text.split_inclusive(is_hostile) {
            let hostile = part.chars().next_back().filter(|&char| is_hostile(char));
            let Some(hostile) = hostile else {
                out.write_all(part.as_bytes())?;
                continue;
            };
            out.write_all(&part.as_bytes()[..part.len() - hostile.len_utf8()])?;
            for unit in hostile.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}
