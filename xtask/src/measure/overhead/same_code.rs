//! Comparison of the x86-64 machine code with which two programs call their allocators.

mod normalise;

use crate::Failure;
use normalise::Disassembly;
use std::path::Path;
use std::process::Command;

/// The functions that the compiler calls for the program's allocations.
const FUNCTIONS: [&str; 4] =
    ["__rust_alloc", "__rust_dealloc", "__rust_realloc", "__rust_alloc_zeroed"];

/// The number of equal instructions, or the first difference.
pub(super) type Comparison = Result<usize, String>;

/// Compares the functions instruction by instruction. Only addresses may differ.
pub(super) fn compare(left: &Path, right: &Path) -> Result<Comparison, Failure> {
    let (left, right) = (disassemble(left)?, disassemble(right)?);
    let mut same = 0;
    for function in FUNCTIONS {
        let missing = || format!("a program has no {function}");
        let left = left.function(function).ok_or_else(missing)?;
        let right = right.function(function).ok_or_else(missing)?;
        if let Some(difference) = first_difference(&left, &right) {
            return Ok(Err(format!("{function}, {difference}")));
        }
        same += left.len();
    }
    Ok(Ok(same))
}

fn disassemble(program: &Path) -> Result<Disassembly, Failure> {
    let name = program.file_name().ok_or("a program without a name")?.to_string_lossy();
    let code = objdump(program, &["--disassemble", "--no-show-raw-insn"])?;
    let relocations = objdump(program, &["--dynamic-reloc"])?;
    Ok(Disassembly::new(&name, code, &relocations))
}

fn objdump(program: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let run = Command::new("objdump").args(arguments).arg("--demangle").arg(program).output()?;
    if run.status.success() {
        Ok(String::from_utf8(run.stdout)?)
    } else {
        Err(format!("objdump: {}", String::from_utf8_lossy(&run.stderr)).into())
    }
}

fn first_difference(left: &[String], right: &[String]) -> Option<String> {
    let lines = left.len().max(right.len());
    let line = |lines: &[String], index| lines.get(index).map_or("nothing".into(), String::clone);
    let index = (0..lines).find(|&index| left.get(index) != right.get(index))?;
    let (left, right) = (line(left, index), line(right, index));
    Some(format!("instruction {index}: `{left}` against `{right}`"))
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn the_first_difference_is_reported() {
        let lines = |text: &str| text.split(';').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(first_difference(&lines("push %rax;ret"), &lines("push %rax;ret")), None);
        assert_eq!(
            first_difference(&lines("push %rax;ret"), &lines("push %rax;nop;ret")).as_deref(),
            Some("instruction 1: `ret` against `nop`")
        );
        assert_eq!(
            first_difference(&lines("push %rax"), &lines("push %rax;ret")).as_deref(),
            Some("instruction 1: `nothing` against `ret`")
        );
    }
}
