//! Tests of the HTML for notebooks.

use super::html;
use memprof_profile::Profile;

/// Returns this number of lines of folded stacks; `line` makes each line from its index.
fn folded(lines: u64, line: impl Fn(u64) -> String) -> String {
    (0..lines).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn hostile_names_are_text() {
    let hostile = "</summary><script>alert(1)</script>\"'&\u{202e}\u{1b}[31m\n";
    let names = vec![1_u8; 100];
    let html = html(&Profile::named(hostile, &names));
    assert!(!html.contains("<script"), "{html}");
    assert!(html.contains("&lt;script&gt;"), "{html}");
    assert!(!html.contains(['\u{202e}', '\u{1b}', '\n']), "{html:?}");
}

#[test]
fn nothing_has_an_id_and_no_attribute_runs() {
    let html = html(&Profile::named("numbers", &vec![0_u64; 100]));
    for forbidden in [" id=", "<script", "<style", " on", "javascript:", "<svg", "href"] {
        assert!(!html.contains(forbidden), "{forbidden}: {html}");
    }
}

#[test]
fn a_profile_with_many_branches_is_pruned() {
    let folded = folded(100_000, |n| format!("root;a{};b{n} {}", n % 300, n + 1));
    let profile = Profile::from_folded(&folded).expect("folded stacks");
    let html = html(&profile);
    assert!(html.len() < 200_000, "{} bytes", html.len());
    assert!(html.contains(" more, "));
}

#[test]
fn shown_and_omitted_rows_add_up() {
    let folded = folded(5_000, |n| format!("root;a{};b{n} 16", n % 7));
    let profile = Profile::from_folded(&folded).expect("folded stacks");
    let selection = super::Selection::of(&profile);
    for row in &selection.rows {
        let children: u64 = row.children.iter().map(|&child| selection.rows[child].bytes).sum();
        if !row.children.is_empty() || row.more.0 > 0 {
            assert_eq!(children + row.more.1, row.bytes, "{}", row.name);
        }
    }
}

#[test]
fn an_empty_profile_has_html() {
    assert!(html(&Profile::of(&())).contains("0 bytes"));
}
