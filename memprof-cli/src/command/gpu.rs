//! `memprof gpu`: the memory of GPUs, which is printed once, printed repeatedly, or recorded.

mod page;
mod record;

use crate::arguments::{DriverArgument, GpuArguments, GpuCommand};
use crate::failure::Failure;
use crate::{json, output};
use memprof_gpu::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, NvmlSampler, SamplerError,
    TraceSampler, Wanted,
};
use serde::Serialize;
use std::io::IsTerminal;
use std::thread;
use std::time::Duration;

/// The escape codes that move the cursor to the upper left corner and clear the screen.
const CLEAR_SCREEN: &str = "\u{1b}[H\u{1b}[2J";

pub(crate) fn run(arguments: &GpuArguments) -> Result<(), Failure> {
    if let Some(GpuCommand::Record(arguments)) = &arguments.record {
        return record::run(arguments);
    }
    match &arguments.trace {
        None => show(&mut open(&arguments.driver)?, arguments, true),
        Some(path) => {
            let trace = TraceSampler::read_file(path);
            let mut trace = trace.map_err(|error| Failure::Trace(path.clone(), error))?;
            show(&mut trace, arguments, false)
        }
    }
}

/// Opens the driver of this machine's GPUs.
fn open(driver: &DriverArgument) -> Result<NvmlSampler, SamplerError> {
    match &driver.library {
        Some(path) => NvmlSampler::open_at(path),
        None => NvmlSampler::open(),
    }
}

/// The JSON output: the parts of a trace.
#[derive(Serialize)]
struct GpuJson<'r> {
    format: &'static str,
    version: u32,
    environment: Environment,
    devices: &'r [DeviceIdentity],
    readings: &'r [DeviceReading],
}

/// Prints the devices once. With `--every`, prints them repeatedly, until the user stops the
/// command or the trace ends.
fn show(
    sampler: &mut dyn DeviceSampler,
    arguments: &GpuArguments,
    is_here: bool,
) -> Result<(), Failure> {
    let Some(every) = arguments.every else {
        let readings = read(sampler)?;
        return print(sampler, &readings, arguments, is_here);
    };
    let is_repainted = std::io::stdout().is_terminal() && !arguments.printing.json;
    loop {
        let readings = match read(sampler) {
            Err(SamplerError::TraceEnded { .. }) => return Ok(()),
            readings => readings?,
        };
        if is_repainted {
            output::print(|out| Ok(write!(out, "{CLEAR_SCREEN}")?))?;
        }
        print(sampler, &readings, arguments, is_here)?;
        // A trace is not slowed down to real time.
        thread::sleep(if is_here { every } else { Duration::ZERO });
    }
}

fn read(sampler: &mut dyn DeviceSampler) -> Result<Vec<DeviceReading>, SamplerError> {
    (0..sampler.devices().len()).map(|device| sampler.sample(device, Wanted::ALL)).collect()
}

fn print(
    sampler: &dyn DeviceSampler,
    readings: &[DeviceReading],
    arguments: &GpuArguments,
    is_here: bool,
) -> Result<(), Failure> {
    let text = if arguments.printing.json {
        let document = GpuJson {
            format: "memprof gpu",
            version: 1,
            environment: sampler.environment(),
            devices: sampler.devices(),
            readings,
        };
        // A single reading is indented for people; repeated readings are lines for programs.
        match arguments.every {
            None => json::text(&document),
            Some(_) => serde_json::to_string(&document).map(|line| json::escaped(&line)),
        }
    } else {
        Ok(page::text(sampler, readings, arguments.printing.units.into(), is_here))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

/// Returns the name of a process of this machine, if the system reports the name. Returns `None`
/// for a trace and in a container, where the number can belong to another process.
fn name_of(pid: u32, is_here: bool) -> Option<String> {
    /// The link of Linux's initial PID namespace, whose process numbers the driver uses.
    const HOST_NAMESPACE: &str = "pid:[4026531836]";
    let numbers = is_here.then(|| std::fs::read_link("/proc/self/ns/pid"))?;
    if numbers.ok()?.as_os_str() != HOST_NAMESPACE {
        return None;
    }
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}
