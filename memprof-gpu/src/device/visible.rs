//! The devices that CUDA lists in a process, selected by the variable `CUDA_VISIBLE_DEVICES`.

use std::env;

/// The devices that CUDA lists, in CUDA's order. A device's position in this order is its ordinal.
///
/// CUDA reads the variable during its initialisation. CUDA stops at the first invalid entry, and
/// hides the devices that come after it. If the variable names one device twice, CUDA lists no
/// device.
///
/// ```
/// use memprof::gpu::VisibleDevices;
///
/// let uuids = ["GPU-5f2c0000-aaaa", "GPU-77d10000-bbbb", "GPU-c0de0000-cccc"];
/// assert_eq!(VisibleDevices::parse("2,0").resolve(&uuids), [2, 0]);
/// assert_eq!(VisibleDevices::parse("GPU-77d").resolve(&uuids), [1]);
/// assert!(VisibleDevices::parse("").resolve(&uuids).is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the variable has these three forms")]
pub enum VisibleDevices {
    /// All devices: the variable is not set.
    All,
    /// These devices in this order, up to the first one that does not exist.
    Listed(Vec<VisibleDevice>),
}

/// One entry of `CUDA_VISIBLE_DEVICES`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VisibleDevice {
    /// The device's number among all devices. If `CUDA_DEVICE_ORDER` is `PCI_BUS_ID`, the devices
    /// are in the order of the PCI bus, as in NVML. Otherwise the fastest device is first.
    Index(u32),
    /// The first characters of a device's UUID, including `GPU-`.
    Uuid(String),
    /// A MIG device, which is a part of a split device: `MIG-` and its UUID.
    ///
    /// Drivers before R470 use `MIG-GPU-`, the UUID of the device, and the numbers of the GPU
    /// instance and the compute instance.
    Mig(String),
}

impl VisibleDevices {
    /// Parses the variable of this process. CUDA read the same value if the variable has not
    /// changed since CUDA was initialised.
    pub fn from_environment() -> Self {
        match env::var_os("CUDA_VISIBLE_DEVICES") {
            None => Self::All,
            Some(value) => Self::parse(&value.to_string_lossy()),
        }
    }

    /// Parses a value of the variable.
    pub fn parse(value: &str) -> Self {
        let mut entries: Vec<VisibleDevice> = Vec::new();
        for text in value.split(',') {
            // CUDA accepts entries of only one kind in a list.
            match VisibleDevice::parse(text.trim()) {
                Some(entry) if entries.first().is_none_or(|first| first.is_like(&entry)) => {
                    entries.push(entry);
                }
                _ => break,
            }
        }
        Self::Listed(entries)
    }

    /// Returns the positions of the visible devices in `uuids`, in the order of their ordinals.
    ///
    /// `uuids` contains the UUIDs of all devices, in the order in which [`VisibleDevice::Index`]
    /// counts. If the variable lists MIG devices, append their UUIDs.
    pub fn resolve<S: AsRef<str>>(&self, uuids: &[S]) -> Vec<usize> {
        let Self::Listed(entries) = self else {
            return (0..uuids.len()).collect();
        };
        let mut places = Vec::new();
        for entry in entries {
            match entry.place(uuids) {
                None => break,
                Some(place) if places.contains(&place) => return Vec::new(),
                Some(place) => places.push(place),
            }
        }
        places
    }
}

impl VisibleDevice {
    fn parse(text: &str) -> Option<Self> {
        if text.starts_with("GPU-") {
            return Some(Self::Uuid(text.to_owned()));
        }
        if text.starts_with("MIG-") {
            return Some(Self::Mig(text.to_owned()));
        }
        // CUDA reads a number as C does: it ignores any characters after the digits.
        let digits = text.strip_prefix('+').unwrap_or(text);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok().map(Self::Index)
    }

    fn is_like(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }

    /// Returns the position of this entry's device in `uuids`.
    fn place<S: AsRef<str>>(&self, uuids: &[S]) -> Option<usize> {
        match self {
            Self::Index(index) => {
                let index = usize::try_from(*index).ok()?;
                (index < uuids.len()).then_some(index)
            }
            Self::Uuid(start) | Self::Mig(start) => {
                let is_it = |uuid: &S| uuid.as_ref().starts_with(&**start);
                let first = uuids.iter().position(is_it)?;
                // A prefix of several UUIDs names none of them.
                (!uuids[first + 1..].iter().any(is_it)).then_some(first)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VisibleDevices;

    const UUIDS: [&str; 4] = ["GPU-5f2c-aa", "GPU-77d1-bb", "GPU-77d2-cc", "MIG-0a0b-dd"];

    #[test]
    fn entries_count_up_to_the_first_that_is_none() {
        let cases: [(&str, &[usize]); 18] = [
            ("0", &[0]),
            ("1,0", &[1, 0]),
            (" 1 , 2 ", &[1, 2]),
            ("0,9,1", &[0]),
            ("0,-1,1", &[0]),
            ("-1", &[]),
            ("", &[]),
            ("none", &[]),
            ("0,,1", &[0]),
            ("0,1,", &[0, 1]),
            ("1x,2", &[1, 2]),
            ("0,99999999999,1", &[0]),
            ("GPU-77d2,GPU-5f", &[2, 0]),
            ("GPU-77d,GPU-5f", &[]),
            ("GPU-5f,GPU-no,GPU-77d2", &[0]),
            ("GPU-5f,1", &[0]),
            ("0,GPU-77d2", &[0]),
            ("MIG-0a0b", &[3]),
        ];
        for (value, places) in cases {
            assert_eq!(VisibleDevices::parse(value).resolve(&UUIDS), places, "{value:?}");
        }
    }

    #[test]
    fn a_device_that_is_named_twice_hides_all() {
        for value in ["0,0", "0,1,0", "GPU-5f,GPU-5f2c"] {
            assert_eq!(VisibleDevices::parse(value).resolve(&UUIDS), [0; 0], "{value:?}");
        }
        assert_eq!(VisibleDevices::parse("1,9,1").resolve(&UUIDS), [1], "the second is not read");
    }

    #[test]
    fn without_the_variable_all_are_visible() {
        assert_eq!(VisibleDevices::All.resolve(&UUIDS), [0, 1, 2, 3]);
    }
}
