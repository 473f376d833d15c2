//! `cargo xtask coverage`: the lines of core's statistics that the tests run, by file.

use crate::tools::{apt_install, cargo_subcommand, has, succeeds};
use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The measured files, below the folder `src` of memprof-core or memprof-profile.
const MEASURED: [&str; 8] = [
    "statistics.rs",
    "sharing_analysis.rs",
    "sharing/equal.rs",
    "tensor.rs",
    "device.rs",
    "advice/",
    "report/",
    "views/comparison/",
];

/// The smallest accepted share of lines that run, in percent.
const BAR: f64 = 95.0;

/// A file with the number of its lines of code, the number of lines that ran, and the lines that
/// did not run.
#[derive(Debug, PartialEq, Eq)]
struct Covered {
    file: String,
    lines: usize,
    run: usize,
    missed: Vec<usize>,
}

pub(crate) fn run() -> Result<(), Failure> {
    let tool = cargo_llvm_cov()?;
    let record = target("coverage").join("lcov.info");
    fs::create_dir_all(record.parent().unwrap_or(&record))?;
    let mut command = Command::new(tool);
    command.current_dir(workspace()).args(["llvm-cov", "test", "--quiet", "--lcov"]);
    command.arg("--output-path").arg(&record);
    let core = ["--package", "memprof-core", "--package", "memprof-profile"];
    command.args(core).args(["--package", "memprof", "--lib", "--test", "all"]);
    // The skipped tests compile other crates and run no code of core.
    command.args(["--", "--skip", "ui", "--skip", "floor"]);
    if let Some((cov, profdata)) = llvm_tools()? {
        command.env("LLVM_COV", cov).env("LLVM_PROFDATA", profdata);
    }
    // The output of the tests is not part of this check.
    if !command.stdout(Stdio::null()).status()?.success() {
        return Err("the tests did not pass".into());
    }
    let covered = read(&fs::read_to_string(&record)?, &|file| fs::read_to_string(file))?;
    let (lines, run) =
        covered.iter().fold((0, 0), |(lines, run), file| (lines + file.lines, run + file.run));
    for file in &covered {
        let missed: Vec<String> = file.missed.iter().map(ToString::to_string).collect();
        let missed = if missed.is_empty() {
            missed
        } else {
            vec![format!("  not run: {}", missed.join(" "))]
        };
        println!(
            "{:5.1} %  {:>4} of {:>4}  {}{}",
            percent(file.run, file.lines),
            file.run,
            file.lines,
            file.file,
            missed.concat()
        );
    }
    println!("{:5.1} %  {run:>4} of {lines:>4}  in all, at least {BAR} %", percent(run, lines));
    if lines > 0 && percent(run, lines) >= BAR { Ok(()) } else { Err("too few lines run".into()) }
}

#[expect(clippy::cast_precision_loss, reason = "no file has so many lines")]
fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Returns the measured files of a record, without their tests.
fn read(
    record: &str,
    source: &dyn Fn(&Path) -> std::io::Result<String>,
) -> Result<Vec<Covered>, Failure> {
    let mut covered = Vec::new();
    for part in record.split("end_of_record") {
        let Some(path) = part.lines().find_map(|line| line.strip_prefix("SF:")) else { continue };
        let Some(file) = below_sources(path) else { continue };
        if !MEASURED.iter().any(|measured| file.starts_with(measured)) || file.ends_with("tests.rs")
        {
            continue;
        }
        let source = source(Path::new(path))?;
        let end = source.lines().take_while(|line| *line != "#[cfg(test)]").count();
        // `mod tests;` at the top of a file with more code does not end that code.
        let end = if source.contains("\nmod tests {") { end } else { usize::MAX };
        let mut this = Covered { file: file.to_owned(), lines: 0, run: 0, missed: Vec::new() };
        for record in part.lines().filter_map(|line| line.strip_prefix("DA:")) {
            let (line, times) = record.split_once(',').ok_or("a line without a count")?;
            let line: usize = line.parse()?;
            if line > end {
                continue;
            }
            this.lines += 1;
            if times == "0" { this.missed.push(line) } else { this.run += 1 }
        }
        covered.push(this);
    }
    covered.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(covered)
}

/// Returns the path of the tool, after installing it below `target/` if it is missing.
fn cargo_llvm_cov() -> Result<PathBuf, Failure> {
    if succeeds(Command::new("cargo-llvm-cov").args(["llvm-cov", "--version"])) {
        return Ok("cargo-llvm-cov".into());
    }
    Ok(cargo_subcommand("cargo-llvm-cov", None)?.join("cargo-llvm-cov"))
}

/// Returns the names of the programs `llvm-cov` and `llvm-profdata` for the compiler's version of
/// LLVM. Returns `None` if rustup's toolchain includes both, because `cargo-llvm-cov` then finds
/// them itself.
fn llvm_tools() -> Result<Option<(String, String)>, Failure> {
    let output = Command::new("rustc").arg("-vV").current_dir(workspace()).output()?;
    let version = String::from_utf8(output.stdout)?;
    let major = version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: ")?.split('.').next())
        .ok_or("rustc does not report its version of LLVM")?;
    let names = (format!("llvm-cov-{major}"), format!("llvm-profdata-{major}"));
    let toolchain = || {
        let list = Command::new("rustup").args(["component", "list", "--installed"]).output();
        list.is_ok_and(|list| String::from_utf8_lossy(&list.stdout).contains("llvm-tools"))
    };
    if toolchain() {
        return Ok(None);
    }
    // Try the system's packages next, because some machines can reach a package registry, but not
    // the server of rustup.
    let package = format!("llvm-{major}");
    if !has(&names.0) {
        apt_install(&[&package]);
    }
    if has(&names.0) {
        return Ok(Some(names));
    }
    if succeeds(Command::new("rustup").args(["component", "add", "llvm-tools"])) {
        return Ok(None);
    }
    Err(format!("neither rustup's llvm-tools nor {package} can be installed").into())
}

/// Returns the path of a file below the folder `src` of a measured crate.
fn below_sources(path: &str) -> Option<&str> {
    let folders = ["memprof-core/src/", "memprof-profile/src/"];
    folders.iter().find_map(|folder| path.split_once(folder)).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::{Covered, read};

    #[test]
    fn lines_of_measured_files_count_up_to_their_tests() {
        let record = "SF:/w/memprof-core/src/device.rs\nDA:1,3\nDA:2,0\nDA:5,9\nend_of_record\n\
                      SF:/w/memprof-core/src/walk.rs\nDA:1,0\nend_of_record\n\
                      SF:/w/memprof-core/src/report/tests.rs\nDA:1,0\nend_of_record\n";
        let source = "fn a() {}\nfn b() {}\n\n#[cfg(test)]\nmod tests {\n}\n";
        let covered = read(record, &|_| Ok(source.to_owned())).unwrap();
        let expected = Covered { file: "device.rs".into(), lines: 2, run: 1, missed: vec![2] };
        assert_eq!(covered, [expected]);
    }
}
