//! Linkers and emulators for programs of another platform on Linux.

use super::{Outcome, check};
use crate::Failure;
use crate::outcomes::passed;
use crate::tools::apt_install;
use std::path::Path;
use std::process::Stdio;

/// A linker, and the program that runs its output.
pub(super) struct Machine {
    name: &'static str,
    /// The Debian packages that contain both.
    packages: &'static [&'static str],
    /// Files that exist if the packages are installed.
    files: &'static [&'static str],
    linker: &'static str,
    /// The runner; empty if the processor itself runs the programs.
    runner: &'static str,
    tests: &'static [Tests],
}

/// The arguments that select tests, and the selected tests that are left out, each with the reason.
struct Tests {
    arguments: &'static [&'static str],
    left_out: &'static [(&'static str, &'static str)],
}

pub(super) const AARCH64: Machine = Machine {
    name: "qemu",
    packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
    files: &["/usr/bin/aarch64-linux-gnu-gcc", "/usr/bin/qemu-aarch64"],
    linker: "aarch64-linux-gnu-gcc",
    runner: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
    tests: &[HEAP_EMULATED, EXACTNESS],
};

/// The machine for 32 bits. It uses a cross compiler instead of `gcc-multilib`, which cannot be
/// installed together with the cross compiler for aarch64.
pub(super) const I686: Machine = Machine {
    name: "this processor",
    packages: &["gcc-i686-linux-gnu", "libc6-dev-i386-cross", "libc6-i386", "lib32gcc-s1"],
    files: &["/usr/bin/i686-linux-gnu-gcc", "/lib/ld-linux.so.2", "/usr/lib32/libgcc_s.so.1"],
    linker: "i686-linux-gnu-gcc",
    runner: "",
    tests: &[HEAP, EXACTNESS],
};

const HEAP: Tests = Tests { arguments: &["--package", "memprof-heap", "--tests"], left_out: &[] };

const HEAP_EMULATED: Tests = Tests {
    arguments: HEAP.arguments,
    left_out: &[
        ("short_threads::", "100,000 threads take an hour under emulation"),
        ("load::", "so do 100,000 threads and 400,000 calls of operations"),
        (
            "children_forked_while_threads_",
            "an assertion of qemu ends a child that was forked while other threads ran",
        ),
    ],
};

const EXACTNESS: Tests =
    Tests { arguments: &["--package", "memprof", "--test", "exactness"], left_out: &[] };

impl Machine {
    /// Runs the tests, and returns one outcome for each set.
    pub(super) fn run_tests(&self, platform: &str) -> Result<Vec<Outcome>, Failure> {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            let reason = "its tests are run on Linux with x86-64 only".to_owned();
            return Ok(vec![Outcome::Skipped(reason)]);
        }
        if let Err(problem) = self.install() {
            let remedy = format!("apt-get install {}", self.packages.join(" "));
            return Ok(vec![Outcome::Missing { problem, remedy }]);
        }
        self.tests.iter().map(|tests| self.run(platform, tests)).collect()
    }

    fn install(&self) -> Result<(), String> {
        let missing = || self.files.iter().find(|file| !Path::new(file).exists());
        if missing().is_none() {
            return Ok(());
        }
        apt_install(self.packages);
        missing().map_or(Ok(()), |file| Err(format!("{file} is missing")))
    }

    fn run(&self, platform: &str, tests: &Tests) -> Result<Outcome, Failure> {
        let variable = platform.replace('-', "_").to_uppercase();
        let mut cargo = check::cargo("test", platform, "platforms/test");
        cargo.env(format!("CARGO_TARGET_{variable}_LINKER"), self.linker);
        if !self.runner.is_empty() {
            cargo.env(format!("CARGO_TARGET_{variable}_RUNNER"), self.runner);
            // Tests that start their own program again need the runner.
            cargo.env("MEMPROF_TEST_RUNNER", self.runner);
        }
        cargo.args(["--no-fail-fast"]).args(tests.arguments).arg("--");
        cargo.args(tests.left_out.iter().flat_map(|(name, _)| ["--skip", name]));
        let output = cargo.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let tested = tests.arguments[1..].join(" ");
        if !output.status.success() {
            eprintln!("{text}");
            return Ok(Outcome::Failed(format!("tests of {tested} on {}", self.name)));
        }
        let passed = format!("{} tests of {tested} passed on {}", passed(&text), self.name);
        let left_out =
            tests.left_out.iter().map(|(name, reason)| format!("without {name}: {reason}"));
        let ignored = ignored(&text).map(|(name, reason)| format!("without {name}: {reason}"));
        let parts: Vec<_> = [passed].into_iter().chain(left_out).chain(ignored).collect();
        Ok(Outcome::Passed(parts.join("; ")))
    }
}

/// Returns the ignored tests, each with its reason.
fn ignored(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix("test ")?.split_once(" ... ignored, "))
}
