//! Checks of the CUDA driver that need a device. The example prints a table and JSON, and marks
//! each failure.
//!
//! ```console
//! $ cargo run -p memprof-pool --features cuda,json --example cuda_check [-- --driver FILE]
//! ```
//!
//! Without a device, it prints one line with the reason, and exits without an error.

#![expect(unsafe_code, reason = "a driver is loaded from a file")]

mod check;
mod smi;

mod context;
mod pool;
mod timer;
mod upstreams;

use check::Check;
use memprof_gpu::cuda::{Cuda, CudaError};
use smi::Used;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1), &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Checks the first device, writes the results, and returns `true` if every check holds.
pub(crate) fn run(
    arguments: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
) -> Result<bool, Box<dyn Error>> {
    let mut arguments = arguments.into_iter();
    let driver = match (arguments.next(), arguments.next(), arguments.next()) {
        (None, ..) => None,
        (Some(flag), Some(file), None) if flag == "--driver" => Some(file),
        _ => return Err("expected nothing, or `--driver FILE`".into()),
    };
    let check = match checked(driver) {
        Ok(check) => check,
        Err(error) => match error.downcast_ref::<CudaError>() {
            Some(absence) if absence.is_absence() => {
                writeln!(out, "skipped: {absence}")?;
                return Ok(true);
            }
            _ => return Err(error),
        },
    };
    writeln!(out, "{check}\n{}", check.to_json()?)?;
    Ok(check.holds())
}

fn checked(driver: Option<OsString>) -> Result<Check, Box<dyn Error>> {
    let mut check = Check::default();
    let before = Used::now();
    let start = Instant::now();
    let cuda = match driver {
        None => Cuda::load()?,
        // SAFETY: the user who names a file promises that it is a CUDA driver.
        Some(file) => unsafe { Cuda::load_from(file)? },
    };
    check.time(4, "to load the driver", start.elapsed());
    let start = Instant::now();
    cuda.initialise()?;
    check.time(4, "to initialise it", start.elapsed());
    check.describe(&cuda)?;
    check.unchanged(4, "used, by loading and initialising", &before, &Used::now());

    pool::without_context(&mut check, &cuda)?;
    let context = context::retained(&mut check, &cuda)?;
    pool::statistics(&mut check, &cuda, &context)?;
    upstreams::release(&mut check, &cuda, &context)?;
    upstreams::ended_thread(&mut check, &context)?;
    timer::noise(&mut check, &context)?;
    timer::same_work_twice(&mut check, &context)?;
    timer::against_host(&mut check, &context)?;
    Ok(check)
}
