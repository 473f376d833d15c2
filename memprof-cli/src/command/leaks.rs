//! `memprof leaks`: the call stacks whose live bytes kept growing.

use crate::arguments::LeaksArguments;
use crate::failure::Failure;
use crate::{input, json, output, terminal};
use memprof_session::document::Leak;
use serde::Serialize;

/// The JSON output; `docs/format.md` describes its keys.
#[derive(Serialize)]
struct LeaksJson<'r> {
    format: &'static str,
    version: u32,
    /// The time of the leaks and of their call sites; `null` if no names of call sites were looked
    /// up.
    names_at_ns: Option<u64>,
    /// The time of the last snapshot.
    end_ns: Option<u64>,
    /// The leaks; `null` if they are unknown, for example because the last summary is too old.
    leaks: Option<&'r [Leak]>,
}

pub(crate) fn run(arguments: &LeaksArguments) -> Result<(), Failure> {
    let mut recording = input::recording(&arguments.file.source)?;
    input::name(&mut recording, &arguments.symbols.search());
    let text = if arguments.printing.json {
        let is_known = recording.leaks_unknown_reason().is_none();
        let leaks = is_known.then_some(&recording.summary.leaks[..]);
        json::text(&LeaksJson {
            format: "memprof leaks",
            version: 1,
            names_at_ns: recording.summary.names_at_ns,
            end_ns: recording.snapshots.last().map(|last| last.at_ns),
            leaks,
        })
    } else {
        let list = recording.leak_list().units(arguments.printing.units.into());
        let list = list.all_frames(arguments.all_frames);
        Ok(list.width(arguments.width.unwrap_or_else(terminal::width)).to_string())
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}
