//! Checks that need a GPU: the driver's memory pool, memprof's pools, the event timer, and a
//! session's snapshot.
//!
//! ```console
//! $ cargo run -p memprof-pool --features cuda --example cuda_check -- [--require-gpu] [--json FILE]
//! ```
//!
//! The checks run in groups. An error ends only its group, so one refused call loses no other
//! figure. Without a device, the program prints one line with the reason. It then succeeds, unless
//! `--require-gpu` is given.

#![expect(unsafe_code, reason = "a driver is loaded from a file, and memory is filled and freed")]

mod rows;

mod caching;
mod driver;
mod session;
mod timer;

use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};
use rows::Rows;
use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
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

#[derive(Default)]
struct Arguments {
    driver: Option<PathBuf>,
    json: Option<PathBuf>,
    requires_gpu: bool,
}

impl Arguments {
    fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Self, Box<dyn Error>> {
        let mut arguments = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut file = || words.next().map(PathBuf::from).ok_or("expected a file");
            match word.to_str() {
                Some("--require-gpu") => arguments.requires_gpu = true,
                Some("--driver") => arguments.driver = Some(file()?),
                Some("--json") => arguments.json = Some(file()?),
                _ => {
                    return Err("expected `--require-gpu`, `--json FILE` or `--driver FILE`".into());
                }
            }
        }
        Ok(arguments)
    }
}

/// Checks the first device, writes the rows, and returns `true` if none failed.
pub(crate) fn run(
    words: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
) -> Result<bool, Box<dyn Error>> {
    let arguments = Arguments::parse(words)?;
    let mut rows = Rows::new(out);
    rows.of("driver");
    let is_absent = match load(&mut rows, &arguments) {
        Ok(cuda) => {
            check(&mut rows, &cuda);
            false
        }
        Err(error) if error.is_absence() => {
            rows.print(&format!("skipped: {error}"))?;
            true
        }
        Err(error) => {
            rows.group("driver", |_| Err(error.into()));
            false
        }
    };
    if let Some(file) = &arguments.json {
        std::fs::write(file, rows.to_json()?)?;
    }
    Ok(rows.are_good() && !(is_absent && arguments.requires_gpu))
}

fn load(rows: &mut Rows<'_>, arguments: &Arguments) -> Result<Cuda, CudaError> {
    let start = Instant::now();
    let cuda = match &arguments.driver {
        None => Cuda::load()?,
        // SAFETY: the user who names a file promises that it is a CUDA driver.
        Some(file) => unsafe { Cuda::load_from(file)? },
    };
    rows.record("to load the driver", start.elapsed());
    let start = Instant::now();
    cuda.initialise()?;
    rows.record("to initialise it", start.elapsed());
    let device = cuda.device(0)?;
    let _ = rows.print(&format!(
        "      {} ({}), CUDA {}",
        device.name,
        device.uuid,
        cuda.driver_version()?
    ));
    Ok(cuda)
}

/// The checks of a group, in the device's context.
type Group = fn(&mut Rows<'_>, &Cuda, &DeviceContext) -> Result<(), Box<dyn Error>>;

fn check(rows: &mut Rows<'_>, cuda: &Cuda) {
    rows.group("driver", |rows| driver::without_context(rows, cuda));
    let mut context = None;
    rows.group("driver", |rows| {
        let start = Instant::now();
        context = Some(DeviceContext::retain(cuda, 0)?);
        rows.record("to make the primary context", start.elapsed());
        Ok(())
    });
    let Some(context) = &context else { return };
    let groups: [(&str, Group); 12] = [
        ("driver", driver::context),
        ("driver's pool", driver::statistics),
        ("upstreams", driver::released),
        ("pool reuse", caching::reuse),
        ("pool reuse", caching::streams),
        ("pool limits", caching::limits),
        ("pool adaptors", caching::adaptors),
        ("pool timeline", caching::timeline),
        ("event timer", timer::noise),
        ("event timer", timer::against_host),
        ("snapshot", session::snapshot),
        ("framework operations", session::framework),
    ];
    for (capability, group) in groups {
        rows.group(capability, |rows| group(rows, cuda, context));
    }
}
