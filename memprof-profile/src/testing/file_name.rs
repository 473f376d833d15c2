//! What the file of a report is called.

/// Longer names are cut: file systems allow 255 bytes, and a number and an ending follow.
const LONGEST: usize = 160;

/// A name for a file, without an ending: the crate and what is reported, `.` between them and for
/// `::`, and `_` for whatever a file name had better not have.
pub(crate) fn file_name(crate_name: &str, subject: &str) -> String {
    let name = format!("{crate_name}.{}", subject.replace("::", "."));
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let name: String = name.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    let name = name.trim_matches('.');
    let name = &name[..name.floor_char_boundary(LONGEST)];
    if name.is_empty() { "report".into() } else { name.into() }
}

/// The test that runs on this thread, if one does: libtest calls a thread after its test, but runs
/// tests on the main thread where there is one thread only.
pub(crate) fn current_test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|&name| name != "main").map(Into::into)
}
