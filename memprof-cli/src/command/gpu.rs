//! `memprof gpu`: the memory of GPUs, printed once or repeatedly.

mod page;

use crate::arguments::GpuArguments;
use crate::failure::Failure;
use crate::{json, output};
use memprof_gpu::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, NvmlSampler, SamplerError, Wanted,
};
use serde::Serialize;
use std::io::IsTerminal;
use std::thread;

/// The escape codes that move the cursor to the upper left corner and clear the screen.
const CLEAR_SCREEN: &str = "\u{1b}[H\u{1b}[2J";

/// With `--every`, repeats until the user stops the command.
pub(crate) fn run(arguments: &GpuArguments) -> Result<(), Failure> {
    let mut sampler = match &arguments.library {
        Some(path) => NvmlSampler::open_at(path),
        None => NvmlSampler::open(),
    }?;
    let Some(every) = arguments.every else { return print(&mut sampler, arguments) };
    let is_repainted = std::io::stdout().is_terminal() && !arguments.printing.json;
    loop {
        if is_repainted {
            output::print(|out| Ok(write!(out, "{CLEAR_SCREEN}")?))?;
        }
        print(&mut sampler, arguments)?;
        thread::sleep(every);
    }
}

#[derive(Serialize)]
struct GpuJson<'r> {
    format: &'static str,
    version: u32,
    environment: Environment,
    devices: &'r [DeviceIdentity],
    readings: &'r [DeviceReading],
}

fn print(sampler: &mut dyn DeviceSampler, arguments: &GpuArguments) -> Result<(), Failure> {
    let devices = 0..sampler.devices().len();
    let readings: Result<Vec<_>, SamplerError> =
        devices.map(|device| sampler.sample(device, Wanted::ALL)).collect();
    let readings = readings?;
    let text = if arguments.printing.json {
        let document = GpuJson {
            format: "memprof gpu",
            version: 1,
            environment: sampler.environment(),
            devices: sampler.devices(),
            readings: &readings,
        };
        // A single reading is indented for people; repeated readings are lines for programs.
        match arguments.every {
            None => json::text(&document),
            Some(_) => serde_json::to_string(&document).map(|line| json::escaped(&line)),
        }
    } else {
        Ok(page::text(sampler, &readings, arguments.printing.units.into()))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}
