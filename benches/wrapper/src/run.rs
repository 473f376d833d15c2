//! `cargo bench -p memprof-wrapper-benches`: all operations on every available device.

use crate::backend::Backend;
use crate::backend::Failure;
use crate::bench::Bench;
use crate::cuda::{Clock, Cuda, CudaDevice, CudaElement};
use crate::element::Element;
use crate::host::Host;
use crate::measure::{Extent, Measured};
use crate::report::Report;
use crate::verify;
use cudarc::cublas::{CudaBlas, Gemm};
use half::{bf16, f16};
use memprof::tree::Device;
use std::fs;
use std::path::PathBuf;

/// The largest matrices on the host, because plain loops take too long for larger ones.
const MAX_ON_HOST: usize = 512;

/// Measures what a tensor with a unit costs beside the buffer that it wraps.
#[derive(Debug, clap::Parser)]
#[command(name = "wrapper")]
pub struct Arguments {
    /// Which sizes to measure, and for how long
    #[arg(long, value_enum, default_value_t = Effort::Full)]
    effort: Effort,
    /// The devices: `cpu`, `cuda:0` [default: both]
    #[arg(long = "device", value_name = "DEVICE", value_parser = device)]
    devices: Vec<Device>,
    /// The types of the elements [default: all]
    #[arg(long = "dtype", value_name = "TYPE", value_parser = ["f32", "f16", "bf16"])]
    dtypes: Vec<String>,
    /// The numbers of elements instead of the usual ones; then there are no matrices
    #[arg(long, value_name = "NUMBER")]
    elements: Vec<usize>,
    /// The names of the operations [default: all]
    #[arg(long = "operation", value_name = "NAME")]
    operations: Vec<String>,
    /// The folder of criterion's figures and plots
    #[arg(long, value_name = "FOLDER", default_value = "target/wrapper")]
    output: PathBuf,
    /// The file for the report, which is also printed
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Only compare the kernels of `cuda:0` and cuBLAS with the host's loops
    #[arg(long)]
    verify: bool,
    /// `cargo bench` passes this argument.
    #[arg(long, hide = true)]
    bench: bool,
}

/// The sizes to measure, and the time for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Effort {
    /// Small sizes, for tests: seconds
    Quick,
    /// Three of the sizes, without plots: minutes
    Short,
    /// All sizes, with plots: an hour
    Full,
}

fn device(text: &str) -> Result<Device, &'static str> {
    let is_supported = |device: &Device| matches!(device, Device::Cpu | Device::Cuda(_));
    text.parse().ok().filter(is_supported).ok_or("expected `cpu` or `cuda:0`")
}

impl Arguments {
    /// Parses the words of a command line, without the program's name.
    ///
    /// # Errors
    /// Returns the wrong argument and the accepted ones.
    pub fn from_words(words: impl IntoIterator<Item = String>) -> clap::error::Result<Self> {
        clap::Parser::try_parse_from(["wrapper".to_owned()].into_iter().chain(words))
    }
}

/// Runs the chosen measurements and writes the report, even if an operation failed.
///
/// # Errors
/// Returns an error if an operation fails, its result differs through the wrapper, or a file cannot
/// be written. The other operations are measured nevertheless. A missing device is not an error: the
/// report names it.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    if arguments.verify {
        return verify();
    }
    let measured = measure(arguments, report);
    if let Some(file) = &arguments.markdown {
        let written = fs::write(file, report.to_string());
        written.map_err(|error| format!("{}: {error}", file.display()))?;
    }
    measured?;
    match report.failed.len() {
        0 => Ok(()),
        failed => Err(format!("{failed} operations failed").into()),
    }
}

/// Compares the kernels and cuBLAS with the host's loops.
fn verify() -> Result<(), Failure> {
    let device = match CudaDevice::open(0) {
        Ok(device) => device,
        Err(reason) => {
            println!("skipped: cuda:0: {reason}");
            return Ok(());
        }
    };
    for (dtype, compared) in [
        (f32::DTYPE, verify::compare::<f32>(&device, 1e-4)),
        (f16::DTYPE, verify::compare::<f16>(&device, 1e-2)),
        (bf16::DTYPE, verify::compare::<bf16>(&device, 1e-1)),
    ] {
        compared.map_err(|error| format!("{dtype}: {error}"))?;
        println!("{dtype}: the device computes the same as the host");
    }
    if let Some(reason) = device.lacks_blas() {
        println!("skipped: matmul: {reason}");
    }
    Ok(())
}

fn measure(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let both = [Device::Cpu, Device::Cuda(0)];
    let devices = if arguments.devices.is_empty() { &both[..] } else { &arguments.devices };
    for &device in devices {
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
    Extent::of(arguments.effort)
}

impl Arguments {
    fn has_dtype(&self, dtype: &str) -> bool {
        self.dtypes.is_empty() || self.dtypes.iter().any(|wanted| wanted == dtype)
    }
}

#[cfg_attr(not(feature = "candle"), expect(clippy::unnecessary_wraps, reason = "candle can fail"))]
fn on_host(arguments: &Arguments, report: &mut Report) -> Result<(), Failure> {
    let bench = &mut Bench::on_host(&arguments.output, arguments.effort);
    let mut extent = extent(arguments);
    let largest = extent.sides.iter().filter(|&&side| side > MAX_ON_HOST);
    let left_out: Vec<String> = largest.map(ToString::to_string).collect();
    extent.sides.retain(|&side| side <= MAX_ON_HOST);
    let only = &arguments.operations;
    let measured = &mut Measured { backend: Host, bench, report, prefix: "", only };
    if arguments.has_dtype(f32::DTYPE) {
        measured.all::<f32>(&extent);
    }
    if arguments.has_dtype(f16::DTYPE) {
        measured.all::<f16>(&extent);
    }
    if arguments.has_dtype(bf16::DTYPE) {
        measured.all::<bf16>(&extent);
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
    let bench = &mut Bench::on_device(&arguments.output, arguments.effort, clock)?;
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
    Measured { backend, bench, report, prefix: "", only }.all::<T>(extent);
    Ok(())
}
