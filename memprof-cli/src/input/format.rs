//! The format of a file, recognized by its first bytes.

use super::error::Problem;
use memprof_recording::Recording;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Folded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Profile(Format),
    /// The document (`.json`) or the timeline (`.jsonl`) of a session.
    Recording,
}

/// Returns the kind of a file that begins with these bytes.
pub(super) fn kind(head: &[u8]) -> Result<Kind, Problem> {
    let text = head.trim_ascii_start();
    if Recording::is_recording(&String::from_utf8_lossy(text)) {
        return Ok(Kind::Recording);
    }
    let Some((first, rest)) = text.split_first() else { return Err(Problem::Empty) };
    // A frame may also begin with a brace or a bracket: `{closure};main 5`, `[unknown];main 5`.
    let next = rest.trim_ascii_start().first();
    let is_json = match first {
        b'{' => matches!(next, None | Some(b'"' | b'}')),
        b'[' => matches!(next, None | Some(b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9')),
        b'"' => true,
        _ => false,
    };
    // Reject binary data, such as archives and UTF-16, before the whole file is read. `/dev/zero` has
    // no end.
    if !is_json && text.contains(&0) {
        return Err(Problem::NotText);
    }
    Ok(Kind::Profile(if is_json { Format::Json } else { Format::Folded }))
}

#[cfg(test)]
mod tests {
    use super::{Format, Kind, kind};

    #[test]
    fn the_first_bytes_determine_the_kind_of_a_file() {
        let cases: [(&str, Kind); 12] = [
            ("{\"format\": \"memprof session\", ", Kind::Recording),
            ("{ \"format\" :\"memprof timeline\",", Kind::Recording),
            ("{\"format\": \"memprof profile\"", Kind::Profile(Format::Json)),
            ("{\"format\": 1}", Kind::Profile(Format::Json)),
            (" \n{ \"format\"", Kind::Profile(Format::Json)),
            ("{", Kind::Profile(Format::Json)),
            ("[{}]", Kind::Profile(Format::Json)),
            ("[1]", Kind::Profile(Format::Json)),
            ("main;load 5", Kind::Profile(Format::Folded)),
            ("{closure};load 5", Kind::Profile(Format::Folded)),
            ("[unknown];load 5", Kind::Profile(Format::Folded)),
            ("# a comment\nmain 5", Kind::Profile(Format::Folded)),
        ];
        for (head, expected) in cases {
            assert_eq!(kind(head.as_bytes()).ok(), Some(expected), "{head}");
        }
        assert!(kind(b"").is_err() && kind(b" \n").is_err() && kind(b"\x1f\x8b\x08\0").is_err());
    }
}
