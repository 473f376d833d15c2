//! The tensors of all roots, and the bytes on each device.

use crate::heap::Claims;
use crate::roots::Found;
use memprof_profile::Profile;
use memprof_profile::tree::{self, Device, TensorRecord};
use memprof_recording::document::{DeviceReading, TensorReading};

/// The tensors of all roots.
pub(super) struct Tensors<'f> {
    pub(super) count: u64,
    /// The ten largest tensors.
    largest: Vec<&'f TensorRecord>,
}

impl<'f> Tensors<'f> {
    pub(super) fn of(found: &'f [Found]) -> Self {
        const LISTED: usize = 10;
        let tensors =
            || found.iter().filter_map(|root| root.profile.as_ref()).map(Profile::tensors);
        let mut largest: Vec<_> = tensors().flat_map(tree::Tensors::largest).collect();
        largest.sort_by_key(|tensor| core::cmp::Reverse(tensor.bytes));
        largest.truncate(LISTED);
        Self { count: tensors().map(tree::Tensors::count).sum(), largest }
    }

    pub(super) fn by_device(
        &self,
        held: &[(Device, u64)],
        claims: Option<&Claims>,
    ) -> Vec<DeviceReading> {
        let on = |device: Device| self.largest.iter().filter(move |tensor| tensor.device == device);
        let reading = |tensor: &&TensorRecord| TensorReading {
            path: tensor.path.clone(),
            dtype: tensor.dtype.clone(),
            shape: tensor.shape.clone(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
            operation: claims
                .zip(tensor.address())
                .and_then(|(claims, address)| claims.operation_at(address)),
        };
        let device = |&(device, bytes): &(Device, u64)| DeviceReading {
            device: device.to_string(),
            bytes,
            tensors: on(device).map(reading).collect(),
        };
        held.iter().map(device).collect()
    }
}
