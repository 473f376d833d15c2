//! JSON that cannot end the script element that contains it.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};

/// Writes JSON into a script element, which would end at the first `</script` in any string.
pub(super) fn write_json(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut json = serde_json::Serializer::with_formatter(out, InScript);
    Ok(value.serialize(&mut json)?)
}

struct InScript;

impl Formatter for InScript {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        // In old versions of JavaScript, the last two characters end a line.
        while let Some(at) = rest.find(['<', '>', '&', '\u{2028}', '\u{2029}']) {
            CompactFormatter.write_string_fragment(out, &rest[..at])?;
            let Some(char) = rest[at..].chars().next() else { break };
            write!(out, "\\u{:04x}", u32::from(char))?;
            rest = &rest[at + char.len_utf8()..];
        }
        CompactFormatter.write_string_fragment(out, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::write_json;
    use crate::escape::Escaped;

    #[test]
    fn text_contains_no_markup() {
        let cases = [
            ("plain", "plain", "\"plain\""),
            ("</script>", "&lt;/script&gt;", r#""\u003c/script\u003e""#),
            ("<!--", "&lt;!--", r#""\u003c!--""#),
            ("a\u{2028}b\u{2029}", "a\u{2028}b\u{2029}", r#""a\u2028b\u2029""#),
            ("\"it's\" & so\\", "&quot;it&#39;s&quot; &amp; so\\", r#""\"it's\" \u0026 so\\""#),
            ("größe 名", "größe 名", "\"größe 名\""),
        ];
        for (text, html, json) in cases {
            let mut as_json = Vec::new();
            write_json(&text, &mut as_json).unwrap();
            assert_eq!(Escaped(text).to_string(), html, "{text:?}");
            assert_eq!(String::from_utf8(as_json).unwrap(), json, "{text:?}");
            assert_eq!(serde_json::from_str::<String>(json).unwrap(), text);
        }
    }
}
