//! The memory that bytes are in: the host's or a device's.

use crate::keyword::KeywordError;
use core::fmt;
use core::str::FromStr;

/// The memory that bytes are in.
///
/// The text has the form that machine-learning frameworks use: `cpu`, `cuda:0`, `metal:1`.
///
/// ```
/// use memprof::tree::Device;
///
/// assert_eq!(Device::Cuda(1).to_string(), "cuda:1");
/// assert_eq!("cuda:1".parse(), Ok(Device::Cuda(1)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Device {
    /// The memory of the host.
    #[default]
    Cpu,
    /// A GPU, by its CUDA number.
    Cuda(u16),
    /// An Apple GPU, by a number that the program chooses.
    Metal(u16),
    /// A GPU, by its number in NVIDIA's management library. This variant is used if CUDA does not
    /// list the GPU, or if the CUDA number is unknown.
    Nvml(u16),
}

impl FromStr for Device {
    type Err = KeywordError;

    fn from_str(word: &str) -> Result<Self, KeywordError> {
        const EXPECTED: &[&str] = &["cpu", "cuda:<number>", "metal:<number>", "nvml:<number>"];
        let error = || KeywordError::new(word, EXPECTED);
        if word == "cpu" {
            return Ok(Self::Cpu);
        }
        let (family, number) = word.split_once(':').ok_or_else(error)?;
        // `+1` and `01` parse as numbers, but they are not valid device numbers.
        let is_plain = number == "0" || !number.starts_with(['+', '0']);
        let number = number.parse().ok().filter(|_| is_plain).ok_or_else(error)?;
        match family {
            "cuda" => Ok(Self::Cuda(number)),
            "metal" => Ok(Self::Metal(number)),
            "nvml" => Ok(Self::Nvml(number)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => out.pad("cpu"),
            Self::Cuda(number) => out.pad(&format!("cuda:{number}")),
            Self::Metal(number) => out.pad(&format!("metal:{number}")),
            Self::Nvml(number) => out.pad(&format!("nvml:{number}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Device;

    #[test]
    fn only_written_forms_of_devices_are_parsed() {
        for device in [
            Device::Cpu,
            Device::Cuda(0),
            Device::Cuda(u16::MAX),
            Device::Metal(3),
            Device::Nvml(1),
        ] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for word in
            ["", "gpu", "cpu:0", "cuda", "cuda:", "cuda:+1", "cuda:01", "cuda:00", "cuda:65536"]
        {
            assert!(word.parse::<Device>().is_err(), "{word}");
        }
        assert_eq!(
            "gpu:0".parse::<Device>().unwrap_err().to_string(),
            "expected one of `cpu`, `cuda:<number>`, `metal:<number>`, `nvml:<number>`, found \"gpu:0\""
        );
    }
}
