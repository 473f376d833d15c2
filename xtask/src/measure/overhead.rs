//! Instructions that each global allocator adds to a pair of calls.

mod bars;
mod instructions;
mod markdown;
mod programs;
mod same_code;
mod sides;
mod valgrind;

use super::Measured;
use crate::Failure;
use instructions::Counted;
use programs::Programs;

pub(super) fn measure() -> Result<Measured, Failure> {
    valgrind::install()?;
    let programs = Programs::build()?;
    let counted = Counted::count(&programs, &programs.build_linked()?)?;
    let mut verdicts = bars::judge(&counted);
    verdicts.push(bars::same_code(&same_code::compare(
        &programs.path("forwarding"),
        &programs.path("memprof_without_heap"),
    )?));
    let printed = markdown::document(&counted, &verdicts);
    let missed = match verdicts.iter().filter(|verdict| !verdict.is_met()).count() {
        0 => None,
        missed => Some(format!("{missed} of {} bars were not met", verdicts.len())),
    };
    Ok(Measured { printed, missed })
}
