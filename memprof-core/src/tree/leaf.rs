//! A leaf: bytes of one kind, for one purpose, in one memory.

use crate::device::Device;
use crate::frame::LeafKind;
use crate::role::Role;

/// Bytes of one kind at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub(super) bytes: u64,
    pub(super) estimated_bytes: u64,
    pub(super) device: Device,
    pub(super) kind: LeafKind,
    pub(super) role: Role,
    /// True if the plain form moved the leaf from a map's `[keys]` branch to the map's branch.
    /// Views name such a leaf `[keys]`.
    pub(super) of_keys: bool,
}

impl Leaf {
    /// Returns a leaf of `bytes` exact bytes in the host's memory.
    pub fn new(kind: LeafKind, role: Role, bytes: u64) -> Self {
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

    /// Returns the kind of the bytes.
    pub fn kind(&self) -> LeafKind {
        self.kind
    }

    /// Returns the role of the bytes. The nearest field with a role, at or above the bytes,
    /// determines it.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Returns the memory that the bytes are in.
    pub fn device(&self) -> Device {
        self.device
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of estimated bytes, which is 0 for an exact leaf.
    pub fn estimated_bytes(&self) -> u64 {
        self.estimated_bytes
    }

    /// Returns whether the bytes are a map's keys. This is only possible in the `Plain` form.
    pub fn is_of_keys(&self) -> bool {
        self.of_keys
    }

    /// Returns whether the leaf has a meaning even without bytes, because it marks contents that
    /// were not read.
    pub fn is_mark(&self) -> bool {
        matches!(self.kind, LeafKind::Opaque | LeafKind::Skipped)
    }

    /// Returns the key that distinguishes the leaves of one branch. Leaves are listed in the order
    /// of this key.
    pub fn key(&self) -> (LeafKind, Role, Device, bool) {
        (self.kind, self.role, self.device, self.of_keys)
    }
}
