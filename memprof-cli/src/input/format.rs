//! The format of a file, recognized by its first bytes.

use super::error::Problem;
use memprof_recording::Recording;

/// The format of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Folded,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Profile(Format),
    /// The document (`.json`) or the timeline (`.jsonl`) of a session.
    Recording,
}

/// The first bytes of other files that users may pass, with the kind of file and the next step.
const UNSUPPORTED: [(&[u8], &str, &str); 13] = [
    (b"\x1f\x8b", "compressed with gzip", "unpack it with `gunzip`"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it with `unzstd`"),
    (b"\xfd7zXZ\0", "compressed with xz", "unpack it with `unxz`"),
    (b"BZh91AY&SY", "compressed with bzip2", "unpack it with `bunzip2`"),
    (b"PK\x03\x04", "a zip archive", "unpack it with `unzip`"),
    (b"\xff\xfe", UTF_16, SAVE_AS_UTF_8),
    (b"\xfe\xff", UTF_16, SAVE_AS_UTF_8),
    (b"format: \"memprof ", "YAML", "name the JSON file that it was made from"),
    (b"{\"format\":\"memprof gpu trace\"", "a trace of GPUs", "play it with `memprof gpu --trace`"),
    // The list contains only whole tags, because frames of Rust functions may begin with `<` too.
    (b"<?xml", MARKUP, DRAWN_FROM),
    (b"<svg", MARKUP, DRAWN_FROM),
    (b"<!DOCTYPE", MARKUP, DRAWN_FROM),
    (b"<html", MARKUP, DRAWN_FROM),
];

/// Some Windows shells write UTF-16 when output is redirected to a file.
const UTF_16: &str = "text in UTF-16";
const SAVE_AS_UTF_8: &str = "save it as UTF-8, or write it with `--output`";
const MARKUP: &str = "a page or a drawing";
const DRAWN_FROM: &str = "name the profile that it was made from";

/// Returns the kind of a file that begins with these bytes.
pub(super) fn kind(head: &[u8]) -> Result<Kind, Problem> {
    let text = head.trim_ascii_start();
    if let Some(&(_, problem, action)) = UNSUPPORTED.iter().find(|other| text.starts_with(other.0))
    {
        return Err(Problem::Other { problem, action });
    }
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
    // Reject binary data now, before the whole file is read. `/dev/zero` has no end.
    if !is_json && text.contains(&0) {
        let action = "name a file that memprof or a tool that folds stacks wrote";
        return Err(Problem::Other { problem: "not text", action });
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
        assert!(kind(b"").is_err() && kind(b" \n").is_err() && kind(b"\x1f\x8b\x08").is_err());
    }
}
