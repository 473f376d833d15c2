//! The command line.

use crate::shape::{ONE_BILLION, Shape, TINY};
use candle_core::Device;
use std::path::PathBuf;

/// Runs a transformer and prints its memory, predicted by formula and measured with memprof.
#[derive(clap::Parser, Debug)]
pub(crate) struct Arguments {
    /// Size of the model: tiny, or 1b, which needs 2.4 GiB
    #[arg(long, default_value = "tiny", value_parser = shape)]
    pub(crate) shape: Shape,
    /// Device of the tensors: cpu or cuda
    #[arg(long, default_value = "cpu", value_parser = device)]
    pub(crate) device: Device,
    /// Record a session in this folder, for `memprof info`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output_dir: Option<PathBuf>,
    /// Print the formulas and their bytes, and allocate nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

fn shape(name: &str) -> Result<Shape, String> {
    match name {
        "tiny" => Ok(TINY),
        "1b" => Ok(ONE_BILLION),
        _ => Err("expected tiny or 1b".to_owned()),
    }
}

fn device(name: &str) -> Result<Device, String> {
    match name {
        "cpu" => Ok(Device::Cpu),
        "cuda" => Device::new_cuda(0).map_err(|error| error.to_string()),
        _ => Err("expected cpu or cuda".to_owned()),
    }
}
