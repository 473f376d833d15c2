//! valgrind, which counts instructions on machines without access to the processor's counters.

use crate::Failure;
use crate::tools::{apt_install, has};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Makes sure that valgrind is installed. Tries to install it on Debian.
pub(super) fn install() -> Result<(), Failure> {
    if !has("valgrind") {
        apt_install(&["valgrind"]);
    }
    if has("valgrind") {
        Ok(())
    } else {
        Err("valgrind is missing and could not be installed".into())
    }
}

/// Returns the instructions of a whole run, or the program's reason why it cannot run.
pub(super) fn instructions<'a>(
    program: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<Result<u64, String>, Failure> {
    let run = Command::new("valgrind")
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments.into_iter().map(OsStr::new))
        .output()?;
    let printed = String::from_utf8(run.stderr)?;
    if run.status.success() {
        Ok(Ok(references(&printed).ok_or("valgrind printed no count of instructions")?))
    } else {
        Ok(Err(program_output(&printed)))
    }
}

/// Parses the line `==123== I   refs:      2,254,287`.
fn references(printed: &str) -> Option<u64> {
    let line = printed.lines().find(|line| line.contains("I ") && line.contains("refs:"))?;
    let digits: String = line.split_once("refs:")?.1.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Returns the output that is not valgrind's own.
fn program_output(printed: &str) -> String {
    let own = |line: &&str| !line.starts_with("==") && !line.starts_with("--");
    printed.lines().filter(own).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{program_output, references};

    #[test]
    fn instructions_are_read_among_valgrinds_lines() {
        let printed = "==7== Command: ./plain pairs 1\n==7== \n==7== I   refs:      2,254,287\n";
        assert_eq!(references(printed), Some(2_254_287));
        assert_eq!(references("==7== D   refs:      1\n"), None);
    }

    #[test]
    fn the_output_of_the_program_is_kept() {
        let printed = "==7== Cachegrind\n--7-- warning: L3\nno level is called off\n==7== \n";
        assert_eq!(program_output(printed), "no level is called off");
    }
}
