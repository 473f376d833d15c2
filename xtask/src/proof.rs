//! `cargo xtask proof [PART…]`: programs with a known leak or bloat of a published crate.
//!
//! Each case is a package below `tests/packages/proof`. It runs with the version that has the
//! defect, with the same version but stripped, and with the fixed version. For the first two,
//! memprof has to name the user's line and the file of the crate:
//!
//! - A leak: the first suspect of `memprof leaks`. With the fixed version there must be no suspect.
//! - A bloat: the largest call site of `memprof info` at the checkpoint `held`. The bytes that are
//!   live there are above a limit, and below it with the fixed version.
//!
//! `docs/proof.md` lists the cases.

use crate::built::built;
use crate::report::{Outcome, run_all};
use crate::tools::output;
use crate::usage::chosen;
use crate::{Failure, target, workspace};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// A published crate with a defect that a later version or an option removed.
struct Case {
    /// The folder of the program below `tests/packages/proof`.
    name: &'static str,
    /// The crate, its version with the defect, and the fixed version. If both are the same, the
    /// program's feature `fixed` sets an option.
    dependency: [&'static str; 3],
    /// The package and the file that allocate the memory, or nothing if the user's line does.
    site: &'static str,
    defect: Defect,
}

#[derive(Clone, Copy)]
enum Defect {
    Leak,
    /// The live bytes are above this limit, in MiB, and below it with the fixed version.
    Bloat(u64),
}

const fn leak(name: &'static str, dependency: [&'static str; 3], site: &'static str) -> Case {
    Case { name, dependency, site, defect: Defect::Leak }
}

const fn bloat(
    name: &'static str,
    dependency: [&'static str; 3],
    site: &'static str,
    limit: u64,
) -> Case {
    Case { name, dependency, site, defect: Defect::Bloat(limit) }
}

const CASES: &[Case] = &[
    leak("moka", ["moka", "0.12.0", "0.12.1"], "moka/src/future/value_initializer.rs"),
    leak(
        "metrics",
        ["metrics-exporter-prometheus", "0.13.1", "0.14.0"],
        "metrics-util/src/bucket.rs",
    ),
    leak(
        "tokio_util",
        ["tokio-util", "0.7.1", "0.7.2"],
        "tokio-util/src/sync/cancellation_token.rs",
    ),
    leak("tokio_runtime", ["tokio", "1.2.0", "1.4.0"], "tokio/src/sync/mpsc/chan.rs"),
    leak("tokio_broadcast", ["tokio", "0.2.20", "0.2.21"], "tokio/src/sync/broadcast.rs"),
    leak("bytes", ["bytes", "1.10.0", "1.10.1"], "bytes/src/bytes.rs"),
    leak("bytes_reserve", ["bytes", "1.2.0", "1.2.1"], "bytes/src/bytes_mut.rs"),
    leak(
        "futures",
        ["futures-util", "0.3.32", "0.3.33"],
        "futures-util/src/stream/futures_unordered/mod.rs",
    ),
    leak("h2", ["h2", "0.3.16", "0.3.18"], "h2/src/proto/streams/store.rs"),
    leak("lru", ["lru", "0.6.2", "0.6.3"], ""),
    leak("slotmap", ["slotmap", "1.0.7", "1.1.0"], "slotmap/src/basic.rs"),
    bloat(
        "crossbeam_channel",
        ["crossbeam-channel", "0.5.0", "0.5.8"],
        "crossbeam-channel/src/flavors/list.rs",
        4,
    ),
    bloat("regex_set", ["regex", "1.9.1", "1.9.2"], "regex-automata/src/nfa/thompson/pikevm.rs", 4),
    bloat("regex_threads", ["regex", "1.4.3", "1.4.4"], "regex/src/sparse.rs", 20),
    bloat(
        "tracing_registry",
        ["tracing-subscriber", "0.2.13", "0.2.14"],
        "sharded-slab/src/shard.rs",
        2,
    ),
    bloat("tungstenite", ["tungstenite", "0.25.0", "0.25.0"], "bytes/src/bytes_mut.rs", 8),
];

/// The build of a program. The names of a stripped one come from the other file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    Defective,
    Stripped,
    Fixed,
}

const RUNS: usize = 3;

/// The comments at the end of the line that has to be named.
const MARKERS: [&str; 2] = ["// the leak", "// the bloat"];

pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let names = chosen("case", parts, CASES.iter().map(|case| case.name))?;
    let memprof = built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?;
    let cases = CASES.iter().filter(|case| names.contains(&case.name));
    let builds = [Build::Defective, Build::Stripped, Build::Fixed];
    run_all(
        cases.flat_map(|case| builds.map(|build| (case, build))),
        |(case, build)| format!("{}: {}, {build:?}", case.name, case.version(*build)),
        |(case, build)| case.check(*build, &memprof),
    )
}

impl Case {
    fn version(&self, build: Build) -> String {
        let [dependency, stated, fixed] = self.dependency;
        format!("{dependency} {}", if build == Build::Fixed { fixed } else { stated })
    }

    fn check(&self, build: Build, memprof: &Path) -> Result<Outcome, Failure> {
        let (package, line) = self.package(build)?;
        let program = self.build(build, &package)?;
        let run = |number: usize| {
            let folder = package.join(format!("{build:?}-{number}"));
            let verdict = record(&program, &folder).and_then(|recording| {
                let memprof = Reader { program: memprof, full: package.join("full"), recording };
                self.verdict(build, line, &memprof)
            });
            verdict.map_err(|error| error.to_string())
        };
        let run = &run;
        let runs: Vec<Result<String, String>> = thread::scope(|scope| {
            let running: Vec<_> =
                (0..RUNS).map(|number| scope.spawn(move || run(number))).collect();
            running.into_iter().map(|run| run.join().expect("no run panics")).collect()
        });
        let named = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok(Outcome::Passed(format!("{} in {RUNS} of {RUNS} runs", named[0])))
    }

    /// Copies the package with the wanted version. Returns the folder, and the line of the marker.
    fn package(&self, build: Build) -> Result<(PathBuf, u64), Failure> {
        let Self { name, dependency: [dependency, stated, fixed], .. } = self;
        let workspace = workspace().canonicalize()?;
        let source = workspace.join("tests/packages/proof").join(name);
        let is_fixed = build == Build::Fixed;
        // The folder must not look like that of a downloaded package.
        let package = target("proof").join(name).join(if is_fixed { "fixed" } else { "defective" });
        fs::create_dir_all(package.join("src"))?;
        let mut manifest = fs::read_to_string(source.join("Cargo.toml"))?;
        let version = format!("\"={stated}\"");
        let is_stated =
            |line: &str| line.starts_with(&format!("{dependency} = ")) && line.contains(&version);
        if manifest.lines().filter(|line| is_stated(line)).count() != 1 {
            return Err(format!("{name} does not depend on {dependency} {stated}").into());
        }
        if is_fixed {
            manifest = manifest.replace(&version, &format!("\"={fixed}\""));
            // A program whose code differs with the fixed version has this feature.
            manifest = manifest.replace("\nfixed = []", "\ndefault = [\"fixed\"]\nfixed = []");
        }
        let root = format!("'{}'", workspace.display());
        fs::write(package.join("Cargo.toml"), manifest.replace("\"../../../..\"", &root))?;
        // Cargo only adds to the lock file what the crates of memprof depend on since it was written.
        let lock = if is_fixed { "fixed.lock" } else { "Cargo.lock" };
        fs::copy(source.join(lock), package.join("Cargo.lock"))?;
        let main = fs::read_to_string(source.join("src/main.rs"))?;
        let line = marked_line(&main).ok_or_else(|| format!("{name} marks no line"))?;
        fs::write(package.join("src/main.rs"), main)?;
        Ok((package, line))
    }

    fn build(&self, build: Build, package: &Path) -> Result<PathBuf, Failure> {
        let folder = target("proof/build");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release"]).current_dir(package);
        output(cargo.env("CARGO_TARGET_DIR", &folder))?;
        let name = format!("release/service-with-{}", self.name.replace('_', "-"));
        let [full, stripped] = ["full", "stripped"].map(|folder| package.join(folder));
        fs::create_dir_all(&full)?;
        fs::create_dir_all(&stripped)?;
        let [full, stripped] = [full, stripped].map(|folder| folder.join("service"));
        fs::copy(folder.join(name), &full)?;
        if build != Build::Stripped {
            return Ok(full);
        }
        output(Command::new("strip").arg("-o").args([&stripped, &full]))?;
        Ok(stripped)
    }

    /// Compares what memprof prints with what the program does. Returns a row for the table.
    fn verdict(&self, build: Build, line: u64, memprof: &Reader) -> Result<String, Failure> {
        match self.defect {
            Defect::Leak => {
                let suspects = memprof.json("leaks", "")?;
                memprof.check_brief(&suspects)?;
                self.leaks(build, line, &suspects)
            }
            Defect::Bloat(limit) => {
                let info = memprof.json("info", "@held")?;
                let bytes = info["snapshots"][0]["heap"]["live_bytes"].as_u64();
                let bytes = bytes.ok_or("the checkpoint has no live bytes")?;
                let held = format!("{} KiB are live", bytes >> 10);
                if (bytes > limit << 20) == (build == Build::Fixed) {
                    return Err(format!("{held}, and the limit is {limit} MiB").into());
                }
                if build == Build::Fixed {
                    return Ok(held);
                }
                let named = self.largest(line, &memprof.text("info", "@held")?)?;
                Ok(format!("{held}, {named}"))
            }
        }
    }

    /// Compares the first suspect with the marked line and the file of the crate.
    fn leaks(&self, build: Build, line: u64, suspects: &Value) -> Result<String, Failure> {
        let first = &suspects["leaks"][0];
        if build == Build::Fixed {
            let is_clean = suspects["leaks"].as_array().is_some_and(Vec::is_empty);
            return is_clean
                .then(|| "no suspect".to_owned())
                .ok_or_else(|| format!("a suspect: {first:#}").into());
        }
        let file = |frame: &Value| frame["file"].as_str().unwrap_or_default().to_owned();
        let user = &first["your_code"];
        if !file(user).ends_with("src/main.rs") || user["line"] != line {
            return Err(format!("src/main.rs:{line} is not the user's line of {first:#}").into());
        }
        let mut allocates =
            first["allocates"].as_array().into_iter().flatten().chain([&first["calls"]]).map(file);
        if !allocates.any(|file| self.is_site(&file)) {
            return Err(format!("{} does not allocate in {first:#}", self.site).into());
        }
        Ok(self.named(line))
    }

    /// Compares the largest call site, `main (src/main.rs:9) → new (crate-1.0.0/src/lib.rs:7)`.
    fn largest(&self, line: u64, text: &str) -> Result<String, Failure> {
        let mut places = text.split(['(', ')']).filter(|part| part.contains(".rs:"));
        let mut place = || places.next().and_then(|place| place.rsplit_once(':'));
        let is_named = place().is_some_and(|(file, number)| {
            file.ends_with("src/main.rs") && number == line.to_string()
        }) && place().is_some_and(|(file, _)| self.is_site(&format!("/{file}")));
        if is_named {
            return Ok(self.named(line));
        }
        Err(format!("{} is not the largest call site of\n{text}", self.named(line)).into())
    }

    fn named(&self, line: u64) -> String {
        let and = if self.site.is_empty() { "" } else { " and " };
        format!("src/main.rs:{line}{and}{}", self.site)
    }

    fn is_site(&self, file: &str) -> bool {
        let Some((package, site)) = self.site.split_once('/') else { return true };
        file.contains(&format!("/{package}-")) && file.ends_with(site)
    }
}

struct Reader<'p> {
    program: &'p Path,
    /// The folder of the program with debug information.
    full: PathBuf,
    recording: PathBuf,
}

impl Reader<'_> {
    fn text(&self, command: &str, moment: &str) -> Result<String, Failure> {
        output(&mut self.command(command, moment))
    }

    fn json(&self, command: &str, moment: &str) -> Result<Value, Failure> {
        Ok(serde_json::from_str(&output(self.command(command, moment).arg("--json"))?)?)
    }

    /// Checks that the calls for agents answer in few bytes, and name the same first suspect.
    fn check_brief(&self, suspects: &Value) -> Result<(), Failure> {
        const MOST_BYTES: usize = 5_000;
        for command in ["info", "leaks"] {
            let text = output(self.command(command, "").args(["--json", "--limit", "3"]))?;
            let brief: Value = serde_json::from_str(&text)?;
            if text.len() > MOST_BYTES {
                return Err(format!("{command} --limit 3 prints {} bytes", text.len()).into());
            }
            let first = |of: &Value| of["leaks"][0]["your_code"].clone();
            if command == "leaks" && first(&brief) != first(suspects) {
                return Err(format!("leaks --limit 3 begins with {}", first(&brief)).into());
            }
        }
        Ok(())
    }

    fn command(&self, command: &str, moment: &str) -> Command {
        let mut memprof = Command::new(self.program);
        memprof.arg(command).arg(format!("{}{moment}", self.recording.display()));
        memprof.arg("--debug-dir").arg(&self.full);
        memprof
    }
}

fn marked_line(main: &str) -> Option<u64> {
    let is_marked = |line: &str| MARKERS.iter().any(|marker| line.ends_with(marker));
    Some(main.lines().position(is_marked)? as u64 + 1)
}

fn record(program: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    output(Command::new(program).arg(folder))?;
    let mut files = fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path()));
    let recording = files.find(|path| path.extension().is_some_and(|ending| ending == "json"));
    recording.ok_or_else(|| format!("{} has no recording", folder.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the public thread that a program's first lines name, `owner/repo#number`.
    fn thread(main: &str) -> Option<&str> {
        let lines = main.lines().take_while(|line| line.starts_with("//!"));
        let mut words = lines.flat_map(|line| line.split([' ', '.', ',', '(']));
        words.find(|word| word.contains('/') && word.contains('#'))
    }

    #[test]
    fn the_page_lists_each_case_with_its_versions_thread_and_line() {
        let root = workspace();
        let page = fs::read_to_string(root.join("docs/proof.md")).expect("it is text");
        for Case { name, dependency: [dependency, stated, fixed], site, .. } in CASES {
            let main = root.join("tests/packages/proof").join(name).join("src/main.rs");
            let main = fs::read_to_string(main).expect("it is text");
            let line = marked_line(&main).expect("a line is marked");
            let row = page.lines().find(|row| row.starts_with(&format!("| `{name}` |")));
            let row = row.unwrap_or_else(|| panic!("docs/proof.md lacks {name}"));
            let thread = thread(&main).unwrap_or_else(|| panic!("{name} names no thread"));
            let fixed = if stated == fixed { "an option" } else { fixed };
            let parts = [*dependency, &format!("{stated}, {fixed}"), thread, site];
            for part in parts.into_iter().chain([&*format!("`main.rs:{line}`")]) {
                assert!(row.contains(part), "no {part} in {row}");
            }
        }
    }
}
