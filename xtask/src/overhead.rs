//! `cargo xtask overhead`: instructions that each global allocator adds to a pair of calls.

mod bars;
mod instructions;
mod markdown;
mod programs;
mod same_code;
mod sides;
mod valgrind;

use crate::{Failure, table};
use instructions::Counted;
use programs::Programs;

pub(crate) fn run() -> Result<(), Failure> {
    valgrind::install()?;
    let programs = Programs::build()?;
    let counted = Counted::count(&programs, &programs.build_linked()?)?;
    let mut verdicts = bars::judge(&counted);
    verdicts.push(bars::same_code(&same_code::compare(
        &programs.path("forwarding"),
        &programs.path("memprof_without_heap"),
    )?));
    let printed = markdown::document(&counted, &verdicts);
    print!("{printed}");
    table::keep("overhead", &printed)?;
    match verdicts.iter().filter(|verdict| !verdict.is_met()).count() {
        0 => Ok(()),
        missed => Err(format!("{missed} of {} bars were not met", verdicts.len()).into()),
    }
}
