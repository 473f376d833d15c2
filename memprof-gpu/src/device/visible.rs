//! Which devices CUDA shows to a process: what the variable `CUDA_VISIBLE_DEVICES` says.

use std::env;

/// The devices that CUDA shows, in its order; their places in it are the ordinals.
///
/// CUDA reads the variable when it is initialised, and stops at the first entry that is none: what
/// comes behind it is hidden. A list that names one device twice shows none.
///
/// ```
/// use memprof_gpu::VisibleDevices;
///
/// let uuids = ["GPU-5f2c0000-aaaa", "GPU-77d10000-bbbb", "GPU-c0de0000-cccc"];
/// assert_eq!(VisibleDevices::parse("2,0").resolve(&uuids), [2, 0]);
/// assert_eq!(VisibleDevices::parse("GPU-77d").resolve(&uuids), [1]);
/// assert!(VisibleDevices::parse("").resolve(&uuids).is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VisibleDevices {
    /// The variable is not set: all of them.
    All,
    /// These, in this order, as far as they are there.
    Listed(Vec<VisibleDevice>),
}

/// One entry of `CUDA_VISIBLE_DEVICES`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VisibleDevice {
    /// The number of a device among all: in the order of the PCI bus where `CUDA_DEVICE_ORDER` is
    /// `PCI_BUS_ID`, which is NVML's, and else with the fastest first.
    Index(u32),
    /// The beginning of a device's UUID, `GPU-` included.
    Uuid(String),
    /// A part of a MIG device: `MIG-` and its UUID, or in drivers before R470 `MIG-GPU-`, the UUID of
    /// the device and the numbers of both instances.
    Mig(String),
}

impl VisibleDevices {
    /// What the variable of this process says now, which is what CUDA saw if it was not changed since.
    pub fn from_environment() -> Self {
        match env::var_os("CUDA_VISIBLE_DEVICES") {
            None => Self::All,
            Some(value) => Self::parse(&value.to_string_lossy()),
        }
    }

    /// What the variable says with this value.
    pub fn parse(value: &str) -> Self {
        let mut entries: Vec<VisibleDevice> = Vec::new();
        for text in value.split(',') {
            // One list has entries of one kind.
            match VisibleDevice::parse(text.trim()) {
                Some(entry) if entries.first().is_none_or(|first| first.is_like(&entry)) => {
                    entries.push(entry);
                }
                _ => break,
            }
        }
        Self::Listed(entries)
    }

    /// The places of the visible devices among those of these UUIDs, in the order of their ordinals.
    ///
    /// The UUIDs are those of all devices in the order that numbers count in (see
    /// [`VisibleDevice::Index`]); with them those of the parts of MIG devices, where such are listed.
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
        // CUDA reads a number as C does: what comes behind its digits does not count.
        let digits = text.strip_prefix('+').unwrap_or(text);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok().map(Self::Index)
    }

    fn is_like(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }

    /// Where its device is among these.
    fn place<S: AsRef<str>>(&self, uuids: &[S]) -> Option<usize> {
        match self {
            Self::Index(index) => {
                let index = usize::try_from(*index).ok()?;
                (index < uuids.len()).then_some(index)
            }
            Self::Uuid(start) | Self::Mig(start) => {
                let is_it = |uuid: &S| uuid.as_ref().starts_with(&**start);
                let first = uuids.iter().position(is_it)?;
                // A beginning that several have names none of them.
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
