//! The bytes of a wrapper, compared with the bytes of the raw buffer.

use crate::fake_device::FakeDevice;
use crate::tensors::tensor;
use memprof::Profile;
use memprof::tree::Device;
use memprof_wrapper_benches::host::Host;
use memprof_wrapper_benches::phases::Unrecorded;
use memprof_wrapper_benches::tensor::{Tape, UnitTensor};
use memprof_wrapper_benches::unit::Unit;

/// The vector's pointer, length and capacity, and two counts.
const SHARED: u64 = 24 + 16;
/// The unit and two counts.
const UNIT: u64 = size_of::<Unit>() as u64 + 16;

#[test]
fn a_wrapper_costs_its_own_size_its_unit_and_its_shape() {
    let raw = vec![0.0_f32; 1024];
    let wrapped = tensor(&raw, &[32, 32], Unit::METRE);
    let baseline = Profile::named("Vec<f32>", &raw);
    let wrapped_profile = Profile::named("UnitTensor", &wrapped);
    let own = size_of::<UnitTensor<f32, Host>>() as u64;
    assert_eq!(wrapped_profile.total_bytes(), own + SHARED + 4096 + UNIT + 2 * 8);
    let comparison = wrapped_profile.against(&baseline);
    assert_eq!(comparison.overhead_bytes(), i128::from(own + SHARED + UNIT + 16) - 24);
    let record = &wrapped_profile.tensors().largest()[0];
    assert_eq!((record.dtype.as_str(), &record.shape[..]), ("f32", &[32, 32][..]));
    assert_eq!((record.device, record.requires_grad), (Device::Cpu, Some(false)));
}

#[test]
fn handles_of_one_buffer_count_it_once() {
    let wrapped = tensor(&[0.0; 1024], &[1024], Unit::METRE);
    let tape = Tape::new();
    let both = [tape.watch(&wrapped), wrapped];
    let profile = Profile::of(&both);
    let own = 2 * size_of::<UnitTensor<f32, Host>>() as u64;
    assert_eq!(profile.total_bytes(), own + SHARED + 4096 + UNIT + 2 * 8);
    let tracked: Vec<_> =
        profile.tensors().largest().iter().map(|tensor| tensor.requires_grad).collect();
    assert_eq!(tracked, [Some(true), Some(false)]);
}

#[test]
fn the_bytes_on_a_device_are_those_of_the_raw_tensor() {
    let backend = FakeDevice(Device::Cuda(0));
    let wrapped =
        UnitTensor::<f32, _>::zeros(&backend, &[4096], Unit::ONE, &mut Unrecorded).unwrap();
    let devices = Profile::of(&wrapped).devices();
    assert_eq!(devices[1], (Device::Cuda(0), 16_384));
}
