//! Tests of invalid input: the error is one line with the file, the expected content and the next
//! step.

use crate::memprof::{Ran, feed, file, folder, run};
use crate::recordings::importer;
use crate::samples::{json, model};
use expect_test::expect;
use std::fmt::Write;

/// Checks the properties that every error of an invalid file has.
fn assert_refused(ran: &Ran, name: &str) {
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.out, "", "nothing is printed on standard output");
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.starts_with(&format!("memprof: {name}: ")), "{}", ran.err);
    let says_what_to_do = ran.err.contains("; ") || ran.err.contains("expected");
    assert!(says_what_to_do, "{}", ran.err);
    assert!(!ran.err.trim_end().contains(|char: char| char.is_control()), "{:?}", ran.err);
    assert!(ran.err.len() < 500, "{}", ran.err);
}

/// Returns pseudorandom bytes that are the same in every run.
fn random_bytes() -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 8) as u8
    };
    std::iter::repeat_with(next).take(10_000).collect()
}

/// Returns the JSON of a profile whose branches are nested `depth` deep.
fn deep(depth: usize) -> String {
    let mut json = "{\"format\": \"memprof profile\", \"version\": 1, \"total_bytes\": 0, \
                    \"exact\": true, \"branches\": [{\"parent\":null,\"name\":\"x\",\"bytes\":0}"
        .to_owned();
    for parent in 0..depth - 1 {
        let _ = write!(json, ",{{\"parent\":{parent},\"name\":\"x\",\"bytes\":0}}");
    }
    json + "]}"
}

fn table() -> Vec<(&'static str, Vec<u8>)> {
    let json = json(&model());
    let report = importer().report();
    let nested = |open: &str| open.repeat(10_000).into_bytes();
    vec![
        ("empty", Vec::new()),
        ("blank", b" \n\t\n".to_vec()),
        ("noise", random_bytes()),
        ("image", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0".to_vec()),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\0".to_vec()),
        ("zip", b"PK\x03\x04\x14\0".to_vec()),
        ("yaml", model().to_yaml().into_bytes()),
        ("drawing", model().to_flamegraph().unwrap().into_bytes()),
        ("utf-16", b"\xff\xfea\0;\0b\0 \x001\0".to_vec()),
        ("latin-1", b"main;gr\xf6\xdfe 12\n".to_vec()),
        ("prose", b"Dear sir or madam,\n".to_vec()),
        ("html", b"<!DOCTYPE html>\n<p>404</p>\n".to_vec()),
        ("foreign json", b"{\"traceEvents\": []}".to_vec()),
        ("comparison", b"{\"format\": \"memprof diff\", \"version\": 1}".to_vec()),
        ("json list", b"[1, 2, 3]".to_vec()),
        ("json text", b"\"memprof profile\"".to_vec()),
        ("newer", json.replacen("\"version\": 1", "\"version\": 2", 1).into_bytes()),
        ("wrong sum", json.replacen("\"bytes\":48", "\"bytes\":49", 1).into_bytes()),
        ("key twice", json.replacen("\"exact\"", "\"total_bytes\": 9, \"exact\"", 1).into_bytes()),
        ("unknown kind", json.replacen("[table]", "[chair]", 1).into_bytes()),
        ("escapes in a kind", json.replacen("[table]", "\\u001b[31m\\u009b", 1).into_bytes()),
        ("not utf-8 in json", [json.as_bytes(), b"\xff"].concat()),
        ("newer recording", report.replacen("\"version\": 1", "\"version\": 2", 1).into_bytes()),
        ("half a recording", report[..report.len() / 2].into()),
        ("another recording", report.replacen("\"pid\":", "\"pid\":-", 1).into_bytes()),
        ("recording without end", b"{\"format\": \"memprof session\", \"version\": 1".to_vec()),
        ("head of a timeline", importer().timeline()[..80].into()),
        ("nested lists", nested("[")),
        ("nested objects", nested("{\"a\":")),
        ("nested branches", deep(10_000).into_bytes()),
        ("nested stacks", [&nested("a;")[..], b"a 1\n"].concat()),
        ("no number", b"main;load 12\nmain;parse\n".to_vec()),
        ("too many bytes", b"a 18446744073709551615\nb 1\n".to_vec()),
        ("escapes in a stack", b"main;\x1b[31mred\x1b]0;title\x07\n".to_vec()),
    ]
}

#[test]
fn files_without_a_profile_are_refused_in_one_line() {
    let folder = folder("bad-input");
    let mut messages = String::new();
    for (name, content) in table() {
        let path = file(&folder, name, &content);
        let ran = run(&["tree", &path]);
        assert_refused(&ran, &path);
        messages.push_str(&ran.err.replace(&path, name));
        for other in [
            &["top", &path][..],
            &["info", "--json", &path],
            &["diff", &path, &path],
            &["report", &path],
        ] {
            assert_eq!(run(other).err, ran.err, "all commands print the same error");
        }
        let fed = feed(&["tree", "-"], &content);
        assert_eq!(fed.err, ran.err.replace(&path, "standard input"));
    }
    expect![[r#"
        memprof: empty: the file is empty; expected a profile or a recording
        memprof: blank: the file is empty; expected a profile or a recording
        memprof: noise: not a text file; if it is compressed, unpack it first
        memprof: image: not a text file; if it is compressed, unpack it first
        memprof: gzip: not a text file; if it is compressed, unpack it first
        memprof: zstd: not a text file; if it is compressed, unpack it first
        memprof: zip: not a text file; if it is compressed, unpack it first
        memprof: yaml: neither a JSON profile nor folded stacks: line 1 is not a folded stack: expected an integer after the last space, found "format: \"memprof profile\""
        memprof: drawing: neither a JSON profile nor folded stacks: line 1 is not a folded stack: expected an integer after the last space, found "<?xml version=\"1.0\" …le type=\"text/css\">"
        memprof: utf-16: not a text file; if it is compressed, unpack it first
        memprof: latin-1: neither a JSON profile nor folded stacks: line 1 is not UTF-8 (byte 0xf6); convert the file to UTF-8
        memprof: prose: neither a JSON profile nor folded stacks: line 1 is not a folded stack: expected an integer after the last space, found "Dear sir or madam,"
        memprof: html: neither a JSON profile nor folded stacks: line 1 is not a folded stack: expected an integer after the last space, found "<!DOCTYPE html>"
        memprof: foreign json: not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        memprof: comparison: not a memprof profile: expected `"format": "memprof profile"` and a version, found the format "memprof diff"; write the file with `Profile::to_json`
        memprof: json list: not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        memprof: json text: not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        memprof: newer: the profile has format version 2, and this memprof reads version 1; use the memprof that wrote it, or a newer one
        memprof: wrong sum: inconsistent profile: branch 1 ("cache") expected a total of 49 bytes, found 48; the file was modified, or not written by memprof
        memprof: key twice: inconsistent profile: expected the key "total_bytes" once; the file was modified, or not written by memprof
        memprof: unknown kind: inconsistent profile: branch 5 ("names") has a leaf of unknown kind: expected one of `[inline]`, `[data]`, `[spare]`, `[table]`, `[nodes]`, `[counts]`, `[padding]`, `[skipped]`, `[opaque]`, found "[chair]"; the file was modified, or not written by memprof
        memprof: escapes in a kind: inconsistent profile: branch 5 ("names") has a leaf of unknown kind: expected one of `[inline]`, `[data]`, `[spare]`, `[table]`, `[nodes]`, `[counts]`, `[padding]`, `[skipped]`, `[opaque]`, found "\u{1b}[31m\u{9b}"; the file was modified, or not written by memprof
        memprof: not utf-8 in json: not JSON written by `Profile::to_json`; regenerate the file (trailing characters at line 11 column 1)
        memprof: newer recording: a newer memprof wrote this recording (version 2 of "memprof session", this one reads 1); update memprof to read it
        memprof: half a recording: the recording is cut off after line 8, column 1532; the timeline (.jsonl) beside it may have more
        memprof: another recording: not a memprof recording, or the file was modified; expected a file that a session wrote (invalid value: integer `-4711`, expected u32 at line 2 column 188)
        memprof: recording without end: the recording is cut off after line 1, column 42; the timeline (.jsonl) beside it may have more
        memprof: head of a timeline: the timeline ends within its first line, because the program was killed or the disk was full when the session began; record it again
        memprof: nested lists: not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        memprof: nested objects: the profile is cut off after line 1, column 50000; regenerate the file
        memprof: nested branches: branches are nested more than 1024 levels deep; mark a field near the root as `leaf`
        memprof: nested stacks: neither a JSON profile nor folded stacks: line 1 has more than 1024 frames; truncate the stacks, or collapse recursion
        memprof: no number: line 2 is not a folded stack: expected frames joined by `;`, a space and an integer, found "main;parse"
        memprof: too many bytes: line 2 is not a folded stack: expected numbers that add up to less than 2^64
        memprof: escapes in a stack: neither a JSON profile nor folded stacks: line 1 is not a folded stack: expected frames joined by `;`, a space and an integer, found "main;\u{1b}[31mred\u{1b}]0;title\u{7}"
    "#]].assert_eq(&messages);
}

#[test]
fn a_truncated_profile_is_refused() {
    let folder = folder("truncated");
    let json = json(&model());
    let length = json.trim_end().len();
    for tenth in 0..10 {
        let path = file(&folder, &format!("{tenth}.json"), &json[..length * tenth / 10]);
        let ran = run(&["tree", &path]);
        assert_refused(&ran, &path);
        let expected = if tenth == 0 { "empty" } else { "is cut off" };
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let path = file(&folder, "most.json", &json[..length - 1]);
    assert!(run(&["tree", &path]).err.contains("is cut off"));
    let path = file(&folder, "whole.json", &json[..length]);
    run(&["tree", &path]).well();
}

#[test]
fn paths_without_a_file_are_refused_in_one_line() {
    let folder = folder("no-file");
    let missing = folder.join("missing.json");
    let directory = folder.to_str().unwrap();
    let strange = folder.join("\u{1b}[31m\nname");
    let cases = [
        (missing.to_str().unwrap(), "no such file"),
        (directory, "no recording ("),
        (strange.to_str().unwrap(), "no such file"),
        ("", "no such file"),
    ];
    for (path, expected) in cases {
        let ran = run(&["tree", path]);
        let shown = match path {
            "" => "\"\"".into(),
            path => path.replace('\u{1b}', "\\u{1b}").replace('\n', "\\n"),
        };
        assert_refused(&ran, &shown);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let twice = run(&["diff", "-", "-"]);
    assert_refused(&twice, "standard input");
}

#[test]
fn the_largest_numbers_of_lines_and_columns_are_accepted() {
    let folder = folder("largest-numbers");
    let model = file(&folder, "model.json", json(&model()));
    let session = file(&folder, "run.json", importer().report());
    let most = usize::MAX.to_string();
    let commands: [&[&str]; 9] = [
        &["tree", "--widest", &most, "--depth", &most, "--width", &most, &model],
        &["top", "-n", &most, "--width", &most, &model],
        &["diff", "-n", &most, "--width", &most, &model, &model],
        &["report", "--width", &most, &model],
        &["info", "--width", &most, &session],
        &["leaks", "--width", &most, &session],
        &["ops", "-n", &most, "--width", &most, &session],
        &["tree", "--widest", "0", "--depth", "0", "--width", "0", &model],
        &["info", "--width", "0", &session],
    ];
    for command in commands {
        assert_ne!(run(command).well(), "", "{command:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_not_utf_8_has_snapshots_too() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("not-utf-8");
    let path = folder.join(OsStr::from_bytes(b"run\xff.json"));
    std::fs::write(&path, importer().report()).unwrap();
    let at =
        |word: &[u8]| OsStr::from_bytes(&[path.as_os_str().as_bytes(), word].concat()).to_owned();
    let tree = |argument| {
        let output = crate::memprof::command(&["tree"]).arg(argument).output().unwrap();
        Ran::from(output)
    };
    assert_eq!(tree(at(b"@after_load")).code, Some(0));
    for (word, shown) in [(&b"@none"[..], "run\u{fffd}.json@none: "), (b"@\xff", "@\u{fffd}: ")] {
        let ran = tree(at(word));
        assert!(ran.code == Some(2) && ran.err.contains(shown), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_refused_after_its_beginning() {
    let ran = run(&["tree", "/dev/zero"]);
    assert_refused(&ran, "/dev/zero");
}

#[test]
fn a_profile_in_another_layout_is_the_same_profile() {
    let folder = folder("layouts");
    let json = json(&model());
    let expected = run(&["info", &file(&folder, "model.json", &json)]).well();
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    let layouts = [
        value.to_string(),
        pretty.replace('\n', "\r\n"),
        json.replace('\n', "\r\n"),
        format!("\u{feff}{json}"),
        format!("\n \n{json}\n\n"),
        json.replacen("\"branches\"", "\"written_by\": {\"tool\": [1]}, \"branches\"", 1),
        pretty,
    ];
    for (index, layout) in layouts.iter().enumerate() {
        let path = file(&folder, &format!("{index}.json"), layout);
        assert_eq!(run(&["info", &path]).well(), expected, "{layout}");
    }
}
