//! `cargo xtask leaks`: programs with a known leak of a published crate. The first suspect has to name
//! the user's line and the file of the crate, also for a stripped program. With the fixed version
//! there must be no suspect.

mod program;

use crate::Failure;
use crate::built::built;
use program::{Program, Variant};
use std::path::Path;
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

/// The number of runs of each program.
const RUNS: usize = 3;

/// Runs the programs whose name contains one of the parts.
pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let names = crate::usage::chosen("leak", parts, LEAKS.iter().map(|leak| leak.name))?;
    let memprof = built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?;
    let (mut rows, mut failed) = (Vec::new(), 0);
    for leak in LEAKS.iter().filter(|leak| names.contains(&leak.name)) {
        for (version, variants) in leak
            .versions
            .into_iter()
            .zip([&[Variant::Release, Variant::Stripped][..], &[Variant::Release]])
        {
            let is_fixed = version == leak.versions[1];
            let program = Program::build(leak.name, leak.dependency, leak.versions[0], version)?;
            for variant in variants {
                let runs = runs(&program, *variant, &memprof)?;
                let verdicts = runs.iter().map(|text| verdict(leak, &program, text, is_fixed));
                let verdicts: Vec<_> = verdicts.collect();
                let good = verdicts.iter().filter(|verdict| verdict.is_ok()).count();
                let passed = if is_fixed { "no suspect" } else { "named" };
                let of = format!("{} {version}", leak.dependency);
                rows.push(format!("{of:<36} {variant:<9} {passed:<11} {good} of {RUNS}"));
                for error in verdicts.into_iter().filter_map(Result::err) {
                    failed += 1;
                    println!("{of}, {variant}: {error}");
                }
                if let Some(text) = runs.first().filter(|_| !is_fixed) {
                    println!("{of}, {variant}:\n{}", suspect(text));
                }
            }
        }
    }
    println!("{}", rows.join("\n"));
    if failed == 0 { Ok(()) } else { Err(format!("{failed} runs failed").into()) }
}

/// Runs a program several times at once. Returns what `memprof leaks` prints of each run.
fn runs(program: &Program, variant: Variant, memprof: &Path) -> Result<Vec<String>, Failure> {
    let record = |number| program.record(variant, number).map_err(|error| error.to_string());
    let recordings = thread::scope(|scope| {
        let running: Vec<_> = (0..RUNS).map(|number| scope.spawn(move || record(number))).collect();
        running
            .into_iter()
            .map(|run| run.join().map_err(|_| "a run panicked".to_owned())?)
            .collect()
    });
    let recordings: Result<Vec<_>, String> = recordings;
    recordings?.iter().map(|recording| program.suspects(memprof, variant, recording)).collect()
}

/// Compares the list of suspects with what the program does.
fn verdict(leak: &Leak, program: &Program, text: &str, is_fixed: bool) -> Result<(), String> {
    if is_fixed {
        let is_clean = text.trim_end() == "no place keeps growing";
        return if is_clean { Ok(()) } else { Err(format!("a suspect:\n{text}")) };
    }
    let first = suspect(text);
    let line = format!("(src/main.rs:{})", program.line);
    let (package, file) = leak.site;
    let begin = format!("({package}-");
    let of_package = first.split(&begin).skip(1);
    let has_site = of_package
        .filter_map(|rest| rest.split_once('/'))
        .any(|(_, path)| path.starts_with(&format!("{file}:")));
    match (first.contains(&line), has_site) {
        (true, true) => Ok(()),
        (false, _) => Err(format!("{line} is not in\n{text}")),
        (_, false) => Err(format!("{package}/{file} is not in\n{text}")),
    }
}

/// Returns the first suspect without its callers: a line at the margin, and indented lines.
fn suspect(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let inside = lines.take_while(|line| line.starts_with("  ") && !line.starts_with("    from"));
    [first].into_iter().chain(inside).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::suspect;

    #[test]
    fn callers_and_other_suspects_are_not_the_first_one() {
        let text = "a (src/main.rs:1)\n  allocates b (b-1.0.0/src/lib.rs:2)\n    from main\nb\n  c";
        assert_eq!(suspect(text), "a (src/main.rs:1)\n  allocates b (b-1.0.0/src/lib.rs:2)");
    }
}
