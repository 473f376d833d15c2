//! A profile with names that a YAML parser could read as another type than text.

use std::fmt::Write;

/// The names, as JSON strings without quotes.
const NAMES: [&str; 36] = [
    "",
    " ",
    " a ",
    "~",
    "null",
    "yes",
    "No",
    "on",
    "true",
    "0x10",
    "012",
    "1e3",
    "1_000",
    ".inf",
    ".nan",
    "12:30:45",
    "2026-11-21",
    "<<",
    "=",
    "- a",
    "? a",
    "a: b",
    "a #b",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "{a}",
    "[a, b]",
    "'",
    "\\\"",
    "\\\\",
    "\\u0000\\u001b[31m\\u007f\\u0085\\u009b",
    "\\u2028\\ufeff\\uffff\\u202e",
    "\\ud83d\\ude80 \\u540d\\u524d \\udb40\\udc41",
];

/// Returns the profile as JSON; every name has one byte.
pub(crate) fn profile() -> String {
    let total = NAMES.len();
    let mut names: Vec<(String, &str)> = NAMES.map(|name| (read(name), name)).into();
    names.sort();
    let mut json = format!(
        "{{\"format\": \"memprof profile\", \"version\": 1, \"total_bytes\": {total}, \
         \"exact\": false,\n\"origin\": \"folded\",\n\"branches\": [\n\
         {{\"parent\":null,\"name\":\"names\",\"bytes\":{total}}}"
    );
    for (_, name) in names {
        let _ = write!(
            json,
            ",\n{{\"parent\":0,\"name\":\"{name}\",\"bytes\":1,\
             \"leaves\":[{{\"kind\":\"[data]\",\"bytes\":1}}]}}"
        );
    }
    json + "\n]}\n"
}

/// Decodes a JSON string, because profiles are sorted by the decoded names.
fn read(json: &str) -> String {
    let mut units = Vec::new();
    let mut rest = json.chars();
    while let Some(char) = rest.next() {
        match (char, rest.clone().next()) {
            ('\\', Some('u')) => {
                let digits: String = rest.by_ref().skip(1).take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).expect("it is hexadecimal"));
            }
            ('\\', _) => units.extend(rest.next().map(|char| char as u16)),
            _ => units.extend(char.encode_utf16(&mut [0; 2]).iter().copied()),
        }
    }
    String::from_utf16(&units).expect("it is text")
}
