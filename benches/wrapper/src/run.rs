//! `cargo bench -p memprof-wrapper-benches`: all operations on every device that there is.

use crate::backend::Backend;
use crate::cuda::{Cuda, CudaDevice, CudaElement, EventTimer};
use crate::environment::environment;
use crate::host::Host;
use crate::measure::{Extent, Measured};
use core::error::Error;
use cudarc::cublas::{CudaBlas, Gemm};
use half::{bf16, f16};
use memprof::Device;
use memprof::gpu::overhead::{Bench, HostTimer, Plan, PlotError, Report, Row};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// On the host, a product of larger matrices takes plain loops too long.
const MOST_ON_HOST: usize = 512;

const USAGE: &str =
    "usage: wrapper [--quick] [--device cpu|cuda:0]… [--json FILE] [--markdown FILE] [--svg FILE]";

/// What was asked for.
#[derive(Debug, Default)]
pub struct Arguments {
    quick: bool,
    devices: Vec<Device>,
    json: Option<PathBuf>,
    markdown: Option<PathBuf>,
    svg: Option<PathBuf>,
}

impl Arguments {
    /// From words, without the program's name.
    ///
    /// # Errors
    /// What is wrong with which word, and what can be said.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value\n{USAGE}"));
            match word.as_str() {
                "--quick" => arguments.quick = true,
                // `cargo bench` says so.
                "--bench" => {}
                "--json" => arguments.json = Some(value()?.into()),
                "--markdown" => arguments.markdown = Some(value()?.into()),
                "--svg" => arguments.svg = Some(value()?.into()),
                "--device" => {
                    let word = value()?;
                    let known = |device: &Device| matches!(device, Device::Cpu | Device::Cuda(_));
                    let device = Device::from_word(&word).filter(known);
                    let expected =
                        || format!("{word:?} is no device: expected cpu or cuda:0\n{USAGE}");
                    arguments.devices.push(device.ok_or_else(expected)?);
                }
                _ => return Err(format!("{word:?} is not known\n{USAGE}")),
            }
        }
        if arguments.devices.is_empty() {
            arguments.devices = vec![Device::Cpu, Device::Cuda(0)];
        }
        Ok(arguments)
    }
}

/// Measures what was asked for into a report, and writes that where it was asked to be: also if an
/// operation failed in the middle.
///
/// # Errors
/// If an operation fails or gives something else through the wrapper, or a file can't be written. A
/// device that is missing is none: its rows say so.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<(), Box<dyn Error>> {
    let measured = measure(arguments, report);
    let to_json: fn(&Report) -> String = Report::to_json;
    for (file, form) in [(&arguments.json, to_json), (&arguments.markdown, Report::to_markdown)] {
        if let Some(file) = file {
            write(file, &form(report))?;
        }
    }
    if let Some(file) = &arguments.svg {
        match report.to_svg() {
            Ok(svg) => write(file, &svg)?,
            Err(error @ PlotError::Nothing) => eprintln!("{}: {error}", file.display()),
            Err(error) => return Err(error.into()),
        }
    }
    measured
}

/// A report without rows, of this build.
pub fn empty_report() -> Report {
    Report::new(environment())
}

fn write(file: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()).into())
}

fn measure(arguments: &Arguments, report: &mut Report) -> Result<(), Box<dyn Error>> {
    let extent = if arguments.quick { Extent::quick() } else { Extent::full() };
    let (plan, tells) = (plan(arguments.quick), !arguments.quick);
    for &device in &arguments.devices {
        match device {
            Device::Cuda(number) => on_cuda(number, &extent, plan, tells, report)?,
            _ => on_host(&extent, plan, tells, report)?,
        }
    }
    Ok(())
}

fn plan(is_quick: bool) -> Plan {
    if is_quick {
        let short = Duration::from_micros(250);
        Plan::default().warmup(short).measure(4 * short).longest(400 * short)
    } else {
        let plan = Plan::default().warmup(Duration::from_millis(10));
        plan.measure(Duration::from_millis(60)).longest(Duration::from_secs(3))
    }
}

fn on_host(
    extent: &Extent,
    plan: Plan,
    tells: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let bench = &mut Bench::on_host(plan);
    let largest = extent.sides.iter().copied().filter(|&side| side > MOST_ON_HOST);
    let left_out: Vec<String> = largest.map(|side| side.to_string()).collect();
    let sides = extent.sides.iter().copied().filter(|&side| side <= MOST_ON_HOST);
    let extent = &Extent { sides: sides.collect(), ..extent.clone() };
    let measured = &mut Measured { backend: Host, bench, report, prefix: "", tells };
    measured.all::<f32>(extent)?;
    measured.all::<f16>(extent)?;
    measured.all::<bf16>(extent)?;
    if !left_out.is_empty() {
        let reason = format!("plain loops take too long for {} rows", left_out.join(", "));
        measured.report.push(Row::skipped("matmul, linear", Device::Cpu, reason));
    }
    #[cfg(feature = "candle")]
    crate::candle::measure(extent, plan, tells, measured.report)?;
    #[cfg(not(feature = "candle"))]
    measured.report.push(Row::skipped(
        "candle",
        Device::Cpu,
        "this build lacks the feature `candle`",
    ));
    Ok(())
}

fn on_cuda(
    number: u16,
    extent: &Extent,
    plan: Plan,
    tells: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>> {
    let device = match CudaDevice::open(number) {
        Ok(device) => device,
        Err(reason) => {
            report.push(Row::skipped("all", Device::Cuda(number), reason));
            return Ok(());
        }
    };
    device.describe(&mut report.environment);
    cuda_type::<f32>(&device, extent, plan, tells, report)?;
    cuda_type::<f16>(&device, extent, plan, tells, report)?;
    cuda_type::<bf16>(&device, extent, plan, tells, report)
}

fn cuda_type<T: CudaElement>(
    device: &CudaDevice,
    extent: &Extent,
    plan: Plan,
    tells: bool,
    report: &mut Report,
) -> Result<(), Box<dyn Error>>
where
    CudaBlas: Gemm<T>,
{
    let timer = EventTimer::new(device.stream());
    // While the device displaces its cache, the host submits the next sample.
    let bench = &mut Bench::with_timers(HostTimer::new(), Some(timer), plan.flush(true));
    let backend = Cuda::new::<T>(device)?;
    let measured = &mut Measured { backend, bench, report, prefix: "", tells };
    let Some(reason) = device.lacks_blas() else {
        return Ok(measured.all::<T>(extent)?);
    };
    measured.all::<T>(&Extent { sides: Vec::new(), ..extent.clone() })?;
    let place = Backend::<T>::device(&measured.backend);
    let mut row = Row::skipped("matmul, linear", place, reason);
    row.dtype = Some(T::DTYPE.to_owned());
    measured.report.push(row);
    Ok(())
}
