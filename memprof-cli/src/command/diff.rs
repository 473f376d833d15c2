//! `memprof diff`: the changes between two profiles, and a check that fails if one grew.

mod runs;

use crate::arguments::{PrintingArguments, RootArgument};
use crate::failure::Failure;
use crate::input::{Part, Picked, Source};
use crate::terminal::escaped;
use crate::{input, output, terminal};
use clap::Args;
use core::str::FromStr;
use memprof_profile::Profile;
use memprof_profile::testing::Tolerance;
use memprof_profile::text::Frame;
use memprof_profile::tree::PathNotFound;
use memprof_profile::views::Units;
use std::thread;

const EXAMPLES: &str = "\
Examples:
  memprof diff before.json after.json
  memprof diff --fail-if-grows 5% run.json@start run.json@end
  memprof diff --fail-if-grows 5% --fail-if-grows 'Model;names=64MiB' before.json after.json
  memprof diff --runs --markdown --fail-if-grows peak=5% runs-of-main/ runs-of-branch/";

/// Compare two profiles or snapshots, and fail if memory grew
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArguments {
    /// The earlier profile, in any form that `memprof tree` accepts
    #[arg(value_name = "BEFORE")]
    before: Source,
    /// The later profile: another file, or another snapshot of the same one
    #[arg(value_name = "AFTER")]
    after: Source,
    #[command(flatten)]
    root: RootArgument,
    #[command(flatten)]
    printing: PrintingArguments,
    /// Compare all recordings in two folders, as median and range; the names for `--fail-if-grows`
    /// are `peak`, `end`, `allocated`, `allocations` and paths
    #[arg(long, conflicts_with = "RootArgument")]
    runs: bool,
    /// Exit with code 1 if the total grew by more than this limit: `5%`, `10MiB`, `0`, or if the
    /// growth is unknown.
    /// `Model;matrix=5%` limits a path and the paths below it. Can be repeated
    #[arg(long, value_name = "[PATH=]LIMIT")]
    fail_if_grows: Vec<Limit>,
    /// Print Markdown, for a pull request
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Number of paths to list, largest changes first
    #[arg(short = 'n', long, value_name = "PATHS", default_value = "20", conflicts_with = "json")]
    count: usize,
    /// Maximum line width in columns [default: the terminal's width, or 100]
    #[arg(long, value_name = "COLUMNS", conflicts_with_all = ["json", "markdown"])]
    width: Option<usize>,
}

pub(crate) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let root = arguments.root.name();
    if arguments.runs {
        return runs::run(arguments);
    }
    let (before, after) = read_both(&arguments.before, &arguments.after, root)?;
    let limits = arguments.fail_if_grows.iter();
    let limits = limits.map(|limit| {
        let limited = Limited::of(limit, &before, &after);
        limited.map_err(|error| Failure::from(error).about(&arguments.after))
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
            Ok(writeln!(out, "{}", terminal::painted(&diff.styled(), printing.color))?)
        }
    });
    // Check the limits even if the reader of the output has closed it.
    check(&limits, &arguments.after, units)?;
    printed
}

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
        let reason = "can hold only one profile; give the other as a file";
        return Err(Failure::of(before, reason));
    }
    let (before, after) = thread::scope(|scope| {
        let before = scope.spawn(|| input::read(before));
        let after = input::read(after);
        let before = before.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (before, after)
    });
    input::pair(before?, after?, root)
}

/// A limit as on the command line: `5%`, or `Model;matrix=64 MiB`.
#[derive(Clone, Debug)]
struct Limit {
    /// The path as in folded stacks, or `None` for the total.
    path: Option<String>,
    tolerance: Tolerance,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A name may contain `=`, but an amount may not.
        let (path, amount) = match text.rsplit_once('=') {
            Some(("", _)) => {
                return Err("expected a path before `=`, such as `Model;ids=5%`".into());
            }
            Some((path, amount)) => (Some(path.to_owned()), amount),
            None => (None, text),
        };
        let amount = amount.trim();
        let tolerance = amount.parse::<Tolerance>().map_err(|error| error.to_string())?;
        // `5` may be meant as a percentage.
        let has_unit = amount.contains(|char: char| char == '%' || char.is_ascii_alphabetic());
        let is_zero = !amount.contains(|char: char| ('1'..='9').contains(&char));
        if !has_unit && !is_zero {
            return Err(format!(
                "`{amount}` has no unit; expected for example `{amount}%`, `{amount}MiB`, \
                 `{amount}B`, or `0`"
            ));
        }
        Ok(Self { path, tolerance })
    }
}

/// The reason why a growth is unknown, and what to do.
const NOT_VISITED: &str = "not all values were visited; raise MEMPROF_WALK_BUDGET, or limit paths \
                           that were visited completely";

struct Limited<'a> {
    path: Option<&'a str>,
    before: Figure,
    after: Figure,
    tolerance: Tolerance,
}

#[derive(Clone, Copy)]
struct Figure {
    /// `None` if the profile has no such path.
    bytes: Option<u64>,
    /// `true` if values that own more bytes may not have been visited.
    is_lower_end: bool,
}

impl Figure {
    fn bytes(self) -> u64 {
        self.bytes.unwrap_or(0)
    }

    fn show(self, units: Units) -> String {
        let at_least = if self.is_lower_end { "≥ " } else { "" };
        match self.bytes {
            None if !self.is_lower_end => "new".into(),
            _ => format!("{at_least}{}", units.show(self.bytes())),
        }
    }
}

impl<'a> Limited<'a> {
    /// A path that only one of the profiles has is new or gone; a path that neither has is an
    /// error.
    fn of(limit: &'a Limit, before: &Picked, after: &Picked) -> Result<Self, PathNotFound> {
        let path = limit.path.as_deref();
        let below = path.map_or("", |path| below_root(path, &before.profile, &after.profile));
        let was = before.profile.bytes_at(below);
        let is = match (was, after.profile.try_bytes_at(below)) {
            (None, Err(error)) => return Err(error),
            (_, is) => is.unwrap_or(0),
        };
        // A root that neither snapshot has is not compared.
        let both = |part: &Part| {
            part.is_missing && before.unread.contains(part) && after.unread.contains(part)
        };
        let figure = |of: &Picked, bytes| Figure {
            bytes,
            is_lower_end: of.profile.is_lower_end_at(below)
                || of.unread.iter().any(|part| part.may_add_to(below) && !both(part)),
        };
        let (before, after) = (figure(before, was), figure(after, Some(is)));
        Ok(Self { path, before, after, tolerance: limit.tolerance })
    }

    fn violation(&self, name: &Source, units: Units) -> Option<String> {
        let (before, after) = (self.before, self.after);
        let allows = self.tolerance.allows_growth(before.bytes(), after.bytes());
        if allows && !after.is_lower_end {
            return None;
        }
        let path = self.path.map_or_else(String::new, |path| format!("{} ", escaped(path)));
        let figures = format!("{} → {}", before.show(units), after.show(units));
        let tolerance = self.tolerance;
        // More bytes before would make the growth smaller.
        if allows || before.is_lower_end {
            let path = if path.is_empty() { String::new() } else { format!("{path}has ") };
            return Some(format!(
                "{name}: {path}unknown growth ({figures}), because {NOT_VISITED}"
            ));
        }
        let growth = units.show(after.bytes() - before.bytes());
        let at_least = if after.is_lower_end { "at least " } else { "" };
        Some(format!(
            "{name}: {path}grew by {at_least}{growth} ({figures}), more than {tolerance} \
             (`--fail-if-grows`)"
        ))
    }
}

/// Budgets in tests have paths without the root's name, the printed table has paths with it.
fn below_root<'p>(path: &'p str, before: &Profile, after: &Profile) -> &'p str {
    let roots = [after.root().name(), before.root().name()];
    let mut roots = roots.into_iter().flat_map(|root| [root.to_owned(), Frame(root).to_string()]);
    let below = roots.find_map(|root| {
        let below = path.strip_prefix(&*root)?;
        if below.is_empty() { Some(below) } else { below.strip_prefix(';') }
    });
    let exists = |path: &&str| [before, after].iter().any(|one| one.bytes_at(path).is_some());
    below.filter(|below| exists(below) || !exists(&path)).unwrap_or(path)
}

fn check(limits: &[Limited<'_>], name: &Source, units: Units) -> Result<(), Failure> {
    let violations: Vec<_> =
        limits.iter().filter_map(|limit| limit.violation(name, units)).collect();
    if violations.is_empty() { Ok(()) } else { Err(Failure::of_checks(violations)) }
}
