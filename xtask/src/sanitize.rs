//! `cargo xtask sanitize`: the tests of memprof-heap under valgrind and the sanitizers of nightly.

use crate::outcomes::{self, Outcome, passed};
use crate::tools::{has, has_nightly};
use crate::{Failure, target, workspace};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// Tests that a checker leaves out, with the reason.
struct Exclusion {
    tests: &'static str,
    reason: &'static str,
}

const SHORT_THREADS: Exclusion = Exclusion {
    tests: "short_threads::",
    reason: "100,000 threads take minutes one after the other",
};

const LOAD: Exclusion =
    Exclusion { tests: "load::", reason: "so do 400,000 calls of operations on eight threads" };

const VALGRIND_EXCLUSIONS: [Exclusion; 4] = [
    Exclusion {
        tests: "a_child_forked_while_names",
        reason: "under valgrind a child reads its debug information for longer than the test waits",
    },
    Exclusion {
        tests: "fork::",
        reason: "a child lacks its parent's other threads, so their memory counts as leaked",
    },
    SHORT_THREADS,
    LOAD,
];

const SANITIZER_EXCLUSIONS: [Exclusion; 4] = [
    SHORT_THREADS,
    LOAD,
    Exclusion {
        tests: "fork::",
        reason: "a child hung once, as if in a lock of the address sanitizer's own",
    },
    Exclusion {
        tests: "out_of_memory::",
        reason: "a sanitizer aborts if it gets no memory itself",
    },
];

/// A sanitizer of rustc, with its flags, and with options for false reports.
struct Sanitizer {
    name: &'static str,
    flags: &'static str,
    options: (&'static str, &'static str),
}

const SANITIZERS: [Sanitizer; 3] = [
    Sanitizer {
        name: "address",
        flags: "-Zsanitizer=address",
        options: ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1"),
    },
    Sanitizer { name: "leak", flags: "-Zsanitizer=leak", options: ("LSAN_OPTIONS", "exitcode=23") },
    Sanitizer {
        name: "thread",
        // std is compiled without the sanitizer. The file lists the false reports that this causes.
        flags: "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer",
        options: ("TSAN_OPTIONS", "suppressions=xtask/thread-sanitizer.txt"),
    },
];

pub(crate) fn run() -> Result<(), Failure> {
    let mut all = vec![("valgrind", valgrind()?)];
    for sanitizer in &SANITIZERS {
        all.push((sanitizer.name, sanitize(sanitizer)?));
    }
    for (tool, all) in
        [("valgrind", &VALGRIND_EXCLUSIONS[..]), ("sanitizers", &SANITIZER_EXCLUSIONS)]
    {
        for Exclusion { tests, reason } in all {
            println!("{tool}: without {tests}, as {reason}");
        }
    }
    outcomes::print(&all)
}

fn valgrind() -> Result<Outcome, Failure> {
    if !has("valgrind") {
        return Ok(Outcome::Skipped("valgrind is not installed"));
    }
    let mut cargo = crate::cargo();
    cargo.args(["test", "--package", "memprof-heap", "--tests"]);
    cargo.arg("--target-dir").arg(target("sanitize").join("valgrind"));
    let Some(binaries) = binaries(&mut cargo)? else { return Ok(Outcome::Failed) };
    under(binaries, || {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--quiet", "--error-exitcode=99", "--leak-check=full"]);
        valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        // Without fair scheduling, a thread that waits for another may wait for minutes.
        valgrind.args(["--fair-sched=yes"]);
        (valgrind, &VALGRIND_EXCLUSIONS[..])
    })
}

fn sanitize(sanitizer: &Sanitizer) -> Result<Outcome, Failure> {
    if !has_nightly() {
        return Ok(Outcome::Skipped("no nightly toolchain is installed"));
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped("tried on Linux with x86-64 only"));
    }
    let mut cargo = Command::new("rustup");
    cargo.current_dir(workspace()).args(["run", "nightly", "cargo", "test"]);
    cargo.args(["--package", "memprof-heap", "--tests"]);
    // With a target, cargo compiles build scripts without the sanitizer.
    cargo.args(["--target", "x86_64-unknown-linux-gnu", "--target-dir"]);
    cargo.arg(target("sanitize").join(sanitizer.name)).env("RUSTFLAGS", sanitizer.flags);
    let Some(binaries) = binaries(&mut cargo)? else { return Ok(Outcome::Failed) };
    under(binaries, || {
        let mut env = Command::new("env");
        env.arg(format!("{}={}", sanitizer.options.0, sanitizer.options.1));
        (env, &SANITIZER_EXCLUSIONS[..])
    })
}

/// Compiles tests and returns their programs; `None` if they do not compile.
fn binaries(cargo: &mut Command) -> Result<Option<Vec<String>>, Failure> {
    const KEY: &str = "\"executable\":\"";
    let Output { status, stdout, .. } = cargo
        .args(["--quiet", "--no-run", "--message-format=json"])
        // Without optimisation, the tests of samples alone take minutes under valgrind. Optimised
        // code is also closer to the code that users run.
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8(stdout)?;
    let programs = messages.lines().filter_map(|line| line.split_once(KEY)?.1.split_once('"'));
    Ok(status.success().then(|| programs.map(|(program, _)| program.to_owned()).collect()))
}

/// Runs each program under a checker, without the tests that it leaves out.
fn under<'a>(
    programs: Vec<String>,
    checker: impl Fn() -> (Command, &'a [Exclusion]),
) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let mut tests = 0;
    for program in programs {
        let (mut command, left) = checker();
        command.current_dir(workspace()).arg(program);
        command.args(left.iter().flat_map(|left| ["--skip", left.tests]));
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            eprintln!("{text}{}", String::from_utf8_lossy(&output.stderr));
            return Ok(Outcome::Failed);
        }
        tests += passed(&text);
    }
    Ok(Outcome::Passed { tests, seconds: start.elapsed().as_secs() })
}
