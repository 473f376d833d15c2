//! The checks that take longer than a test: `cargo xtask NAME`.

mod allocators;
mod browser;
mod built;
mod compile_time;
mod coverage;
mod default_signals;
mod exactness;
mod exports;
mod faults;
mod features;
mod fuzz;
mod gpu;
mod guest;
mod idle;
mod large_files;
mod layouts;
mod measure;
mod models;
mod overhead;
mod overhead_time;
mod platforms;
mod politeness;
mod recording;
mod sanitize;
mod scaling;
mod session_cost;
mod table;
mod third_party;
mod units;
mod week;

use std::path::PathBuf;
use std::process::ExitCode;

/// A command, what it prints and what runs it.
struct Command {
    name: &'static str,
    purpose: &'static str,
    run: fn() -> Result<(), Failure>,
}

/// Why a command failed.
type Failure = Box<dyn std::error::Error>;

const COMMANDS: &[Command] = &[
    Command {
        name: "exactness",
        purpose: "a million random values against a counting allocator, on each toolchain",
        run: exactness::run,
    },
    Command {
        name: "layouts",
        purpose: "what core knows of std: nightly, Miri, valgrind, a std laid out at random",
        run: layouts::run,
    },
    Command {
        name: "features",
        purpose: "every feature of the facade builds alone, and so does none; tests without any",
        run: features::run,
    },
    Command {
        name: "third-party",
        purpose: "the types of other crates against a counting allocator",
        run: third_party::run,
    },
    Command {
        name: "candle",
        purpose: "the same for candle, which compiles for minutes",
        run: third_party::candle,
    },
    Command {
        name: "allocators",
        purpose: "memprof around jemalloc, mimalloc and the system's allocator",
        run: allocators::run,
    },
    Command {
        name: "models",
        purpose: "every order of what threads share without a lock in memprof-heap, by loom",
        run: models::run,
    },
    Command {
        name: "sanitize",
        purpose: "memprof-heap's tests under valgrind and nightly's sanitizers",
        run: sanitize::run,
    },
    Command {
        name: "platforms",
        purpose: "lints for other platforms; tests on Linux with ARM and with 32 bits",
        run: platforms::run,
    },
    Command {
        name: "gpu",
        purpose: "what only a GPU can show, built into target/gpu to be run anywhere, and run here",
        run: gpu::run,
    },
    Command {
        name: "coverage",
        purpose: "how many lines of core's statistics the tests run, at least 95 %",
        run: coverage::run,
    },
    Command {
        name: "table",
        purpose: "memprof beside its peers; writes docs/performance.md",
        run: table::run,
    },
    Command {
        name: "scaling",
        purpose: "time per name of profiles with up to a million names; writes docs/performance.md",
        run: scaling::run,
    },
    Command {
        name: "units",
        purpose: "an array with a unit beside the raw vector; writes docs/performance.md",
        run: units::run,
    },
    Command {
        name: "compile-time",
        purpose: "what the derive costs to compile, beside serde's; writes docs/performance.md",
        run: compile_time::run,
    },
    Command {
        name: "browser",
        purpose: "pages in headless Chromium: figures, keyboard, hostile names, looks and speed",
        run: browser::run,
    },
    Command {
        name: "gallery",
        purpose: "draws docs/gallery from a session of the example source_index",
        run: browser::gallery,
    },
    Command {
        name: "exports",
        purpose: "each format, read by a program that others wrote; `exports FORMAT…`: only these",
        run: exports::run,
    },
    Command {
        name: "overhead",
        purpose: "instructions that global allocators add to a call; writes docs/performance.md",
        run: overhead::run,
    },
    Command {
        name: "overhead-time",
        purpose: "time under each of them; writes docs/performance.md",
        run: overhead_time::run,
    },
    Command {
        name: "session-cost",
        purpose: "what recording costs an indexer of sources; writes docs/performance.md",
        run: session_cost::run,
    },
    Command {
        name: "large-files",
        purpose: "the commands on a profile of a million leaves; writes docs/performance.md",
        run: large_files::run,
    },
    Command {
        name: "recording",
        purpose: "records a small program for the test that keeps the file format readable",
        run: recording::run,
    },
    Command {
        name: "faults",
        purpose: "a recorded program, killed 200 times, signalled, without disk and memory",
        run: faults::run,
    },
    Command {
        name: "fuzz",
        purpose: "each parser under libFuzzer, ten minutes each; `fuzz [SECONDS] [TARGET…]`",
        run: fuzz::run,
    },
    Command {
        name: "guest",
        purpose: "a program behaves with memprof as without it; `guest CASE…`: only these",
        run: guest::run,
    },
    Command {
        name: "week",
        purpose: "120,960 snapshots under a fast clock: memory and files stay bounded",
        run: week::run,
    },
    Command {
        name: "idle",
        purpose: "10,000 snapshots of an idle program at each level: heap and RSS stay flat",
        run: idle::run,
    },
    Command {
        name: "politeness",
        purpose: "how long writers wait for a profiled root; writes docs/performance.md",
        run: politeness::run,
    },
];

fn main() -> ExitCode {
    let wanted = std::env::args().nth(1);
    if wanted.as_deref() == Some(measure::NAME) {
        return measure::run(std::env::args_os().skip(2));
    }
    let command = COMMANDS.iter().find(|command| Some(command.name) == wanted.as_deref());
    let Some(command) = command else {
        for Command { name, purpose, .. } in COMMANDS {
            eprintln!("cargo xtask {name:<14} {purpose}");
        }
        return ExitCode::FAILURE;
    };
    match (command.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("cargo xtask {}: {why}", command.name);
            ExitCode::FAILURE
        }
    }
}

/// What has this name in the folder for all that is built, such as a folder of a check's own.
fn target(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace().join("target")).join(name)
}

/// The root of the workspace.
fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
