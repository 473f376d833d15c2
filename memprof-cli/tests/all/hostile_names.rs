//! Tests that every output escapes names that could break terminals, markup and pages.

use crate::memprof::{file, folder, run};
use crate::recordings::{Recorded, importer};
use crate::samples::{everything, json, named};
use serde_json::Value;

const NAMES: [&str; 8] = [
    "\u{1b}[31mred\u{1b}[0m\u{7}",
    "\u{1b}]0;title\u{7}\u{9b}2J\u{7f}",
    "two\nlines\r\ttab\0",
    "\u{202e}backwards\u{2066}\u{2028}",
    "<script>alert(1)</script>&amp;\"'",
    "`code` | cell | @user #1 [link](http://x) <img src=x>",
    "]]> --> <!-- \u{ffff}",
    "\u{e0041}tag\u{feff}",
];

/// Checks that an output has no unsafe characters.
fn assert_harmless(text: &str, of: &[&str]) {
    let hostile = |char: char| {
        (char.is_control() && char != '\n')
            || ('\u{2028}'..='\u{202e}').contains(&char)
            || ('\u{2066}'..='\u{2069}').contains(&char)
            || ('\u{e0000}'..='\u{e007f}').contains(&char)
            || matches!(char, '\u{feff}' | '\u{ffff}')
    };
    assert!(!text.contains(hostile), "{of:?}: {text:?}");
}

#[test]
fn no_output_has_control_characters() {
    let folder = folder("hostile-names");
    for (index, name) in NAMES.iter().enumerate() {
        let path = file(&folder, &format!("{index}.json"), json(&named(name)));
        let other = file(&folder, &format!("{index}.folded"), "other 1\n");
        let commands: [&[&str]; 20] = [
            &["tree", &path],
            &["tree", "--detailed", &path],
            &["tree", "--json", &path],
            &["top", &path],
            &["top", "--json", &path],
            &["info", &path],
            &["info", "--json", &path],
            &["report", "--detailed", &path],
            &["report", "--detailed", "--json", &path],
            &["report", "--detailed", "--markdown", &path],
            &["diff", &other, &path],
            &["diff", "--json", &path, &other],
            &["diff", "--markdown", &other, &path],
            &["export", "--to", "folded", &path],
            &["export", "--to", "folded-detailed", &path],
            &["export", "--to", "json", &path],
            &["export", "--to", "yaml", &path],
            &["flamegraph", &path],
            &["flamegraph", "--before", &other, &path],
            &["flamegraph", "--before", &path, &other],
        ];
        for command in commands {
            let text = run(command).well();
            // The script in the flame graph is indented with tabs.
            let text = if command[0] == "flamegraph" { text.replace('\t', "") } else { text };
            assert_harmless(&text, command);
        }
    }
}

#[test]
fn no_page_has_control_characters() {
    let folder = folder("hostile-pages");
    for (index, name) in NAMES.iter().enumerate() {
        let path = file(&folder, &format!("{index}.json"), recording(name).report());
        let ran = run(&["html", &path, "-o", "-"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_harmless(&ran.out, &["html"]);
        assert_harmless(&ran.err, &["html"]);
        assert_eq!(ran.out.matches("<script").count(), 4, "{name:?}");
    }
}

#[test]
fn names_of_tensors_are_escaped() {
    let hostile = json(&everything()).replace("\"f32\"", "\"\\u001b]0;title\\u0007\"");
    let path = file(&folder("hostile-tensors"), "net.json", hostile);
    for command in [&["info", &path][..], &["info", "--json", &path], &["tree", "--json", &path]] {
        let text = run(command).well();
        assert!(text.contains("title"), "{text}");
        assert_harmless(&text, command);
    }
}

/// Returns a recording in which every text is `name`.
fn recording(name: &str) -> Recorded {
    let mut recorded = importer();
    rename(&mut recorded.metadata, name);
    rename(&mut recorded.paths, name);
    rename(&mut recorded.summary, name);
    recorded.snapshots.iter_mut().for_each(|snapshot| rename(snapshot, name));
    recorded
}

/// The keys whose values are texts of the recorded program, and not words of the format.
const TEXTS: [&str; 17] = [
    "program",
    "memprof",
    "platform",
    "ended",
    "signal",
    "name",
    "names",
    "error",
    "path",
    "dtype",
    "device",
    "operation",
    "function",
    "file",
    "roots",
    "warnings",
    "generated_at",
];

fn rename(value: &mut Value, name: &str) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                match value {
                    Value::String(text) if TEXTS.contains(&key.as_str()) => name.clone_into(text),
                    Value::Array(all) if TEXTS.contains(&key.as_str()) => {
                        for value in all {
                            match value {
                                Value::String(text) => name.clone_into(text),
                                value => rename(value, name),
                            }
                        }
                    }
                    _ if key == "profile" => {
                        *value = serde_json::from_str(&json(&named(name))).unwrap();
                    }
                    value => rename(value, name),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| rename(value, name)),
        _ => {}
    }
}

#[test]
fn names_of_a_session_are_escaped() {
    let folder = folder("hostile-sessions");
    for (index, name) in NAMES.iter().enumerate() {
        let recorded = recording(name);
        let report = file(&folder, &format!("{index}.json"), recorded.report());
        let timeline = recorded.timeline();
        let killed = &timeline.as_bytes()[..timeline.len() - 5];
        let killed = file(&folder, &format!("{index}.jsonl"), killed);
        for path in [&report, &killed] {
            let commands: [&[&str]; 14] = [
                &["info", path],
                &["info", "--width", "80", path],
                &["info", "--json", path],
                &["info", &format!("{path}@{name}")],
                &["ops", path],
                &["ops", "--json", path],
                &["leaks", path],
                &["leaks", "--json", path],
                &["export", "--to", "folded-sites", path],
                &["export", "--to", "folded-operations", path],
                &["tree", path],
                &["tree", "--root", name, path],
                &["tree", "--root", "none of these", path],
                &["tree", &format!("{path}@none of these")],
            ];
            for command in commands {
                // The operating system does not accept such an argument.
                if command.iter().any(|argument| argument.contains('\0')) {
                    continue;
                }
                let ran = run(command);
                assert_eq!(ran.err.contains("none of these"), ran.code == Some(2), "{ran:?}");
                assert_harmless(&(ran.out + &ran.err), command);
            }
        }
    }
}

#[test]
fn names_are_escaped_in_drawings_and_markdown() {
    let folder = folder("markup-in-names");
    let path = file(&folder, "html.json", json(&named(NAMES[4])));
    let svg = run(&["flamegraph", &path]).well();
    assert!(!svg.contains("<script>alert"), "{svg}");
    assert!(svg.contains("&lt;script&gt;alert(1)"), "{svg}");
    let path = file(&folder, "markdown.json", json(&named(NAMES[5])));
    let other = file(&folder, "other.folded", "other 1\n");
    let table = run(&["diff", "--markdown", &other, &path]).well();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with('|')).collect();
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    assert!(rows.iter().all(|row| cells(row) == cells(rows[0])), "{table}");
    let report = run(&["report", "--markdown", "--detailed", &path]).well();
    assert!(!report.contains("<img") && !report.contains("@user"), "{report}");
}

#[test]
fn long_names_are_cut_in_text_output() {
    let long = "x".repeat(1_000_000);
    let path = file(&folder("long-names"), "long.json", json(&named(&long)));
    let commands: [&[&str]; 5] = [
        &["tree", &path],
        &["top", "--width", "80", &path],
        &["diff", &path, &path],
        &["info", &path],
        &["report", "--detailed", &path],
    ];
    for command in commands {
        let text = run(command).well();
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{command:?}");
    }
    let whole = run(&["top", &path]).well();
    assert!(whole.contains(&long), "a pipe gets all of a path");
}

#[test]
fn names_survive_json() {
    for name in NAMES {
        let path = file(&folder("same-names"), "profile.json", json(&named(name)));
        let exported = run(&["export", "--to", "json", &path]).well();
        let read = memprof_profile::Profile::from_json(&exported).unwrap();
        assert_eq!(read.root().name(), name);
    }
}
