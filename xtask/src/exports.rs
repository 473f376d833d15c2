//! `cargo xtask exports [FORMAT…]`: programs of other projects read the files that memprof exports.

mod names;
pub(crate) mod node;
pub(crate) mod programs;
mod recordings;
mod sessions;

mod diff_flamegraph;
mod folded;
mod perfetto;
mod pprof;
mod profile;
mod prometheus;
mod speedscope;

use crate::{Failure, target};
use std::fs;
use std::path::Path;

/// A format with its check. The check uses a folder of its own and returns a summary of the result.
struct Consumer {
    format: &'static str,
    check: fn(&Path) -> Result<String, Failure>,
}

const CONSUMERS: &[Consumer] = &[
    Consumer { format: "profile", check: profile::check },
    Consumer { format: "pprof", check: pprof::check },
    Consumer { format: "folded", check: folded::check },
    Consumer { format: "diff-flamegraph", check: diff_flamegraph::check },
    Consumer { format: "perfetto", check: perfetto::check },
    Consumer { format: "speedscope", check: speedscope::check },
    Consumer { format: "prometheus", check: prometheus::check },
];

/// The names of the formats.
pub(crate) const FORMATS: [&str; CONSUMERS.len()] = {
    let mut formats = [""; CONSUMERS.len()];
    let mut index = 0;
    while index < formats.len() {
        formats[index] = CONSUMERS[index].format;
        index += 1;
    }
    formats
};

/// Checks the chosen formats, or all if none is chosen.
pub(crate) fn run(formats: &[String]) -> Result<(), Failure> {
    let is_wanted = |consumer: &&Consumer| {
        formats.is_empty() || formats.iter().any(|name| name == consumer.format)
    };
    let mut printed = Vec::new();
    for Consumer { format, check } in CONSUMERS.iter().filter(is_wanted) {
        let folder = target("exports").join(format);
        fs::create_dir_all(&folder)?;
        let result =
            check(&folder.canonicalize()?).map_err(|error| format!("{format}: {error}"))?;
        printed.push(result.trim_end().to_owned());
    }
    println!("{}", printed.join("\n"));
    Ok(())
}
