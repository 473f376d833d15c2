//! `cargo xtask pull-request`: the steps of `action/action.yml` on published programs, of which
//! only `Cargo.toml` and `main.rs` are changed, as a user changes them. One is in a subfolder of its
//! repository.
//!
//! The first commit adds memprof, the second one a cache that nobody needs. The comparison of the
//! second with the first must exceed the limit and mark the peak, and the comparison of the second
//! with itself must do neither.

use crate::built::built;
use crate::report::{Outcome, run_all};
use crate::tools::output;
use crate::{Failure, target, workspace};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A published program, its version, its folder in the repository, and how it is run.
struct Program {
    name: &'static str,
    version: &'static str,
    folder: &'static str,
    arguments: &'static str,
}

const PROGRAMS: [Program; 3] = [
    Program { name: "hexyl", version: "0.14.0", folder: "", arguments: "src/main.rs" },
    Program { name: "grex", version: "1.4.5", folder: "tools/grex", arguments: "alpha beta gamma" },
    Program { name: "pulldown-cmark", version: "0.12.2", folder: "", arguments: "<README.md" },
];

const SESSION: &str = "\n    let _session = memprof::Session::start();";
/// Behind the session, which counts from its start.
const CACHE: &str =
    "\n    let _cache: Vec<String> = (0..20_000).map(|row| format!(\"row {row}\")).collect();";
const ALLOCATOR: &str = "
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();
";

pub(crate) fn run() -> Result<(), Failure> {
    let memprof = built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?;
    let folder = target("pull-request");
    // The folders of packages must not be below another workspace, and git finds the nearest one.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    run_all(
        PROGRAMS.iter(),
        |program| format!("{} {}", program.name, program.version),
        |program| program.check(&folder, &memprof),
    )
}

impl Program {
    fn check(&self, folder: &Path, memprof: &Path) -> Result<Outcome, Failure> {
        let package = self.download(folder)?;
        git(&folder.join(self.name), &["init", "--quiet"])?;
        let manifest = package.join("Cargo.toml");
        let root = workspace().canonicalize()?;
        let added = format!(
            "\n[dependencies.memprof]\npath = '{}'\nfeatures = [\"session\"]\n\n[workspace]\n",
            root.display()
        );
        fs::write(&manifest, fs::read_to_string(&manifest)? + &added)?;
        fs::write(package.join(".gitignore"), "target\n")?;
        let main = package.join("src/main.rs");
        let text = fs::read_to_string(&main)?;
        let start = text.find("fn main()").ok_or("the program has a main")?;
        let body = start + text[start..].find("{\n").ok_or("main has a body")? + 1;
        let (head, body) = text.split_at(body);
        fs::write(&main, format!("{head}{SESSION}{body}{ALLOCATOR}"))?;
        // The package's own lock file may have versions that are too old for memprof.
        let mut cargo = Command::new(env!("CARGO"));
        output(cargo.args(["update", "--quiet"]).current_dir(&package))?;
        commit(&package)?;
        fs::write(&main, format!("{head}{SESSION}{CACHE}{body}{ALLOCATOR}"))?;
        commit(&package)?;

        let (code, table) = self.compare(folder, "HEAD~1", memprof)?;
        let is_found =
            table.lines().any(|line| line.starts_with("| **+") && line.contains("`peak`"));
        if code != Some(1) || !is_found || !table.contains("- peak grew in all runs") {
            return Err(format!("the cache was not found; exit code {code:?}:\n{table}").into());
        }
        let (code, table) = self.compare(folder, "HEAD", memprof)?;
        if code != Some(0) || table.contains("**") {
            return Err(format!("a change without one; exit code {code:?}:\n{table}").into());
        }
        Ok(Outcome::Passed("found the cache, and nothing without it".to_owned()))
    }

    fn package(&self, folder: &Path) -> PathBuf {
        folder.join(self.name).join(self.folder)
    }

    /// Copies the package from cargo's own download, which cargo makes for a dependency.
    fn download(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let Self { name, version, .. } = self;
        let user = folder.join(format!("download-{name}"));
        fs::create_dir_all(user.join("src"))?;
        fs::write(user.join("src/lib.rs"), "")?;
        let manifest = format!(
            "[package]\nname = \"download\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \
             \"={version}\"\n\n[workspace]\n"
        );
        fs::write(user.join("Cargo.toml"), manifest)?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--format-version", "1"]).current_dir(&user);
        let metadata: Value = serde_json::from_str(&output(&mut cargo)?)?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        let manifest = packages
            .filter(|package| package["name"] == *name)
            .find_map(|package| package["manifest_path"].as_str())
            .ok_or("cargo downloads the dependency")?;
        let package = self.package(folder);
        fs::create_dir_all(&package)?;
        let from = Path::new(manifest).with_file_name(".");
        output(Command::new("cp").arg("-r").arg(from).arg(&package))?;
        Ok(package)
    }

    /// Runs the script of the action. Returns its exit code and the table.
    fn compare(
        &self,
        folder: &Path,
        base: &str,
        memprof: &Path,
    ) -> Result<(Option<i32>, String), Failure> {
        let table = folder.join(format!("{}.md", self.name));
        let script = workspace().canonicalize()?.join("action/compare.sh");
        // One folder for the intermediate files of all builds, so that memprof is compiled once. The
        // programs are in the target folder of each checkout.
        let builds = folder.join("build");
        let output = Command::new(script)
            .current_dir(self.package(folder))
            .env("BASE", base)
            .env("BUILD", "cargo build --quiet")
            .env("CARGO_BUILD_BUILD_DIR", &builds)
            .env("RUN", format!("target/debug/{} {}", self.name, self.arguments))
            .env("RUNS", "4")
            .env("LIMITS", "peak=5%\nallocated=50%")
            .env("OUT", &table)
            .env("MEMPROF", memprof)
            .output()?;
        let text = fs::read_to_string(&table).unwrap_or_default();
        let errors = String::from_utf8_lossy(&output.stderr);
        Ok((output.status.code(), format!("{text}\n{errors}")))
    }
}

fn commit(package: &Path) -> Result<(), Failure> {
    git(package, &["add", "--all"])?;
    let author = ["-c", "user.name=memprof", "-c", "user.email=memprof@localhost"];
    git(package, &[&author[..], &["commit", "--quiet", "--message", "Change"]].concat())
}

fn git(package: &Path, arguments: &[&str]) -> Result<(), Failure> {
    output(Command::new("git").arg("-C").arg(package).args(arguments)).map(drop)
}
