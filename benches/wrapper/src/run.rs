//! `cargo bench -p memprof-wrapper-benches`: all operations on every available device.

use crate::backend::Backend;
use crate::backend::Failure;
use crate::bench::Bench;
use crate::cuda::{Clock, Cuda, CudaDevice, CudaElement};
use crate::element::Element;
use crate::host::Host;
use crate::measure::{Extent, Measured};
use crate::report::Report;
use cudarc::cublas::{CudaBlas, Gemm};
use half::{bf16, f16};
use memprof::tree::Device;
use std::fs;
use std::path::PathBuf;

/// The largest matrices on the host, because plain loops take too long for larger ones.
const MAX_ON_HOST: usize = 512;

const USAGE: &str = "usage: wrapper [--quick] [--device cpu|cuda:0]… [--dtype f32|f16|bf16]… \
     [--elements NUMBER]… [--operation NAME]… [--output FOLDER] [--markdown FILE]";

/// The arguments of the command line.
#[derive(Debug, Default)]
pub struct Arguments {
    quick: bool,
    devices: Vec<Device>,
    /// The types of the elements; all if this is empty.
    dtypes: Vec<String>,
    /// The numbers of elements instead of the usual ones. With this option, there are no matrices.
    elements: Vec<usize>,
    /// The names of the operations; all if this is empty.
    operations: Vec<String>,
    output: PathBuf,
    markdown: Option<PathBuf>,
}

impl Arguments {
    /// Parses arguments, without the program's name.
    ///
    /// # Errors
    /// Returns the wrong argument and the accepted ones.
    pub fn parse(remaining: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let output = PathBuf::from("target/wrapper");
        let mut arguments = Self { output, ..Self::default() };
        let mut remaining = remaining.into_iter();
        while let Some(argument) = remaining.next() {
            let mut value = || remaining.next().ok_or(format!("{argument} needs a value\n{USAGE}"));
            match argument.as_str() {
                "--quick" => arguments.quick = true,
                // `cargo bench` passes this argument.
                "--bench" => {}
                "--output" => arguments.output = value()?.into(),
                "--dtype" => arguments.dtypes.push(value()?),
                "--elements" => {
                    let elements = value()?;
                    let number = elements.parse();
                    let expected = |_| format!("{elements:?} is not a number of elements\n{USAGE}");
                    arguments.elements.push(number.map_err(expected)?);
                }
                "--operation" => arguments.operations.push(value()?),
                "--markdown" => arguments.markdown = Some(value()?.into()),
                "--device" => {
                    let argument = value()?;
                    let is_supported =
                        |device: &Device| matches!(device, Device::Cpu | Device::Cuda(_));
                    let device = argument.parse().ok().filter(is_supported);
                    let expected =
                        || format!("{argument:?} is not a device: expected cpu or cuda:0\n{USAGE}");
                    arguments.devices.push(device.ok_or_else(expected)?);
                }
                _ => return Err(format!("{argument:?} is not known\n{USAGE}")),
            }
        }
        if arguments.devices.is_empty() {
            arguments.devices = vec![Device::Cpu, Device::Cuda(0)];
        }
        Ok(arguments)
    }
}

/// Runs the chosen measurements and writes the report, even if an operation failed.
///
/// # Errors
/// Returns an error if an operation fails, its result differs through the wrapper, or a file cannot
/// be written. A missing device is not an error: the report names it.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let measured = measure(arguments, report);
    if let Some(file) = &arguments.markdown {
        let written = fs::write(file, report.to_string());
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    measured
}

fn measure(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    for &device in &arguments.devices {
        match device {
            Device::Cuda(number) => on_cuda(number, arguments, report)?,
            _ => on_host(arguments, report)?,
        }
    }
    Ok(())
}

fn extent(arguments: &Arguments) -> Extent {
    if !arguments.elements.is_empty() {
        return Extent { elements: arguments.elements.clone(), sides: Vec::new() };
    }
    if arguments.quick { Extent::quick() } else { Extent::full() }
}

impl Arguments {
    fn has_dtype(&self, dtype: &str) -> bool {
        self.dtypes.is_empty() || self.dtypes.iter().any(|wanted| wanted == dtype)
    }
}

fn on_host(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let bench = &mut Bench::on_host(&arguments.output, arguments.quick);
    let mut extent = extent(arguments);
    let largest = extent.sides.iter().filter(|&&side| side > MAX_ON_HOST);
    let left_out: Vec<String> = largest.map(ToString::to_string).collect();
    extent.sides.retain(|&side| side <= MAX_ON_HOST);
    let only = &arguments.operations;
    let measured = &mut Measured { backend: Host, bench, report, prefix: "", only };
    if arguments.has_dtype(f32::DTYPE) {
        measured.all::<f32>(&extent)?;
    }
    if arguments.has_dtype(f16::DTYPE) {
        measured.all::<f16>(&extent)?;
    }
    if arguments.has_dtype(bf16::DTYPE) {
        measured.all::<bf16>(&extent)?;
    }
    if !left_out.is_empty() {
        let reason = format!("plain loops take too long for {} rows", left_out.join(", "));
        measured.report.skip(Device::Cpu, "matmul, linear", reason);
    }
    #[cfg(feature = "candle")]
    crate::candle::measure(&extent, measured.bench, measured.report)?;
    #[cfg(not(feature = "candle"))]
    measured.report.skip(Device::Cpu, "candle", "this build lacks the feature `candle`");
    measured.bench.finish();
    Ok(())
}

fn on_cuda(number: u16, arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let device = match CudaDevice::open(number) {
        Ok(device) => device,
        Err(reason) => {
            report.skip(Device::Cuda(number), "all", reason);
            return Ok(());
        }
    };
    device.describe(&mut report.environment);
    let clock = Clock::new(&device)?;
    let bench = &mut Bench::on_device(&arguments.output, arguments.quick, clock)?;
    let mut extent = extent(arguments);
    if let Some(reason) = device.lacks_blas() {
        report.skip(Device::Cuda(number), "matmul, linear", reason);
        extent.sides.clear();
    }
    cuda_type::<f32>(&device, arguments, &extent, bench, report)?;
    cuda_type::<f16>(&device, arguments, &extent, bench, report)?;
    cuda_type::<bf16>(&device, arguments, &extent, bench, report)?;
    bench.finish();
    Ok(())
}

fn cuda_type<T: CudaElement>(
    device: &CudaDevice,
    arguments: &Arguments,
    extent: &Extent,
    bench: &mut Bench,
    report: &mut Report,
) -> Result<(), Failure>
where
    CudaBlas: Gemm<T>,
    Cuda: Backend<T>,
{
    if !arguments.has_dtype(T::DTYPE) {
        return Ok(());
    }
    let (backend, only) = (Cuda::new::<T>(device)?, &*arguments.operations);
    Ok(Measured { backend, bench, report, prefix: "", only }.all::<T>(extent)?)
}
