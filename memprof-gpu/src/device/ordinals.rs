//! The devices that CUDA lists in this process, and their numbers in CUDA.

use super::{DeviceIdentity, VisibleDevice, VisibleDevices};

/// The numbers that CUDA gives the driver's devices, derived without CUDA where possible.
///
/// A query to CUDA would initialise CUDA, and children that the process forks later could not use
/// it. So the numbers are derived from the environment: `CUDA_VISIBLE_DEVICES` names the devices.
/// The devices are in bus order if `CUDA_DEVICE_ORDER` is `PCI_BUS_ID`, or if all devices are of
/// one model. Otherwise, CUDA puts the fastest device first, and the order is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordinals {
    /// UUIDs in CUDA's order, if CUDA reported them.
    reported: Option<Vec<String>>,
    visible: VisibleDevices,
    by_bus: bool,
}

impl Ordinals {
    /// Derives the numbers from the environment of this process.
    pub fn from_environment() -> Self {
        let order = std::env::var_os("CUDA_DEVICE_ORDER");
        let by_bus = order.is_some_and(|order| order == "PCI_BUS_ID");
        Self { reported: None, visible: VisibleDevices::from_environment(), by_bus }
    }

    /// Derives the numbers from these values of `CUDA_VISIBLE_DEVICES` and `CUDA_DEVICE_ORDER`.
    /// `None` means that the variable is not set.
    pub fn from_variables(visible: Option<&str>, order: Option<&str>) -> Self {
        let by_bus = order == Some("PCI_BUS_ID");
        let visible = visible.map_or(VisibleDevices::All, VisibleDevices::parse);
        Self { reported: None, visible, by_bus }
    }

    /// Derives the numbers from CUDA's own order: the argument contains the UUIDs of CUDA's devices
    /// in that order.
    ///
    /// ```
    /// use memprof::gpu::Ordinals;
    /// # let mut devices: Vec<memprof::gpu::DeviceIdentity> = Vec::new();
    ///
    /// let ordinals = Ordinals::reported(["GPU-77d1…", "GPU-5f2c…"]); // or those of `cuda.devices()?`
    /// ordinals.number(&mut devices);
    /// ```
    pub fn reported<U: Into<String>>(uuids: impl IntoIterator<Item = U>) -> Self {
        let reported = Some(uuids.into_iter().map(Into::into).collect());
        Self { reported, visible: VisibleDevices::All, by_bus: false }
    }

    /// Sets the ordinals of the devices. The devices must be in bus order, as NVML lists them.
    pub fn number(&self, devices: &mut [DeviceIdentity]) {
        for device in devices.iter_mut() {
            device.ordinal = None;
        }
        let visible_devices = match &self.reported {
            Some(reported) => {
                reported.iter().map(|uuid| devices.iter().position(|it| it.uuid == *uuid)).collect()
            }
            None => self.visible_devices(devices),
        };
        for (ordinal, at) in (0..=u16::MAX).zip(visible_devices) {
            if let Some(at) = at {
                devices[at].ordinal = Some(ordinal);
            }
        }
    }

    /// Returns the devices that CUDA lists, in CUDA's order. The list is empty if the environment
    /// does not determine them.
    fn visible_devices(&self, devices: &[DeviceIdentity]) -> Vec<Option<usize>> {
        let is_whole = |at: &usize| devices[*at].part.is_none();
        let entries = match &self.visible {
            // With a split device in the machine, CUDA may hide whole devices, or use a part of its
            // choice.
            VisibleDevices::All if !devices.iter().all(|device| device.part.is_none()) => {
                return Vec::new();
            }
            VisibleDevices::All if self.is_ordered(devices) => {
                return (0..devices.len()).map(Some).collect();
            }
            VisibleDevices::All => return Vec::new(),
            VisibleDevices::Listed(entries) => entries,
        };
        let is_number = matches!(entries.first(), Some(VisibleDevice::Index(_)));
        if is_number && !self.is_ordered(devices) {
            return Vec::new();
        }
        // Numbers count whole devices. Split devices have a number too, but `devices` contains only
        // their parts.
        let last = devices.iter().map(|device| device.index).max();
        let count = last.map_or(0, |last| last.min(u16::MAX.into()) + 1);
        let whole =
            |index| (0..devices.len()).filter(is_whole).find(|&at| devices[at].index == index);
        let parts = (0..devices.len()).filter(|at| !is_whole(at)).map(Some);
        let places: Vec<Option<usize>> = (0..count).map(whole).chain(parts).collect();
        let uuid = |place: &Option<usize>| place.map_or("", |at| &devices[at].uuid);
        let uuids: Vec<&str> = places.iter().map(uuid).collect();
        let visible_devices: Vec<_> =
            self.visible.resolve(&uuids).into_iter().map(|at| places[at]).collect();
        // The number of a split device means a part that CUDA chooses, or no part.
        if visible_devices.contains(&None) { Vec::new() } else { visible_devices }
    }

    fn is_ordered(&self, devices: &[DeviceIdentity]) -> bool {
        let is_same_model =
            |pair: &[DeviceIdentity]| pair[0].name.is_some() && pair[0].name == pair[1].name;
        self.by_bus || devices.windows(2).all(is_same_model)
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
    fn the_environment_determines_the_ordinals() {
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
            (Some("1,GPU-aa1"), None, same, [None, Some(0), None]),
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
    fn ordinals_reported_by_cuda_match_by_uuid_only() {
        let reported = Ordinals::reported(["GPU-c3", "GPU-aa1"]);
        assert_eq!(numbers(&reported, ["A100", "T4", "A100"]), [Some(1), None, Some(0)]);
    }

    #[test]
    fn with_a_split_device_whole_ones_are_numbered_only_if_listed() {
        let part = DeviceIdentity { part: Some(1), ..device(0, "MIG-1", "H100 MIG 1g.10gb") };
        let mut devices = [part, device(1, "GPU-b", "H100"), device(2, "GPU-c", "H100")];
        let bus = Some("PCI_BUS_ID");
        let cases = [
            (None, [None; 3]),
            (Some("2,1"), [None, Some(1), Some(0)]),
            (Some("1,0"), [None; 3]),
            (Some("0"), [None; 3]),
            (Some("GPU-c"), [None, None, Some(0)]),
        ];
        for (visible, expected) in cases {
            Ordinals::from_variables(visible, bus).number(&mut devices);
            assert_eq!(devices.clone().map(|device| device.ordinal), expected, "{visible:?}");
        }
    }

    #[test]
    fn too_many_devices_do_not_overflow() {
        let mut last = [DeviceIdentity { index: u32::MAX, ..device(0, "GPU-z", "H100") }];
        Ordinals::from_variables(Some("0"), None).number(&mut last);
        assert_eq!(last[0].ordinal, None);
        let many = (0..70_000).map(|_| "GPU-y".to_owned()).chain(["GPU-z".to_owned()]);
        Ordinals::reported(many).number(&mut last);
        assert_eq!(last[0].ordinal, None);
    }

    #[test]
    fn a_part_of_a_split_device_is_numbered_only_if_listed() {
        let mut parts = [1, 2].map(|part| {
            let uuid = format!("MIG-{part}");
            DeviceIdentity { part: Some(part), ..device(0, &uuid, "H100") }
        });
        Ordinals::from_variables(None, None).number(&mut parts);
        assert_eq!(parts.clone().map(|part| part.frame()), ["nvml:0/mig:1", "nvml:0/mig:2"]);
        Ordinals::from_variables(Some("MIG-2"), None).number(&mut parts);
        assert_eq!(parts.map(|part| part.frame()), ["nvml:0/mig:1", "cuda:0"]);
    }
}
