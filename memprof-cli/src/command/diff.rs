//! `memprof diff`: the changes between two profiles, and a check that fails if one grew.

mod limits;
mod runs;

use crate::arguments::DiffArguments;
use crate::failure::Failure;
use crate::input::{InputError, Picked, Source};
use crate::paint::Paint;
use crate::{input, output, terminal};
use limits::Limited;
use memprof_profile::Profile;
use std::thread;

pub(crate) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let root = arguments.root.name();
    if arguments.runs {
        return runs::run(arguments);
    }
    let (before, after) = read_both(&arguments.before, &arguments.after, root)?;
    let limits = arguments.fail_if_grows.iter();
    let limits = limits.map(|limit| {
        let limited = Limited::of(limit, &before, &after);
        limited.map_err(|error| Failure::Path(arguments.after.to_string(), error.into()))
    });
    let limits: Vec<_> = limits.collect::<Result<_, _>>()?;
    let (before, after) = (before.into_profile(), after.into_profile());
    let printing = &arguments.printing;
    let units = printing.units.into();
    let diff = after
        .diff(&before)
        .units(units)
        .width(arguments.width.unwrap_or_else(terminal::width))
        .widest(arguments.count);
    let printed = output::print(|out| {
        if printing.json {
            Ok(diff.write_json(out)?)
        } else if arguments.markdown {
            Ok(out.write_all(diff.to_markdown().as_bytes())?)
        } else {
            let text = Paint::new(printing.color).text(&diff.styled());
            Ok(writeln!(out, "{text}")?)
        }
    });
    // Check the limits even if the reader of the output has closed it.
    limits::check(&limits, &arguments.after, units)?;
    Ok(printed?)
}

/// Reads both profiles, and prints the notes about them.
pub(crate) fn read(
    before: &Source,
    after: &Source,
    root: Option<&str>,
) -> Result<(Profile, Profile), Failure> {
    let (before, after) = read_both(before, after, root)?;
    Ok((before.into_profile(), after.into_profile()))
}

/// Reads both files at the same time, because large files take longer to read than to compare.
fn read_both(
    before: &Source,
    after: &Source,
    root: Option<&str>,
) -> Result<(Picked, Picked), Failure> {
    if matches!((before, after), (Source::Standard, Source::Standard)) {
        return Err(InputError::both(before).into());
    }
    let (before, after) = thread::scope(|scope| {
        let before = scope.spawn(|| input::read(before));
        let after = input::read(after);
        let before = before.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (before, after)
    });
    Ok(input::pair(before?, after?, root)?)
}
