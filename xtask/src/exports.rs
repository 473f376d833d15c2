//! `cargo xtask exports [FORMAT…]`: what memprof writes, read by programs that others wrote.

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

/// A format, and what opens it: checks everything in a folder of its own, and says what it saw.
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

pub(crate) fn run() -> Result<(), Failure> {
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let known: Vec<&str> = CONSUMERS.iter().map(|consumer| consumer.format).collect();
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("no format \"{unknown}\": expected one of {}", known.join(", ")).into());
    }
    let is_wanted = |consumer: &&Consumer| {
        wanted.is_empty() || wanted.iter().any(|name| name == consumer.format)
    };
    let mut printed = Vec::new();
    for Consumer { format, check } in CONSUMERS.iter().filter(is_wanted) {
        let folder = target("exports").join(format);
        fs::create_dir_all(&folder)?;
        let saw = check(&folder.canonicalize()?).map_err(|why| format!("{format}: {why}"))?;
        printed.push(saw.trim_end().to_owned());
    }
    println!("{}", printed.join("\n"));
    Ok(())
}
