//! A program below `tests/packages/leaking_crates`, built with one version of the crate that it depends on.

use crate::tools::output;
use crate::{Failure, target, workspace};
use core::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The comment at the end of the line that has to be named.
const MARKER: &str = "// the leak";

/// The debug information that a program keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Line tables.
    Release,
    /// Nothing. The names come from the other file.
    Stripped,
}

pub(super) struct Program {
    /// The copy of the package, which depends on the wanted version.
    package: PathBuf,
    /// The line of the marker.
    pub(super) line: usize,
}

impl Program {
    /// Builds a program whose `dependency` has another version than its manifest states.
    pub(super) fn build(
        name: &str,
        dependency: &str,
        stated: &str,
        version: &str,
    ) -> Result<Self, Failure> {
        let source = workspace().canonicalize()?.join("tests/packages/leaking_crates").join(name);
        // The folder must not look like that of a fetched package.
        let is_leaking = version == stated;
        let package = target("leaks").join(name).join(if is_leaking { "leaking" } else { "fixed" });
        fs::create_dir_all(package.join("src"))?;
        let manifest = fs::read_to_string(source.join("Cargo.toml"))?;
        let is_stated = |line: &&str| {
            line.starts_with(&format!("{dependency} = "))
                && line.contains(&format!("\"={stated}\""))
        };
        if manifest.lines().filter(is_stated).count() != 1 {
            return Err(format!("{name} does not depend on {dependency} {stated}").into());
        }
        let manifest = manifest
            .replace(&format!("\"={stated}\""), &format!("\"={version}\""))
            .replace("\"../../..\"", &format!("'{}'", workspace().canonicalize()?.display()));
        let main = fs::read_to_string(source.join("src/main.rs"))?;
        let marked = main.lines().position(|line| line.ends_with(MARKER));
        let line = 1 + marked.ok_or_else(|| format!("{name} marks no line"))?;
        let has_switch = manifest.contains("\nfixed = []");
        fs::write(package.join("Cargo.toml"), manifest)?;
        // Cargo only adds to the lock file what the crates of memprof depend on since it was written.
        let lock = if is_leaking { "Cargo.lock" } else { "fixed.lock" };
        fs::copy(source.join(lock), package.join("Cargo.lock"))?;
        fs::write(package.join("src/main.rs"), main)?;
        let program = Self { package, line };
        for variant in [Variant::Release, Variant::Stripped] {
            fs::create_dir_all(program.folder(variant))?;
        }
        let built = target("leaks/build");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--release"]).current_dir(&program.package);
        if has_switch && !is_leaking {
            cargo.args(["--features", "fixed"]);
        }
        output(cargo.env("CARGO_TARGET_DIR", &built))?;
        let path = built.join("release").join(format!("service-with-{}", name.replace('_', "-")));
        fs::copy(path, program.path(Variant::Release))?;
        let mut strip = Command::new("strip");
        strip.arg("-o").args([program.path(Variant::Stripped), program.path(Variant::Release)]);
        output(&mut strip)?;
        Ok(program)
    }

    /// Runs the program. Returns the file that it recorded.
    pub(super) fn record(&self, variant: Variant, number: usize) -> Result<PathBuf, Failure> {
        let folder = self.package.join(format!("{variant}-{number}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        output(Command::new(self.path(variant)).arg(&folder))?;
        let files: Result<Vec<_>, _> = fs::read_dir(&folder)?.collect();
        let mut files = files?.into_iter().map(|file| file.path());
        let recorded = files.find(|file| file.extension().is_some_and(|is| is == "json"));
        recorded.ok_or_else(|| format!("no recording in {}", folder.display()).into())
    }

    /// Returns what `memprof leaks` prints.
    pub(super) fn suspects(
        &self,
        memprof: &Path,
        variant: Variant,
        recording: &Path,
    ) -> Result<String, Failure> {
        let mut command = Command::new(memprof);
        command.arg("leaks").current_dir(&self.package);
        if variant == Variant::Stripped {
            command.arg("--debug-dir").arg(self.folder(Variant::Release));
        }
        output(command.arg(recording))
    }

    fn folder(&self, variant: Variant) -> PathBuf {
        self.package.join(variant.to_string())
    }

    fn path(&self, variant: Variant) -> PathBuf {
        self.folder(variant).join("service")
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Release => "release",
            Self::Stripped => "stripped",
        })
    }
}
