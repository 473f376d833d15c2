//! A leaf: bytes of one kind, for one purpose, in one memory.

use crate::{Device, Kind, Role};

/// Bytes of one kind at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub(super) bytes: u64,
    pub(super) estimated_bytes: u64,
    pub(super) device: Device,
    pub(super) kind: Kind,
    pub(super) role: Role,
    /// In the plain form: a map's keys, shown as `[keys]`.
    pub(super) of_keys: bool,
}

impl Leaf {
    /// So many bytes of the host's memory, all of them known.
    pub fn new(kind: Kind, role: Role, bytes: u64) -> Self {
        Self { bytes, estimated_bytes: 0, device: Device::Cpu, kind, role, of_keys: false }
    }

    /// Returns the same leaf in the memory of a device.
    #[must_use]
    pub fn on(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// Returns the same leaf with this number of estimated bytes.
    #[must_use]
    pub fn estimated(self, estimated_bytes: u64) -> Self {
        Self { estimated_bytes, ..self }
    }

    /// What the bytes are for.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the bytes serve: the role of the field, or of the nearest one above that has one.
    pub fn role(&self) -> Role {
        self.role
    }

    /// The memory that the bytes are in.
    pub fn device(&self) -> Device {
        self.device
    }

    /// How many bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many of the bytes are an estimate: 0 for an exact leaf.
    pub fn estimated_bytes(&self) -> u64 {
        self.estimated_bytes
    }

    /// Returns whether the bytes are a map's keys. Only leaves of the [plain](crate::tree::Plain) form are.
    pub fn is_of_keys(&self) -> bool {
        self.of_keys
    }

    /// Whether the leaf says something though it has no bytes: that contents could not be seen.
    pub fn is_mark(&self) -> bool {
        matches!(self.kind, Kind::Opaque | Kind::Skipped)
    }

    /// What tells the leaves of one branch apart, in the order in which they are listed.
    pub fn key(&self) -> (Kind, Role, Device, bool) {
        (self.kind, self.role, self.device, self.of_keys)
    }
}
