//! `memprof gpu`: what GPUs hold, once or again and again, and recorded.

mod document;
mod page;
mod record;

use crate::arguments::{DriverArgument, GpuArguments, GpuCommand};
use crate::failure::Failure;
use crate::{json, output};
use memprof_gpu::{DeviceReading, DeviceSampler, NvmlSampler, SamplerError, TraceSampler, Wanted};
use std::io::IsTerminal;
use std::thread;
use std::time::Duration;

/// Back to the upper left corner, and nothing below it.
const CLEARED: &str = "\u{1b}[H\u{1b}[2J";

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

/// The GPUs of this machine.
fn open(driver: &DriverArgument) -> Result<NvmlSampler, SamplerError> {
    match &driver.library {
        Some(path) => NvmlSampler::open_at(path),
        None => NvmlSampler::open(),
    }
}

/// Prints the devices, again if that was asked for, until a trace ends.
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
            output::print(|out| Ok(write!(out, "{CLEARED}")?))?;
        }
        print(sampler, &readings, arguments, is_here)?;
        // A trace has its own time.
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
        let document = document::of(sampler, readings, is_here);
        // One reading is for people too, several are for programs that read lines.
        match arguments.every {
            None => json::text(&document),
            Some(_) => serde_json::to_string(&document).map(|line| json::escaped(&line)),
        }
    } else {
        Ok(page::text(sampler, readings, arguments.printing.units.into(), is_here))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

/// The name of a process of this machine, where the system tells; what a container or a trace calls
/// by that number is another one.
fn name_of(pid: u32, is_here: bool) -> Option<String> {
    /// What Linux calls the namespace of process numbers that it begins with, the driver's.
    const HOSTS: &str = "pid:[4026531836]";
    let numbers = is_here.then(|| std::fs::read_link("/proc/self/ns/pid"))?;
    if numbers.ok()?.as_os_str() != HOSTS {
        return None;
    }
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}
