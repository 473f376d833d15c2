//! Tensors by the profile and by the allocator; with its own target, as candle takes minutes to compile.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "bytes stay far below the bounds"
)]

#[path = "../exactness/allocator.rs"]
#[allow(dead_code, reason = "not all of it is used here")]
mod allocator;

use allocator::owned_by;
use candle_core::{DType, Device, Tensor, Var};
use memprof::{MemoryProfile, Profile};

/// Spare places in the vector of a tensor's strides, which nobody can see.
const UNSEEN: u64 = 4 * size_of::<usize>() as u64;

/// Makes a value and compares the total, an estimate, with what the allocator says all the same.
#[track_caller]
fn assert_counted<T: MemoryProfile>(make: impl FnOnce() -> T) -> T {
    let (value, owned) = owned_by(make);
    let profile = Profile::of(&value);
    assert!(!profile.is_exact(), "{profile:?}");
    let expected = owned as u64 + size_of::<T>() as u64;
    let told = profile.total_bytes();
    assert!(told <= expected && expected - told < UNSEEN, "{expected} B: {profile:?}");
    value
}

fn zeros(shape: impl Into<candle_core::Shape>, dtype: DType) -> Tensor {
    Tensor::zeros(shape, dtype, &Device::Cpu).expect("there is memory")
}

#[test]
fn fresh_tensors_are_counted_but_for_spare_strides() {
    assert_counted(|| zeros((10, 20), DType::F32));
    assert_counted(|| zeros(7, DType::U8));
    assert_counted(|| zeros((2, 3, 4), DType::F64));
    assert_counted(|| zeros((4, 4), DType::BF16));
}

#[test]
fn handles_of_one_tensor_count_it_once() {
    let handles = assert_counted(|| {
        let tensor = zeros((10, 20), DType::F32);
        vec![tensor.clone(), tensor.clone(), tensor]
    });
    assert_eq!(Profile::of(&handles).shared().handles, 3);
}

#[test]
fn views_of_one_storage_are_told_as_if_each_had_its_own() {
    let tensor = zeros((10, 20), DType::F32);
    let view = tensor.narrow(0, 0, 5).expect("it has ten rows");
    let both = [tensor, view];
    let profile = Profile::of(&both);
    assert!(!profile.is_exact());
    assert!(profile.total_bytes() > 800 + 400);
}

#[test]
fn the_tensors_that_a_gradient_needs_are_marked() {
    let variable = Var::zeros((4, 4), DType::F32, &Device::Cpu).expect("there is memory");
    let result = variable.affine(2.0, 1.0).expect("it is a number");
    let profile = Profile::of(&result);
    assert!(!profile.is_exact() && !profile.root().children().is_empty(), "{profile:?}");
    assert!(!Profile::of(&variable).is_exact());
}
