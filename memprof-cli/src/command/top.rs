//! `memprof top`: the paths with the most bytes, largest first.

use crate::arguments::TopArguments;
use crate::failure::Failure;
use crate::{input, json, output, terminal};
use memprof_profile::views::Top;
use serde::Serialize;

#[derive(Serialize)]
struct TopJson<'p> {
    format: &'static str,
    version: u32,
    total_bytes: u64,
    paths: Vec<PathJson<'p>>,
    more: MoreJson,
}

#[derive(Serialize)]
struct PathJson<'p> {
    path: &'p [&'p str],
    bytes: u64,
}

#[derive(Serialize)]
struct MoreJson {
    paths: u64,
    bytes: u64,
}

pub(crate) fn run(arguments: &TopArguments) -> Result<(), Failure> {
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    // Output for programs such as `grep` has whole paths.
    let width = arguments.width.or_else(terminal::columns).unwrap_or(usize::MAX);
    let top = profile.top(arguments.count).units(arguments.printing.units.into()).width(width);
    let text = if arguments.printing.json {
        json::text(&document(&top, profile.total_bytes()))
    } else {
        Ok(top.to_string())
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

fn document<'p>(top: &'p Top<'_>, total_bytes: u64) -> TopJson<'p> {
    let paths = top.paths().iter();
    TopJson {
        format: "memprof top",
        version: 1,
        total_bytes,
        paths: paths
            .map(|top| PathJson { path: top.path().frames(), bytes: top.bytes() })
            .collect(),
        more: MoreJson { paths: top.more(), bytes: top.more_bytes() },
    }
}
