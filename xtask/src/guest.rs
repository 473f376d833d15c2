//! `cargo xtask guest`: a program with and without memprof behaves the same, case by case.

mod cases;
mod disk;
mod recorded;
mod run;

use crate::Failure;
use cases::{CASES, Case};
use disk::Disk;
use run::{Programs, Run, can_be_first_process};

pub(crate) fn run() -> Result<(), Failure> {
    let programs = Programs::build()?;
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let chosen = |case: &&Case| wanted.is_empty() || wanted.iter().any(|w| case.name.contains(w));
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for case in CASES.iter().filter(chosen) {
        match check(&programs, case) {
            Ok(Some(figures)) => {
                passed += 1;
                println!("{:<34} {figures}", case.name);
            }
            Ok(None) => {
                skipped += 1;
                println!("{:<34} skipped: {}", case.name, need(case));
            }
            Err(error) => {
                failed += 1;
                println!("{:<34} FAILED: {error}", case.name);
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} cases differ").into()) }
}

/// Returns what the machine lacks for a case.
fn need(case: &Case) -> &'static str {
    if case.is_first_process { "only root can start a container" } else { case.disk.need() }
}

/// Runs a case in both programs and compares them; `None` if the machine lacks what it needs.
fn check(programs: &Programs, case: &Case) -> Result<Option<String>, Failure> {
    let Some(disk) = Disk::prepare(case.disk)? else { return Ok(None) };
    if case.is_first_process && !can_be_first_process() {
        return Ok(None);
    }
    let plain = Run::of(programs, &programs.plain, case, &disk)?;
    let recorded = Run::of(programs, &programs.recorded, case, &disk)?;
    let figures = plain.compare(&recorded).and_then(|()| (case.recording)(&recorded));
    for run in [&plain, &recorded] {
        disk.give_back(&run.recording);
    }
    Ok(Some(format!("{}, {}", recorded.end(), figures?)))
}
