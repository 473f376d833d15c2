//! `cargo xtask guest [PART…]`: compares a program's behaviour with and without memprof, case by
//! case.

mod cases;
mod disk;
mod recorded;
mod run;

use crate::Failure;
use crate::report::{Outcome, run_all};
use crate::usage::chosen;
use cases::{CASES, Case};
use run::{FIRST_PROCESS, Programs, Run};
use std::process::Command;

pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let names = chosen("case", parts, CASES.iter().map(|case| case.name))?;
    let programs = Programs::build()?;
    let cases = CASES.iter().filter(|case| names.contains(&case.name));
    run_all(cases, |case| case.name.to_owned(), |case| check(&programs, case))
}

fn check(programs: &Programs, case: &Case) -> Result<Outcome, Failure> {
    if let Some(missing) = case.disk.missing()? {
        return Ok(Outcome::Skipped(missing.to_owned()));
    }
    if case.is_first_process && !can_be_first_process() {
        return Ok(Outcome::Skipped("only root can start a container".to_owned()));
    }
    let plain = Run::of(programs, &programs.plain, case)?;
    let recorded = Run::of(programs, &programs.recorded, case)?;
    let figures = plain.compare(&recorded, case.limit).and_then(|()| (case.recording)(&recorded));
    for run in [&plain, &recorded] {
        case.disk.release(&run.recording);
    }
    Ok(Outcome::Passed(format!("{}, {}", recorded.end(), figures?)))
}

fn can_be_first_process() -> bool {
    let mut probe = Command::new(FIRST_PROCESS[0]);
    probe.args(&FIRST_PROCESS[1..]).arg("true");
    probe.output().is_ok_and(|output| output.status.success())
}
