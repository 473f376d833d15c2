//! `memprof html`: a page for a browser, made from a session or a profile.

use crate::arguments::{self, SymbolsArgument};
use crate::failure::Failure;
use crate::input::{Content, Source};
use crate::output::{Target, shown_path};
use crate::{input, output};
use clap::Args;
use memprof_export::{Page, Written};
use memprof_profile::views::Units;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, absolute};
use std::process::{Command, Stdio};

const EXAMPLES: &str = "\
Examples:
  memprof html
  memprof html --title nightly run.jsonl -o nightly.html";

/// Write an HTML page of a recording, for a browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct HtmlArguments {
    /// A session's recording (`.json`, `.jsonl`), a folder (its newest recording), or a profile;
    /// `-` is standard input
    #[arg(value_name = "FILE", default_value = ".")]
    source: Source,
    #[command(flatten)]
    symbols: SymbolsArgument,
    /// The page to write, `-` for standard output [default: FILE's name with `.html`, in the
    /// current directory]
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    target: Option<Target>,
    /// Overwrite the file if it exists
    #[arg(long)]
    force: bool,
    /// Open the page in a browser; set `BROWSER` to choose it
    #[arg(long)]
    open: bool,
    /// Title of the page [default: the program's name]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Initial units; the page can switch between all three
    #[arg(long, value_enum, default_value = "iec")]
    units: arguments::Units,
    /// Maximum number of individual calls in the page; it keeps the longest and those with the
    /// largest changes
    #[arg(long, value_name = "CALLS", default_value = "1000000")]
    max_calls: usize,
}

pub(crate) fn run(arguments: &HtmlArguments) -> Result<(), Failure> {
    let source = &arguments.source.newest()?;
    let target = arguments.target.clone().unwrap_or_else(|| default_target(source));
    output::check_terminal(&target)?;
    let mut content = input::all(source)?;
    if let Content::Recording(recording) = &mut content {
        input::name(recording, &arguments.symbols.search()?);
    }
    let units = arguments.units.into();
    let page = match &content {
        Content::Profile(profile, _) => Page::of_profile(profile),
        Content::Recording(recording) => Page::new(recording),
    };
    let mut page = page.units(units).max_calls(arguments.max_calls);
    if let Some(title) = &arguments.title {
        page = page.title(title);
    }
    write(&page, &target, arguments.force, units)?;
    match &target {
        Target::File(path) if arguments.open => open(path),
        Target::Standard if arguments.open => Err(Failure::of(
            &target,
            "a browser cannot open standard output; specify a file with `-o FILE`",
        )),
        _ => Ok(()),
    }
}

pub(crate) fn write(
    page: &Page<'_>,
    target: &Target,
    force: bool,
    units: Units,
) -> Result<(), Failure> {
    let written = output::write(target, force, |out| Ok(page.write(out)?))?;
    print_summary(target, &written, units);
    Ok(())
}

/// Returns a page named after the file, or standard output for standard input.
fn default_target(source: &Source) -> Target {
    match source {
        Source::Standard => Target::Standard,
        Source::File(path) => {
            let stem = path.file_stem().unwrap_or_default();
            Target::File(Path::new(stem).with_added_extension("html"))
        }
    }
}

/// Ignores a failure, because there is no other place to report that standard error is closed.
fn print_summary(target: &Target, written: &Written, units: Units) {
    let size = units.show(written.bytes);
    let notes: String = written.notes.iter().flat_map(|note| [" ", note]).collect();
    let _ = writeln!(io::stderr(), "memprof: wrote {target}, {size}.{notes}");
}

/// Opens a page in the user's browser. `BROWSER` replaces the browser of the desktop. It lists commands, separated by `:`, or by `;` on
/// Windows; in each, the path of the file replaces `%s`.
pub(crate) fn open(path: &Path) -> Result<(), Failure> {
    let whole = absolute(path).unwrap_or_else(|_| path.into());
    let named = env::var("BROWSER").ok().filter(|named| !named.trim().is_empty());
    let opened = match named {
        Some(named) => open_with(&named, &whole),
        None => open::that_detached(&whole),
    };
    opened.map_err(|error| {
        let reason =
            format!("could not open a browser ({error}); open the file yourself, or set `BROWSER`");
        Failure::of(shown_path(path), reason)
    })
}

fn with_path(word: &str, path: &Path) -> OsString {
    let mut parts = word.split("%s");
    let mut whole = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        whole.push(path);
        whole.push(part);
    }
    whole
}

/// Opens a file with the first of these commands that can be run.
fn open_with(named: &str, path: &Path) -> io::Result<()> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    // Paths on Windows contain colons.
    let separator = if cfg!(windows) { ';' } else { ':' };
    for line in named.split(separator) {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        let mut is_named = false;
        for word in words {
            is_named |= word.contains("%s");
            command.arg(with_path(word, path));
        }
        if !is_named {
            command.arg(path);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C for this command must not close the browser.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        result = command.spawn().map(drop);
        if result.is_ok() {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::with_path;
    use std::path::Path;

    #[test]
    fn the_path_replaces_percent_s_anywhere_in_a_word() {
        let path = Path::new("/a b/page.html");
        for (word, expected) in [
            ("%s", "/a b/page.html"),
            ("--app=file://%s", "--app=file:///a b/page.html"),
            ("%s#%s", "/a b/page.html#/a b/page.html"),
            ("--new", "--new"),
        ] {
            assert_eq!(with_path(word, path), expected);
        }
    }
}
