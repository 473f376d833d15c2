//! The compiler's messages about incorrect uses of memprof's macros.
//!
//! Each file in `cases` has several mistakes. Each error has a comment `//~ error: message` above its
//! line. If the message is the compiler's, not memprof's, the comment is only `//~ error` or
//! `//~ error[E0026]`. A comment `//~ note: text` states a note of an error on that line.
//!
//! The file with the extension `.stderr` has the whole output. It differs between versions of the
//! compiler, so only the compiler of the workspace's `rust-version` is compared with it.

use expect_test::expect_file;
use memprof::tree::Role;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The compiler that compiled memprof, and the options to find it.
const COMPILER: &[&str] = memprof_ui::compiler!();

macro_rules! cases {
    ($($case:ident),+ $(,)?) => {
        const CASES: &[&str] = &[$(stringify!($case)),+];

        $(
            #[test]
            fn $case() {
                check(stringify!($case));
            }
        )+
    };
}

cases! {
    assertion,
    conflict,
    item,
    missing_impl,
    name,
    no_effect,
    place,
    private_field,
    remote,
    signature,
    track_body,
    track_item,
    track_word,
    unresolved,
    unsupported_field,
    value_cap,
    value_none,
    value_path,
    value_text,
    word,
}

/// One message that the compiler printed.
struct Message {
    /// The line of the case that the message is about.
    line: usize,
    /// The first line of the text, such as `error[E0277]: …`.
    headline: String,
    text: String,
}

/// Compares the errors about a case with its comments, and the output with the stored one.
fn check(case: &str) {
    let path = workspace().join(file(case));
    let source = fs::read_to_string(&path).expect("the case is there");
    let output = compile(case);
    let messages: Vec<Message> = output.split("\n\n").filter_map(|text| read(case, text)).collect();

    let (mut errors, notes): (Vec<_>, Vec<_>) =
        expected(&source).into_iter().partition(|(_, text)| text.starts_with("error"));
    assert!(!errors.is_empty(), "{} expects no error", file(case));
    let mut unexpected = Vec::new();
    for Message { line, headline, .. } in messages.iter().filter(|message| message.is_error()) {
        let code = headline.split(": ").next();
        let found = errors.iter().position(|(expected_line, expected)| {
            expected_line == line && (expected == headline || Some(*expected) == code)
        });
        match found {
            Some(index) => drop(errors.remove(index)),
            None => unexpected.push((line, headline)),
        }
    }
    let mut missing = errors;
    missing.extend(notes.into_iter().filter(|(line, note)| {
        !messages.iter().any(|message| message.line == *line && message.text.contains(note))
    }));
    assert!(
        missing.is_empty() && unexpected.is_empty(),
        "{}: missing {missing:#?}, unexpected {unexpected:#?} in\n{output}",
        file(case),
    );

    if has_stored_output() {
        let text: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
        expect_file![path.with_extension("stderr")].assert_eq(&(text.join("\n\n") + "\n"));
    }
}

impl Message {
    fn is_error(&self) -> bool {
        self.headline.starts_with("error")
    }
}

/// Returns the errors that a case expects, each with its line.
fn expected(source: &str) -> Vec<(usize, &str)> {
    let mut expected = Vec::new();
    let mut above = Vec::new();
    for (line, text) in (1..).zip(source.lines()) {
        match text.trim_start().strip_prefix("//~ ") {
            Some(error) => above.push(error),
            None => expected.extend(above.drain(..).map(|error| (line, error))),
        }
    }
    expected
}

/// Returns what the compiler prints about a case.
fn compile(case: &str) -> String {
    let mut compiler = Command::new(COMPILER[0]);
    compiler.args(&COMPILER[1..]).current_dir(workspace());
    compiler.args(["--crate-type=lib", "--emit=metadata", "--diagnostic-width=1000"]);
    compiler.args(["--out-dir", env!("CARGO_TARGET_TMPDIR"), &file(case)]);
    let output = compiler.output().expect("the compiler starts");
    String::from_utf8(output.stderr).expect("messages are UTF-8").replace("\r\n", "\n")
}

/// Returns whether the compiler is the one whose output is stored.
fn has_stored_output() -> bool {
    let output = Command::new(COMPILER[0]).arg("--version").output().expect("the compiler starts");
    let output = String::from_utf8(output.stdout).expect("a version is UTF-8");
    let version = output.split(' ').nth(1).expect("`rustc`, a space and the version");
    version.starts_with(concat!(env!("CARGO_PKG_RUST_VERSION"), ".")) && !version.contains('-')
}

/// Reads a message without what depends on the build, or returns `None` if it is not about a line.
fn read(case: &str, text: &str) -> Option<Message> {
    let (width, location) = text.lines().find_map(|line| Some((line.find("--> ")?, line)))?;
    let location = location.replace('\\', "/");
    let line = location.split_once(&file(case))?.1.split(':').nth(1)?.parse().ok()?;
    let headline = text.lines().next()?.to_owned();

    let mut lines = Vec::new();
    let mut in_list = false;
    for line in text.lines() {
        // The list has the types of other crates, if a feature is on.
        let is_start = line.starts_with(char::is_alphabetic) || line.trim_start().starts_with("= ");
        in_list =
            line.contains("the following other types implement trait") || in_list && !is_start;
        if !in_list {
            lines.push(without_numbers(case, line, width));
        }
    }
    Some(Message { line, headline, text: lines.join("\n") })
}

/// Returns a line of a message in a margin of fixed width, and without the line numbers of memprof's
/// files.
fn without_numbers(case: &str, line: &str, width: usize) -> String {
    let Some((margin, rest)) = line.split_at_checked(width) else { return line.to_owned() };
    let margin = match margin.trim() {
        "" => "  ",
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => "LL",
        _ => return line.to_owned(),
    };
    let Some((arrow, location)) =
        ["--> ", "::: "].iter().find_map(|arrow| Some((arrow, rest.strip_prefix(arrow)?)))
    else {
        return format!("{margin}{rest}");
    };
    let location = location.replace('\\', "/");
    let root = workspace().display().to_string().replace('\\', "/");
    let location = location.strip_prefix(&root).unwrap_or(&location).trim_start_matches('/');
    match location.split_once(':') {
        Some((path, _)) if path != file(case) => format!("{margin}{arrow}{path}"),
        _ => format!("{margin}{arrow}{location}"),
    }
}

/// Returns the path of a case in the workspace, as the compiler prints it.
fn file(case: &str) -> String {
    format!("tests/packages/ui/cases/{case}.rs")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).expect("three folders up").to_owned()
}

#[test]
fn each_file_is_a_case() {
    let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/cases")).expect("a folder");
    let paths = folder.map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut names: Vec<_> =
        sources.map(|path| path.file_stem().expect("a name").to_owned()).collect();
    names.sort();
    assert_eq!(names, CASES);
}

/// The derive has its own list of roles. It must equal that of `Role`.
#[test]
fn the_message_about_an_unknown_role_names_all_roles() {
    let case = include_str!("cases/value_text.rs");
    let error = case.lines().find(|line| line.contains("unknown role")).expect("the message");
    let named = error.split("`role = \"").skip(1).filter_map(|rest| rest.split('"').next());
    assert!(named.eq(Role::ALL.iter().map(|role| role.as_str())), "{error}");
}
