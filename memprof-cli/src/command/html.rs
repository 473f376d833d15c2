//! `memprof html`: a page for a browser, made from a session or a profile.

use crate::arguments::HtmlArguments;
use crate::escape::escaped;
use crate::failure::Failure;
use crate::input::{Content, Source};
use crate::output::{OutputError, Target};
use crate::{browser, input, output};
use memprof_export::{Page, Written};
use memprof_profile::views::Units;
use std::io::Write;
use std::path::Path;

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
        Target::File(path) if arguments.open => browser::open(path),
        Target::Standard if arguments.open => Err(OutputError::not_a_file().into()),
        _ => Ok(()),
    }
}

pub(crate) fn write(
    page: &Page<'_>,
    target: &Target,
    force: bool,
    units: Units,
) -> Result<(), Failure> {
    let mut written = None;
    output::write(target, force, |out| {
        written = Some(page.write(out)?);
        Ok(())
    })?;
    if let Some(written) = written {
        print_summary(target, &written, units);
    }
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
    let name = match target {
        Target::Standard => "standard output".into(),
        Target::File(path) => escaped(&path.to_string_lossy()),
    };
    let size = units.show(written.bytes);
    let notes: String = written.notes.iter().flat_map(|note| [" ", note]).collect();
    let _ = writeln!(std::io::stderr(), "memprof: wrote {name}, {size}.{notes}");
}
