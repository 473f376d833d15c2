//! Names and places of a recording, escaped and shortened.

use memprof_profile::text::{Shown, counted, short_file};
use std::fmt::Write;

/// A longer name is cut to this number of characters.
pub(super) const MAX_CHARS: usize = 500;

/// Escapes control characters and characters that reorder text, and cuts long names.
pub(super) fn name(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", Shown(&text[..end])),
        None => Shown(text).to_string(),
    }
}

/// Returns `serve;handle`. A `;` within a name becomes `:`, as in folded stacks.
pub(super) fn operation(names: &[String]) -> String {
    names.iter().map(|name| self::name(name).replace(';', ":")).collect::<Vec<_>>().join(";")
}

/// Returns a string of the recording, escaped, and with a full stop if it has no final punctuation.
pub(super) fn sentence(text: &str) -> String {
    let text = name(text);
    if text.ends_with(['.', '!', '?', '…']) { text } else { text + "." }
}

/// Returns the name of a source file without the folders of the machine that compiled it.
pub(super) fn file(path: &str) -> String {
    // Sources below the program's folder are relative already.
    name(&short_file(path, None))
}

pub(super) fn location(path: &str, line: Option<u32>) -> String {
    match line {
        Some(line) => format!("{}:{line}", file(path)),
        None => file(path),
    }
}

/// Limits the lines and columns of a text. The last line is the number of lines left out.
pub(super) fn summary(text: &str) -> String {
    let mut short = String::new();
    let mut lines = text.lines();
    for line in lines.by_ref().take(MAX_SUMMARY_LINES) {
        let end = line.char_indices().nth(MAX_SUMMARY_COLUMNS).map_or(line.len(), |(end, _)| end);
        short.push_str(&line[..end]);
        short.push_str(if end < line.len() { "…\n" } else { "\n" });
    }
    let more = lines.count();
    if more > 0 {
        let more = counted(more as u64, "more line");
        let _ = writeln!(short, "…{more}: enable scripts to read them");
    }
    short
}

/// A summary usually has about 60 lines, and at most 100 columns unless it contains long names.
const MAX_SUMMARY_LINES: usize = 500;
const MAX_SUMMARY_COLUMNS: usize = 200;

#[cfg(test)]
mod tests {
    use super::{file, name, summary};

    #[test]
    fn files_are_shown_without_the_folder_of_the_build() {
        let cases = [
            ("src/parse.rs", "src/parse.rs"),
            ("/rustc/59807616e1fa/library/alloc/src/vec/mod.rs", "alloc/src/vec/mod.rs"),
            ("/root/.cargo/registry/src/x-1/tokio-1.54.1/src/lib.rs", "tokio-1.54.1/src/lib.rs"),
            ("/home/a/.cargo/git/checkouts/net-77aa/12bc/src/lib.rs", "net/src/lib.rs"),
            ("/srv/app/vendor/net/src/\u{202e}.rs", "net/src/\\u{202e}.rs"),
        ];
        for (path, expected) in cases {
            assert_eq!(file(path), expected);
        }
    }

    #[test]
    fn a_long_summary_is_cut_and_counts_its_other_lines() {
        let lines = |count: usize| "line\n".repeat(count);
        assert_eq!(summary(&lines(500)), lines(500));
        let more = "…1,500 more lines: enable scripts to read them\n";
        assert_eq!(summary(&lines(2000)), lines(500) + more);
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(name(&"名".repeat(500)), "名".repeat(500));
        assert_eq!(name(&"名".repeat(1_000_000)), "名".repeat(500) + "…");
        assert_eq!(name("a\u{202e}\0\n"), "a\\u{202e}\\u{0}\\n");
    }
}
