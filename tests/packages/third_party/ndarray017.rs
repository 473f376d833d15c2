//! Random arrays, sliced and grown, and the unknown parts of views and shared arrays.

use crate::asserted::{assert_estimated, assert_exact, assert_marked};
use crate::random::Random;
use crate::values::Value;
use memprof::Profile;
use memprof::tree::OpaqueReason;
use ndarray::{
    ArcArray, Array, Array1, Array2, Array3, ArrayD, Axis, CowArray, Ix1, Ix2, Ix3, IxDyn, s,
};

impl<T: Value> Value for Array<T, Ix1> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let array = Self::from_vec(Vec::random(random));
            if random.flip() { array.clone() } else { array }
        })
    }
}

impl<T: Value> Value for Array<T, Ix2> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let shape = (random.below(5), random.below(5));
            let mut array = Self::from_shape_simple_fn(shape, || T::random(random));
            match random.below(4) {
                0 => array.swap_axes(0, 1),
                1 => array.invert_axis(Axis(0)),
                2 => {
                    let row: Array1<T> = (0..shape.1).map(|_| T::random(random)).collect();
                    let _ = array.push_row(row.view());
                }
                _ => {}
            }
            array
        })
    }
}

impl<T: Value> Value for Array<T, Ix3> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let shape = (random.below(3), random.below(4), random.below(3));
            Self::from_shape_simple_fn(shape, || T::random(random))
        })
    }
}

#[test]
fn an_array_sliced_in_place_keeps_its_buffer() {
    let sliced = assert_exact(|| Array2::<u64>::zeros((10, 10)).slice_move(s![2..4, ..;3]));
    assert_eq!(sliced.len(), 8);
    assert!(Profile::of(&sliced).total_bytes() > 800);
}

#[test]
fn elements_that_were_sliced_away_are_marked() {
    let sliced = Array1::from_vec(vec![String::from("text"); 10]).slice_move(s![..3]);
    let profile = Profile::of(&sliced);
    assert!(!profile.is_exact(), "{profile:?}");
}

#[test]
fn views_own_nothing() {
    let array = Array3::<f64>::zeros((3, 4, 5));
    assert_exact(|| array.view());
    assert_exact(|| array.slice(s![1, .., ..]));
    assert_exact(|| vec![array.view(), array.view()]);
    assert_exact(|| CowArray::from(array.view()));
}

#[test]
fn dimensions_on_the_heap_are_counted() {
    let array = Array::<u8, _>::zeros((1, 1, 1, 1, 1, 1));
    assert_exact(|| array.view().into_dyn());
    assert_exact(|| IxDyn(&[1, 2, 3, 4, 5]));
    assert_exact(|| IxDyn(&[1, 2, 3, 4]));
}

#[test]
fn an_array_of_any_dimensions_is_an_estimate_by_its_elements() {
    let array = ArrayD::<f32>::zeros(IxDyn(&[3, 4]));
    assert_estimated(&array, size_of_val(&array) + 48);
    let empty = ArrayD::<f32>::zeros(IxDyn(&[0, 4]));
    assert_marked(&empty, OpaqueReason::Foreign, size_of_val(&empty));
    let owned = CowArray::from(Array1::<u8>::zeros(5));
    assert_estimated(&owned, size_of_val(&owned) + 5);
}

#[test]
fn arrays_that_share_a_buffer_count_it_once() {
    let shared = ArcArray::<f64, Ix2>::zeros((10, 10));
    let header = 2 * 8 + 3 * 8;
    assert_estimated(&shared, size_of_val(&shared) + header + 800);
    assert_eq!(Profile::of(&shared).shared().allocations, 0, "there is one handle");
    let sliced = shared.clone().slice_move(s![1..3, ..]);
    let all = [shared.clone(), sliced, shared];
    assert_estimated(&all, size_of_val(&all) + header + 800);
    assert_eq!(
        (Profile::of(&all).shared().allocations, Profile::of(&all).shared().handles),
        (1, 3)
    );
}

#[test]
fn noncontiguous_arrays_are_walked() {
    assert_exact(|| {
        let mut array = Array2::from_shape_simple_fn((3, 3), || String::from("text"));
        array.invert_axis(Axis(1));
        array.swap_axes(0, 1);
        array
    });
}
