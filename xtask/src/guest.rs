//! `cargo xtask guest`: compares a program's behaviour with and without memprof, case by case.

mod cases;
mod disk;
mod recorded;
mod run;
mod scenario;

use crate::Failure;
use crate::usage::chosen;
use cases::{CASES, Case};
use disk::Disk;
use run::{Programs, Run, can_be_first_process};

/// Runs the cases whose name contains one of the parts.
pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let names = chosen("case", parts, CASES.iter().map(|case| case.scenario.name))?;
    let programs = Programs::build()?;
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for case in CASES.iter().filter(|case| names.contains(&case.scenario.name)) {
        match check(&programs, case) {
            Ok(Some(figures)) => {
                passed += 1;
                println!("{:<34} {figures}", case.scenario.name);
            }
            Ok(None) => {
                skipped += 1;
                println!("{:<34} skipped: {}", case.scenario.name, need(case));
            }
            Err(error) => {
                failed += 1;
                println!("{:<34} FAILED: {error}", case.scenario.name);
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} cases differ").into()) }
}

/// Returns the reason why the machine cannot run a case.
fn need(case: &Case) -> &'static str {
    if case.scenario.is_first_process {
        "only root can start a container"
    } else {
        case.scenario.disk.need()
    }
}

/// Runs a case in both programs and compares them. Returns `None` if the machine lacks something
/// that the case needs.
fn check(programs: &Programs, case: &Case) -> Result<Option<String>, Failure> {
    let Some(disk) = Disk::prepare(case.scenario.disk)? else { return Ok(None) };
    if case.scenario.is_first_process && !can_be_first_process() {
        return Ok(None);
    }
    let plain = Run::of(programs, &programs.plain, &case.scenario, &disk)?;
    let recorded = Run::of(programs, &programs.recorded, &case.scenario, &disk)?;
    let figures = plain.compare(&recorded).and_then(|()| (case.recording)(&recorded));
    for run in [&plain, &recorded] {
        disk.release(&run.recording);
    }
    Ok(Some(format!("{}, {}", recorded.end(), figures?)))
}
