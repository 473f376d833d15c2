//! `cargo xtask leaks [PART…]`: programs with a known leak of a published crate. The first suspect
//! has to name the user's line and the file of the crate, also for a stripped program. With the
//! fixed version there must be no suspect.

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

/// A published crate with a leak that a later version fixed.
struct Leak {
    /// The folder of the program below `tests/packages/leaking_crates`.
    name: &'static str,
    /// The crate, its version with the leak, and the version that fixed it.
    dependency: &'static str,
    versions: [&'static str; 2],
    /// The package and the file that keep the memory.
    site: (&'static str, &'static str),
}

const LEAKS: [Leak; 3] = [
    Leak {
        name: "moka",
        dependency: "moka",
        versions: ["0.12.0", "0.12.1"],
        site: ("moka", "src/future/value_initializer.rs"),
    },
    Leak {
        name: "metrics",
        dependency: "metrics-exporter-prometheus",
        versions: ["0.13.1", "0.14.0"],
        site: ("metrics-util", "src/bucket.rs"),
    },
    Leak {
        name: "tokio_util",
        dependency: "tokio-util",
        versions: ["0.7.1", "0.7.2"],
        site: ("tokio-util", "src/sync/cancellation_token.rs"),
    },
];

/// The build of a program. The names of a stripped one come from the other file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Build {
    Leaking,
    Stripped,
    Fixed,
}

/// The number of runs of each build.
const RUNS: usize = 3;

/// The comment at the end of the line that has to be named.
const MARKER: &str = "// the leak";

/// Runs the programs whose name contains one of the parts.
pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let names = chosen("leak", parts, LEAKS.map(|leak| leak.name))?;
    let memprof = built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?;
    let leaks = LEAKS.iter().filter(|leak| names.contains(&leak.name));
    let builds = [Build::Leaking, Build::Stripped, Build::Fixed];
    run_all(
        leaks.flat_map(|leak| builds.map(|build| (leak, build))),
        |(leak, build)| format!("{} {}, {build:?}", leak.dependency, leak.version(*build)),
        |(leak, build)| leak.check(*build, &memprof),
    )
}

impl Leak {
    fn version(&self, build: Build) -> &'static str {
        self.versions[usize::from(build == Build::Fixed)]
    }

    /// Builds the program, and runs it several times at once.
    fn check(&self, build: Build, memprof: &Path) -> Result<Outcome, Failure> {
        let (package, line) = self.package(build)?;
        let program = self.build(build, &package)?;
        let run = |number: usize| {
            let folder = package.join(format!("{build:?}-{number}"));
            let suspects = suspects(&program, build, &folder, memprof);
            self.verdict(build, line, &suspects.map_err(|error| error.to_string())?)
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

    /// Copies the package, and makes it depend on the wanted version. Returns the folder, and the
    /// line of the marker.
    fn package(&self, build: Build) -> Result<(PathBuf, u64), Failure> {
        let Self { name, dependency, versions: [stated, fixed], .. } = self;
        let workspace = workspace().canonicalize()?;
        let source = workspace.join("tests/packages/leaking_crates").join(name);
        let is_fixed = build == Build::Fixed;
        // The folder must not look like that of a downloaded package.
        let package = target("leaks").join(name).join(if is_fixed { "fixed" } else { "leaking" });
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
        let marked = main.lines().position(|line| line.ends_with(MARKER));
        let line = marked.ok_or_else(|| format!("{name} marks no line"))? + 1;
        fs::write(package.join("src/main.rs"), main)?;
        Ok((package, line as u64))
    }

    /// Returns the built program: `full/service`, or `stripped/service` without debug information.
    fn build(&self, build: Build, package: &Path) -> Result<PathBuf, Failure> {
        let folder = target("leaks/build");
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

    /// Compares the first suspect with what the program does. Returns a row for the table.
    fn verdict(&self, build: Build, line: u64, suspects: &Value) -> Result<String, String> {
        let first = &suspects["leaks"][0];
        if build == Build::Fixed {
            let is_clean = suspects["leaks"].as_array().is_some_and(Vec::is_empty);
            return is_clean
                .then(|| "no suspect".to_owned())
                .ok_or(format!("a suspect: {first:#}"));
        }
        let file = |frame: &Value| frame["file"].as_str().unwrap_or_default().to_owned();
        let user = &first["your_code"];
        if !file(user).ends_with("src/main.rs") || user["line"] != line {
            return Err(format!("src/main.rs:{line} is not the user's line of {first:#}"));
        }
        let (package, site) = self.site;
        let allocates =
            first["allocates"].as_array().into_iter().flatten().chain([&first["calls"]]);
        let is_named =
            |file: String| file.contains(&format!("/{package}-")) && file.ends_with(site);
        if !allocates.map(file).any(is_named) {
            return Err(format!("{package}/{site} does not allocate in {first:#}"));
        }
        Ok(format!("src/main.rs:{line} and {package}/{site}"))
    }
}

/// Runs the program, and returns what `memprof leaks --json` prints.
fn suspects(program: &Path, build: Build, folder: &Path, memprof: &Path) -> Result<Value, Failure> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    output(Command::new(program).arg(folder))?;
    let files = fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path()));
    let recordings = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut command = Command::new(memprof);
    command.args(["leaks", "--json"]).args(recordings);
    if build == Build::Stripped {
        command.arg("--debug-dir").arg(program.with_file_name("../full"));
    }
    Ok(serde_json::from_str(&output(&mut command)?)?)
}
