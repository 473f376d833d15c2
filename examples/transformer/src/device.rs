//! The device that the tensors are on.

use candle_core::Device;
use std::fmt;
use std::str::FromStr;

/// Where the tensors are to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Cpu,
    Cuda(usize),
}

impl Place {
    /// Opens the device.
    ///
    /// # Errors
    /// If candle has no support for it, or it isn't there; with what to do.
    pub(crate) fn open(self) -> Result<Device, String> {
        match self {
            Self::Cpu => Ok(Device::Cpu),
            Self::Cuda(_) if !candle_core::utils::cuda_is_available() => Err(format!(
                "{self}: this candle is built without CUDA; add candle-core/cuda to --features, \
                 which needs CUDA's compiler"
            )),
            Self::Cuda(number) => {
                Device::new_cuda(number).map_err(|error| format!("{self}: {error}"))
            }
        }
    }

    /// As profiles name it.
    pub(crate) fn profiled(self) -> memprof::Device {
        match self {
            Self::Cpu => memprof::Device::Cpu,
            Self::Cuda(number) => memprof::Device::Cuda(number as u16),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => out.write_str("cpu"),
            Self::Cuda(number) => write!(out, "cuda:{number}"),
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix("cuda:").and_then(|number| number.parse::<u16>().ok());
        match number {
            Some(number) => Ok(Self::Cuda(number.into())),
            None if text == "cpu" => Ok(Self::Cpu),
            None => Err(format!("expected --device cpu or cuda:N; found {text:?}")),
        }
    }
}
