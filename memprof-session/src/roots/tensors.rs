//! The tensors of all roots, and the bytes on each device.

use crate::heap::Claims;
use core::cmp::Reverse;
use memprof_profile::Profile;
use memprof_profile::tree::{Device, TensorRecord};
use memprof_recording::document::{DeviceReading, TensorReading};

/// The number of tensors that a snapshot lists.
const LISTED: usize = 10;

/// The tensors of all roots.
#[derive(Default)]
pub(crate) struct Tensors {
    pub(crate) count: u64,
    /// The largest tensors, the largest first.
    largest: Vec<TensorRecord>,
}

impl Tensors {
    pub(super) fn add(&mut self, profile: &Profile) {
        let tensors = profile.tensors();
        self.count += tensors.count();
        if tensors.count() > 0 {
            self.largest.extend(tensors.largest().iter().cloned());
            self.largest.sort_by_key(|tensor| Reverse(tensor.bytes));
            self.largest.truncate(LISTED);
        }
    }

    pub(crate) fn by_device(
        &self,
        held: &[(Device, u64)],
        claims: Option<&Claims>,
    ) -> Vec<DeviceReading> {
        let on = |device: Device| self.largest.iter().filter(move |tensor| tensor.device == device);
        let reading = |tensor: &TensorRecord| TensorReading {
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
