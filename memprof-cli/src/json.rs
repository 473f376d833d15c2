//! JSON for programs that is also safe to print on a terminal.

use crate::escape::is_printable;
use serde::Serialize;
use std::fmt::Write;

/// Formats a value as JSON on several lines. Characters that are unsafe on a terminal are escaped.
pub(crate) fn text(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(value)?;
    Ok(escaped(&json))
}

/// Formats a value as JSON on one line, as [`text`] does.
pub(crate) fn line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// Escapes JSON. Outside of strings, JSON has only printable ASCII and line breaks.
pub(crate) fn escaped(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for char in json.chars() {
        if char == '\n' || is_printable(char) {
            safe.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn escaped_strings_decode_to_the_same_text() {
        for name in ["plain", "\u{1b}[31m\n", "\u{9b}31m\u{7f}", "\u{202e}\u{e0041}", "名前 é 🚀"]
        {
            let json = text(&name).unwrap();
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), name);
            assert!(!json.contains(|char: char| char.is_control() || char == '\u{202e}'), "{json}");
        }
    }
}
