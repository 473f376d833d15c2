//! Which devices CUDA sees in this process, and how it numbers them.

use super::DeviceIdentity;

/// How CUDA numbers the devices of the driver, as far as it can be told without asking CUDA.
///
/// Asking would initialise CUDA, which children of the process that are forked later could then not
/// use. So it is told from the environment: the devices that `CUDA_VISIBLE_DEVICES` names, in the
/// order of the bus if `CUDA_DEVICE_ORDER` says so, or if all are of one kind. Where they are not,
/// CUDA puts the fastest first, and nobody but CUDA knows which that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ordinals {
    /// UUIDs by their number in CUDA, as CUDA itself told.
    told: Option<Vec<String>>,
    visible: Option<String>,
    by_bus: bool,
}

impl Ordinals {
    /// What the environment of this process says.
    pub fn from_environment() -> Self {
        let variable = |name| std::env::var_os(name).map(|set| set.to_string_lossy().into_owned());
        Self::from_variables(
            variable("CUDA_VISIBLE_DEVICES").as_deref(),
            variable("CUDA_DEVICE_ORDER").as_deref(),
        )
    }

    /// What these values of `CUDA_VISIBLE_DEVICES` and `CUDA_DEVICE_ORDER` say.
    ///
    /// ```
    /// use memprof_gpu::Ordinals;
    ///
    /// assert_eq!(Ordinals::from_variables(None, None), Ordinals::default());
    /// ```
    pub fn from_variables(visible: Option<&str>, order: Option<&str>) -> Self {
        let by_bus = order == Some("PCI_BUS_ID");
        Self { told: None, visible: visible.map(str::to_owned), by_bus }
    }

    /// What CUDA itself says: the UUIDs of its devices, in its order.
    pub fn told<U: Into<String>>(uuids: impl IntoIterator<Item = U>) -> Self {
        Self { told: Some(uuids.into_iter().map(Into::into).collect()), ..Self::default() }
    }

    /// Numbers the devices, which are in the order of the bus, as NVML lists them.
    pub fn number(&self, devices: &mut [DeviceIdentity]) {
        let numbers = match &self.told {
            Some(told) => {
                let number =
                    |device: &DeviceIdentity| told.iter().position(|it| *it == device.uuid);
                devices.iter().map(number).collect()
            }
            None => self.guessed(devices),
        };
        for (device, number) in devices.iter_mut().zip(numbers) {
            device.ordinal = number.and_then(|number| u16::try_from(number).ok());
        }
    }

    /// The number of each, where there is but one that it can have.
    fn guessed(&self, devices: &[DeviceIdentity]) -> Vec<Option<usize>> {
        let mut numbers = vec![None; devices.len()];
        let seen = match &self.visible {
            None if self.is_ordered(devices) => (0..devices.len()).collect(),
            None => Vec::new(),
            Some(list) => self.listed(list, devices),
        };
        // A process sees one part of a device split into several, and only if it is told which.
        let seen =
            seen.into_iter().filter(|&at| self.visible.is_some() || devices[at].part.is_none());
        for (number, at) in seen.enumerate() {
            numbers[at] = Some(number);
        }
        numbers
    }

    fn is_ordered(&self, devices: &[DeviceIdentity]) -> bool {
        let same = |pair: &[DeviceIdentity]| pair[0].name.is_some() && pair[0].name == pair[1].name;
        self.by_bus || devices.windows(2).all(same)
    }

    /// The devices that a list names: by number, by UUID, by the first letters of one. CUDA sees
    /// those before the first that it can't find, and none if one is named twice.
    fn listed(&self, list: &str, devices: &[DeviceIdentity]) -> Vec<usize> {
        let mut seen = Vec::new();
        for word in list.split(',').map(str::trim) {
            let found = match word.parse::<usize>() {
                Ok(number) if !self.is_ordered(devices) || number >= devices.len() => None,
                Ok(number) => Some(number),
                Err(_) if word.starts_with("GPU-") || word.starts_with("MIG-") => {
                    let mut named =
                        (0..devices.len()).filter(|&at| devices[at].uuid.starts_with(word));
                    // A beginning that several share names none of them.
                    named.next().filter(|_| named.next().is_none())
                }
                Err(_) => None,
            };
            match found {
                Some(at) if seen.contains(&at) => return Vec::new(),
                Some(at) => seen.push(at),
                None => break,
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::{DeviceIdentity, Ordinals};

    fn device(index: u32, uuid: &str, name: &str) -> DeviceIdentity {
        let (uuid, name) = (uuid.to_owned(), Some(name.to_owned()));
        DeviceIdentity { index, uuid, name, part: None, ordinal: None }
    }

    fn numbers(ordinals: &Ordinals, names: [&str; 3]) -> [Option<u16>; 3] {
        let uuids = ["GPU-aa1", "GPU-ab2", "GPU-c3"];
        let mut index = 0..;
        let mut devices = names.map(|name| {
            let index = index.next().unwrap_or(0);
            device(index, uuids[index as usize], name)
        });
        ordinals.number(&mut devices);
        devices.map(|device| device.ordinal)
    }

    #[test]
    fn the_environment_says_what_cuda_sees() {
        let same = ["H100"; 3];
        let mixed = ["A100", "T4", "A100"];
        let bus = Some("PCI_BUS_ID");
        let all = [Some(0), Some(1), Some(2)];
        let cases = [
            (None, None, same, all),
            (None, None, mixed, [None; 3]),
            (None, bus, mixed, all),
            (Some("2,0"), None, same, [Some(1), None, Some(0)]),
            (Some("2,0"), None, mixed, [None; 3]),
            (Some("2,0"), bus, mixed, [Some(1), None, Some(0)]),
            (Some("GPU-c3, GPU-ab"), None, mixed, [None, Some(1), Some(0)]),
            (Some("GPU-a"), None, mixed, [None; 3]),
            (Some("1,7,0"), None, same, [None, Some(0), None]),
            (Some("1,-1,0"), None, same, [None, Some(0), None]),
            (Some("1,1"), None, same, [None; 3]),
            (Some(""), None, same, [None; 3]),
            (Some("NoDevFiles"), None, same, [None; 3]),
        ];
        for (visible, order, names, expected) in cases {
            let ordinals = Ordinals::from_variables(visible, order);
            assert_eq!(numbers(&ordinals, names), expected, "{visible:?} {order:?} {names:?}");
        }
    }

    #[test]
    fn what_cuda_itself_says_goes_by_uuid_alone() {
        let told = Ordinals::told(["GPU-c3", "GPU-aa1"]);
        assert_eq!(numbers(&told, ["A100", "T4", "A100"]), [Some(1), None, Some(0)]);
    }

    #[test]
    fn a_part_of_a_split_device_is_numbered_only_if_it_is_named() {
        let mut parts = [1, 2].map(|part| {
            let uuid = format!("MIG-{part}");
            DeviceIdentity { part: Some(part), ..device(0, &uuid, "H100") }
        });
        Ordinals::default().number(&mut parts);
        assert_eq!(parts.clone().map(|part| part.frame()), ["nvml:0/mig:1", "nvml:0/mig:2"]);
        Ordinals::from_variables(Some("MIG-2"), None).number(&mut parts);
        assert_eq!(parts.map(|part| part.frame()), ["nvml:0/mig:1", "cuda:0"]);
    }
}
