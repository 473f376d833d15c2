//! Names that try to act as markup, scripts, or other text.

use super::page;
use crate::fixture::{Fixture, Holds, root};
use serde_json::{Value, json};

const NAMES: [&str; 8] = [
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]>--><img src=x onerror=alert(1)>",
    "a\u{2028}b\u{2029}c",
    "\"'`&amp;\\",
    "\u{202e}backwards\u{2066}\u{feff}",
    "\u{1b}[31mred\u{7}\0\r\n\t",
    "{{head}}{{columns}}{{script}}",
];

/// Replaces each text of a document with this name, except for the words of the format.
fn rename(value: &mut Value, name: &str) {
    const STATES: [&str; 8] =
        ["trigger", "state", "level", "device", "ended", "dtype", "format", "kind"];
    match value {
        Value::String(text) => name.clone_into(text),
        Value::Array(all) => all.iter_mut().for_each(|one| rename(one, name)),
        Value::Object(all) => {
            for (key, one) in all.iter_mut() {
                if !STATES.contains(&&**key) && key != "profile" {
                    rename(one, name);
                }
            }
        }
        _ => {}
    }
}

/// Returns a recording in which everything has this name.
fn hostile(name: &str) -> Fixture {
    let mut fixture = Fixture::importer();
    fixture.summary = summary();
    let all = fixture.snapshots.iter_mut().chain(&mut fixture.paths);
    for value in all.chain([&mut fixture.metadata, &mut fixture.summary]) {
        rename(value, name);
    }
    for snapshot in &mut fixture.snapshots {
        snapshot["roots"] = json!([root(name, &Holds(&[(name, 100)], 0))]);
        snapshot["devices"][1]["device"] = name.into();
    }
    fixture
}

fn summary() -> Value {
    let estimate = json!({"value": 1000.0, "standard_error": 10.0, "samples": 5});
    let place = json!({"function": "f", "file": "src/a.rs", "line": 1});
    let site = json!({
        "place": place, "live": estimate, "live_blocks": estimate, "allocated": estimate, "stack": [place],
    });
    json!({
        "sites": [site], "unexplained_sites": [site],
        "largest_blocks": [{"bytes": 10, "age_ns": 5, "operation": ["load"], "place": place}],
        "leaks": [{
            "place": place, "operation": ["load"], "bytes_per_second": 5.0, "bytes_per_call": 1.0,
            "bytes_per_second_interval": [900.0, 1100.0], "live": estimate, "live_blocks": estimate, "stack": [place],
        }],
        "unexplained_operations": [
            {"operation": ["load"], "live": estimate, "live_blocks": estimate},
        ],
        "claimed_twice": [{"roots": ["a", "b"], "live": estimate}],
        "warnings": ["something went wrong"],
    })
}

/// Fails if a text contains characters that no text of a page may contain.
fn assert_harmless(text: &str) {
    let hostile = |char: char| {
        (char.is_control() && char != '\n')
            || ('\u{2028}'..='\u{202e}').contains(&char)
            || ('\u{2066}'..='\u{2069}').contains(&char)
            || char == '\u{feff}'
    };
    assert!(!text.contains(hostile), "{text:?}");
}

#[test]
fn names_contain_neither_markup_nor_control_characters() {
    let elements = |html: &str| {
        let count = |tag: &str| html.matches(tag).count();
        (
            count("<script"),
            count("</script"),
            count("<img"),
            count("<!--"),
            html.matches('<').count(),
        )
    };
    let harmless = elements(&page(&hostile("harmless")).html);
    for name in NAMES {
        let page = page(&hostile(name));
        assert_eq!(elements(&page.html), harmless, "{name:?}");
        assert_harmless(&page.html);
        page.json.iter().for_each(|json| texts(json, &mut assert_harmless));
        let shown = Some(&page.head.program);
        assert_eq!(page.document.snapshots[2].name.as_ref(), shown, "{name:?}");
    }
}

fn texts(value: &Value, check: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => check(text),
        Value::Array(all) => all.iter().for_each(|one| texts(one, check)),
        Value::Object(all) => all.values().for_each(|one| texts(one, check)),
        _ => {}
    }
}

#[test]
fn a_name_of_a_million_letters_is_cut() {
    let mut fixture = hostile("short");
    let long = "long ".repeat(200_000);
    fixture.snapshots.truncate(1);
    for name in [
        &mut fixture.metadata["program"],
        &mut fixture.snapshots[0]["name"],
        &mut fixture.paths[0]["names"][0],
        &mut fixture.summary["sites"][0]["place"]["function"],
    ] {
        *name = long.as_str().into();
    }
    fixture.snapshots[0]["roots"] = json!([root(&long, &Holds(&[(&long, 100)], 0))]);
    let page = page(&fixture);
    let longest = |length: &mut usize, text: &str| *length = text.chars().count().max(*length);
    let mut length = 0;
    page.json.iter().for_each(|json| texts(json, &mut |text| longest(&mut length, text)));
    assert!(length <= 1600, "{length} characters");
    assert!(page.html.len() < 200_000, "{} bytes", page.html.len());
}

#[test]
fn a_semicolon_in_an_operation_does_not_split_its_name() {
    let mut fixture = Fixture::importer();
    fixture.paths[1]["names"] = json!(["load", "a;b"]);
    let page = page(&fixture);
    assert_eq!(page.document.paths[1].whole, "load;a:b");
    assert_eq!(page.document.paths[1].name, "a;b");
}

#[test]
fn a_page_does_not_contain_the_folder_of_the_build() {
    let mut fixture = Fixture::importer();
    fixture.summary = summary();
    let stack = json!([
        {"function": "push", "file": "/rustc/59807616e1fa/library/alloc/src/vec/mod.rs", "line": 3},
        {"function": "run", "file": "/home/lovelace/.cargo/registry/src/index-1/tokio-1.54.1/src/task.rs", "line": 4},
        {"function": "main", "file": "/home/lovelace/app/src/main.rs", "line": 5},
    ]);
    fixture.summary["sites"][0]["stack"] = stack;
    let page = page(&fixture);
    assert_eq!(
        page.document.tables.sites[1].stack,
        [
            "push (alloc/src/vec/mod.rs:3)",
            "run (tokio-1.54.1/src/task.rs:4)",
            "main (src/main.rs:5)",
        ]
    );
    assert!(!page.html.contains("lovelace"));
}

#[test]
fn an_estimate_has_half_its_95_percent_interval() {
    let mut fixture = Fixture::importer();
    fixture.summary = summary();
    let live = page(&fixture).document.tables.sites[0].live.expect("it is listed");
    assert_eq!((live.value, (live.side * 100.0).round()), (1000.0, 1960.0));
}
