//! `cargo xtask platforms [PART…]`: types and lints of the workspace for other platforms. For
//! platforms that this machine can emulate, it runs tests too.

use crate::report::run_all;
use crate::runs::{Need, Run};
use crate::usage::chosen;
use crate::{Failure, cargo, target};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, absolute};
use std::{fs, io};

/// The platforms, by the compiler's names, with the packages that do not build for them. The
/// benchmarks use functions that only Unix has.
const PLATFORMS: [(&str, &str); 6] = [
    ("x86_64-pc-windows-msvc", "--exclude memprof-benches --exclude memprof-heap-benches"),
    ("aarch64-apple-darwin", ""),
    (AARCH64.target, ""),
    (I686.target, ""),
    ("aarch64-linux-android", ""),
    ("x86_64-unknown-freebsd", ""),
];

/// The linker and the emulator with which this host builds and runs a platform's tests.
struct Machine {
    target: &'static str,
    /// The Debian packages, and files of them.
    packages: &'static [&'static str],
    files: &'static [&'static str],
    linker: &'static str,
    /// The runner; empty if the processor itself runs the programs.
    runner: &'static str,
    left_out: &'static str,
}

const AARCH64: Machine = Machine {
    target: "aarch64-unknown-linux-gnu",
    packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
    files: &["/usr/bin/aarch64-linux-gnu-gcc", "/usr/bin/qemu-aarch64"],
    linker: "aarch64-linux-gnu-gcc",
    runner: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
    // 100,000 threads and 400,000 calls of operations take an hour under emulation. An assertion of
    // qemu ends a child that was forked while other threads ran.
    left_out: "--skip short_threads:: --skip load:: --skip children_forked_while_threads_",
};

/// The machine for 32 bits. It uses a cross compiler instead of `gcc-multilib`, which cannot be
/// installed together with the cross compiler for aarch64.
const I686: Machine = Machine {
    target: "i686-unknown-linux-gnu",
    packages: &["gcc-i686-linux-gnu", "libc6-dev-i386-cross", "libc6-i386", "lib32gcc-s1"],
    files: &["/usr/bin/i686-linux-gnu-gcc", "/lib/ld-linux.so.2", "/usr/lib32/libgcc_s.so.1"],
    linker: "i686-linux-gnu-gcc",
    runner: "",
    left_out: "",
};

pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let targets = chosen("platform", parts, PLATFORMS.map(|(name, _)| name))?;
    // The tests of dependencies read packages that only the other platforms need.
    if !cargo().args(["fetch", "--locked", "--quiet"]).status()?.success() {
        return Err("the packages of other platforms could not be downloaded".into());
    }
    let archiver = archiver(&target("platforms"))?;
    let chosen = PLATFORMS.iter().filter(|(name, _)| targets.contains(name));
    let checks = chosen.flat_map(|(name, excluded)| checks(name, excluded, &archiver));
    let machines =
        [&AARCH64, &I686].into_iter().filter(|machine| targets.contains(&machine.target));
    run_all(checks.chain(machines.flat_map(tests)), |run| run.name.clone(), Run::outcome)
}

/// Returns the checks that need only the compiler: lints, and the dependencies on a platform.
fn checks(platform: &'static str, excluded: &str, archiver: &str) -> [Run; 2] {
    let variable = platform.replace('-', "_");
    let lints = |name: &str, packages: &str| {
        Run::new(format!("{platform}: lints of {name}"))
            .folder("platforms")
            .need(Need::Target(platform))
            // Nothing is linked, so the C code of dependencies need not be compiled.
            .variable(format!("CC_{variable}"), "true")
            .variable(format!("AR_{variable}"), archiver)
            .cargo(format!(
                "clippy --locked --target {platform} --all-targets {packages} -- -D warnings"
            ))
    };
    let every = format!("--workspace {excluded} --features memprof/full,memprof-third-party/all");
    [
        lints("all packages", &every),
        Run::new(format!("{platform}: dependencies"))
            .variable("MEMPROF_FLOOR_TARGET", platform)
            .cargo("test --locked --quiet --package memprof --test facade floor::"),
    ]
}

fn tests(machine: &Machine) -> [Run; 2] {
    let Machine { target, packages, files, linker, runner, left_out } = *machine;
    let variable = format!("CARGO_TARGET_{}", target.replace('-', "_").to_uppercase());
    let tests = |name: &str, arguments: &str| {
        let mut run = Run::new(format!("{target}: {name}"))
            .folder("platforms/test")
            .need(Need::LinuxX86)
            .need(Need::Target(target))
            .variable(format!("{variable}_LINKER"), linker)
            .cargo(format!("test --locked --target {target} --no-fail-fast {arguments}"));
        for file in files {
            run = run.need(Need::File(file, packages));
        }
        if runner.is_empty() {
            return run;
        }
        // Tests that start their own program again need the runner.
        run.variable(format!("{variable}_RUNNER"), runner).variable("MEMPROF_TEST_RUNNER", runner)
    };
    [
        tests("memprof-heap", &format!("--package memprof-heap --tests -- {left_out}")),
        tests("exactness", "--package memprof --test exactness"),
    ]
}

/// Returns a program that creates empty archives: builds for Windows need the files to exist.
fn archiver(folder: &Path) -> io::Result<String> {
    const SCRIPT: &str =
        "#!/bin/sh\nfor word; do case $word in -out:*) : > \"${word#-out:}\";; esac; done\n";
    fs::create_dir_all(folder)?;
    let path = absolute(folder.join("archiver"))?;
    // Cargo would compile the dependencies again after the file has changed.
    if !fs::read_to_string(&path).is_ok_and(|now| now == SCRIPT) {
        fs::write(&path, SCRIPT)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(path.to_string_lossy().into_owned())
}
