//! Profiles of tensors, compared with the allocator's counts. This is a separate target, because
//! candle takes minutes to compile.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "bytes stay far below the bounds"
)]

#[path = "../../exactness/allocator.rs"]
#[allow(dead_code, reason = "not all of it is used here")]
mod allocator;

use allocator::owned_by;
use candle_core::{DType, Device, Tensor, Var};
use memprof::tree::{Branch, Device as Memory, LeafKind, OpaqueReason};
use memprof::{MemoryProfile, Profile};

/// Excess capacity of the vector of a tensor's strides, which a profile cannot see.
const UNSEEN: u64 = 4 * size_of::<usize>() as u64;

/// Creates a value, and compares its total with the allocator's count, although the total is an
/// estimate.
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
fn new_tensors_are_counted_except_spare_strides() {
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
fn each_view_of_a_storage_adds_its_own_estimate() {
    let tensor = zeros((10, 20), DType::F32);
    let view = tensor.narrow(0, 0, 5).expect("it has ten rows");
    let both = [tensor, view];
    let profile = Profile::of(&both);
    assert!(!profile.is_exact());
    assert!(profile.total_bytes() > 800 + 400);
}

#[test]
fn a_tensor_has_its_type_and_shape_and_estimated_bytes() {
    let weights = vec![zeros((10, 20), DType::F32), zeros(7, DType::BF16)];
    let profile = Profile::named("weights", &weights);
    assert_eq!(profile.devices(), [(Memory::Cpu, profile.total_bytes())]);
    let data = profile.leaves().map(|(_, leaf)| leaf).find(|leaf| leaf.kind() == LeafKind::Data);
    let data = data.expect("tensors have data");
    assert_eq!((data.bytes(), data.estimated_bytes()), (800 + 14, 800 + 14));
    let tensors = profile.tensors();
    assert_eq!(tensors.count(), 2);
    let [matrix, vector] = tensors.largest() else { panic!("{tensors:?}") };
    assert_eq!((matrix.path.as_str(), matrix.dtype.as_str()), ("weights", "f32"));
    assert_eq!((&matrix.shape[..], matrix.bytes), (&[10, 20][..], 800));
    assert_eq!((matrix.device, matrix.requires_grad), (Memory::Cpu, Some(false)));
    assert_eq!((vector.dtype.as_str(), &vector.shape[..], vector.bytes), ("bf16", &[7][..], 14));
}

#[test]
fn weights_that_are_tied_by_a_clone_are_one_tensor() {
    #[derive(MemoryProfile)]
    struct Model {
        embedding: Tensor,
        head: Tensor,
    }
    let model = assert_counted(|| {
        let embedding = zeros((100, 8), DType::F32);
        Model { head: embedding.clone(), embedding }
    });
    let profile = Profile::of(&model);
    assert_eq!(profile.tensors().count(), 1);
    assert_eq!(profile.tensors().largest()[0].path, "Model;embedding");
    assert_eq!(profile.bytes_at("head"), Some(size_of::<Tensor>() as u64));
    assert_eq!(model.head.dims(), model.embedding.dims());
}

#[test]
fn a_broadcast_shows_its_elements_once() {
    let tensor = zeros((1, 8), DType::F32).broadcast_as((1000, 8)).expect("it has one row");
    let tensors = Profile::of(&tensor).tensors().clone();
    assert_eq!((&tensors.largest()[0].shape[..], tensors.largest()[0].bytes), (&[1000, 8][..], 32));
}

#[test]
fn a_scalar_and_a_tensor_without_elements_are_marked() {
    let scalar = zeros((), DType::F64);
    assert_eq!(Profile::of(&scalar).tensors().largest()[0].bytes, 8);
    let nothing = zeros((0, 4), DType::F64);
    let profile = Profile::of(&nothing);
    assert_eq!((profile.is_exact(), profile.tensors().largest()[0].bytes), (false, 0));
}

#[test]
fn gradients_are_tracked_through_variables_and_results() {
    let variable = Var::zeros((4, 4), DType::F32, &Device::Cpu).expect("there is memory");
    let result = variable.affine(2.0, 1.0).expect("it is a number");
    let tracks = |value: &dyn MemoryProfile| {
        Profile::of_all("value", [("tensor", value)]).tensors().largest()[0].requires_grad
    };
    assert_eq!((tracks(&variable), tracks(&result)), (Some(true), Some(true)));
    assert_eq!(tracks(&result.detach()), Some(false));
}

#[test]
fn the_tensors_that_a_gradient_needs_are_marked() {
    let variable = Var::zeros((4, 4), DType::F32, &Device::Cpu).expect("there is memory");
    let result = variable.affine(2.0, 1.0).expect("it is a number");
    let marks = |value: &dyn MemoryProfile| {
        let profile = Profile::of_all("value", [("tensor", value)]);
        assert!(!profile.is_exact(), "{profile:?}");
        profile.root().subtree().flat_map(Branch::opaque).collect::<Vec<_>>()
    };
    assert_eq!(marks(&result), [(OpaqueReason::Foreign, 1)]);
    assert_eq!(marks(&variable), []);
}
