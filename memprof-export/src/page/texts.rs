//! Names and places of a recording, escaped and shortened.

use memprof_profile::text::Shown;
use memprof_profile::text::counted;
use std::fmt::Write;

/// The number of characters of a name that are shown.
pub(super) const MAX_CHARS: usize = 500;

/// Returns a name with control characters and characters that reorder text escaped. Long names are
/// cut.
pub(super) fn name(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", Shown(&text[..end])),
        None => Shown(text).to_string(),
    }
}

/// Returns a path of operations: `serve;handle`. A `;` within a name becomes `:`, as in folded
/// stacks.
pub(super) fn operation(names: &[String]) -> String {
    names.iter().map(|name| self::name(name).replace(';', ":")).collect::<Vec<_>>().join(";")
}

/// Returns a text of the recording, escaped, and with a full stop if it has no final punctuation.
pub(super) fn sentence(text: &str) -> String {
    let text = name(text);
    if text.ends_with(['.', '!', '?', '…']) { text } else { text + "." }
}

/// Returns the name of a source file without the folders of the machine that compiled it.
pub(super) fn file(path: &str) -> String {
    name(&shortened(path))
}

/// Returns a file and line.
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
        let _ = writeln!(short, "…{more}: turn scripts on to read them");
    }
    short
}

/// The largest number of lines and columns of a summary. It usually has about 60 lines, and at most
/// 100 columns unless it contains long names.
const MAX_SUMMARY_LINES: usize = 500;
const MAX_SUMMARY_COLUMNS: usize = 200;

fn shortened(path: &str) -> String {
    let after = |marker: &str| path.find(marker).map(|at| &path[at + marker.len()..]);
    let below = |rest: &str| rest.split_once(['/', '\\']).map(|(_, below)| below.to_owned());
    let registry = || after("/.cargo/registry/src/").or(after("\\.cargo\\registry\\src\\"));
    let checkout = || after("/.cargo/git/checkouts/").or(after("\\.cargo\\git\\checkouts\\"));
    if let Some(library) = path.strip_prefix("/rustc/").and_then(below) {
        return library;
    }
    if let Some(file) = path.strip_prefix("/rust/deps/") {
        return file.to_owned();
    }
    if let Some(file) = registry().and_then(below) {
        return file;
    }
    // Cargo's folder of a repository ends with a hash, and contains a folder for each commit.
    if let Some((repository, rest)) = checkout().and_then(|rest| rest.split_once(['/', '\\'])) {
        let name = repository.rsplit_once('-').map_or(repository, |(name, _)| name);
        return format!("{name}/{}", below(rest).unwrap_or_else(|| rest.to_owned()));
    }
    for home in ["/home/", "/Users/", "C:\\Users\\"] {
        if let Some(file) = path.strip_prefix(home).and_then(below) {
            return format!("~/{file}");
        }
    }
    path.strip_prefix("/root/").map_or_else(|| path.to_owned(), |file| format!("~/{file}"))
}

#[cfg(test)]
mod tests {
    use super::{file, name, summary};

    #[test]
    fn files_are_shown_without_the_folder_of_the_build() {
        let registry = "registry/src/index.example-1949cf8c6b5b557f";
        let cases = [
            ("src/parse.rs", "src/parse.rs"),
            ("/rustc/59807616e1fa/library/alloc/src/vec/mod.rs", "library/alloc/src/vec/mod.rs"),
            (
                &format!("/root/.cargo/{registry}/tokio-1.54.1/src/lib.rs"),
                "tokio-1.54.1/src/lib.rs",
            ),
            ("C:\\Users\\a\\.cargo\\registry\\src\\x-1\\a-1.0.0\\src\\b.rs", "a-1.0.0\\src\\b.rs"),
            ("/home/a/.cargo/git/checkouts/net-77aa/12bc/src/lib.rs", "net/src/lib.rs"),
            ("/home/a/work/app/src/main.rs", "~/work/app/src/main.rs"),
            ("/root/app/src/main.rs", "~/app/src/main.rs"),
            ("/srv/app/src/main.rs", "/srv/app/src/main.rs"),
            ("/rust/deps/hashbrown-0.16.1/src/map.rs", "hashbrown-0.16.1/src/map.rs"),
            ("/rustc/", "/rustc/"),
        ];
        for (path, expected) in cases {
            assert_eq!(file(path), expected);
        }
    }

    #[test]
    fn a_long_summary_is_cut_and_counts_its_other_lines() {
        let lines = |count: usize| "line\n".repeat(count);
        assert_eq!(summary(&lines(500)), lines(500));
        let more = "…1 500 more lines: turn scripts on to read them\n";
        assert_eq!(summary(&lines(2000)), lines(500) + more);
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(name(&"名".repeat(500)), "名".repeat(500));
        assert_eq!(name(&"名".repeat(1_000_000)), "名".repeat(500) + "…");
        assert_eq!(name("a\u{202e}\0\n"), "a\\u{202e}\\u{0}\\n");
    }
}
