//! Buffers read from the words of arrays, for every number of dimensions.

use super::{buffer_of, identity};
use ndarray::{Array, Array1, Array2, ArrayD, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn};

fn check_buffer<D: Dimension>() {
    let mut lengths = D::zeros(D::NDIM.expect("it is fixed"));
    for (index, length) in lengths.slice_mut().iter_mut().enumerate() {
        *length = 5 - index.min(4);
    }
    let mut elements = vec![0_u32; lengths.size()];
    elements.reserve_exact(17);
    let (len, capacity) = (elements.len(), elements.capacity());
    let array = Array::from_shape_vec(lengths, elements).expect("the elements are as many");
    assert_eq!(buffer_of(&array), Some((array.as_ptr().addr(), len, capacity)));
    let shared = array.into_shared();
    assert_eq!(identity(&shared), identity(&shared.clone()));
    assert_ne!(identity(&shared), shared.as_ptr().addr());
}

#[test]
fn buffers_of_arrays_with_fixed_dimensions_are_found() {
    check_buffer::<Ix0>();
    check_buffer::<Ix1>();
    check_buffer::<Ix2>();
    check_buffer::<Ix3>();
    check_buffer::<Ix4>();
    check_buffer::<Ix5>();
    check_buffer::<Ix6>();
}

#[test]
fn a_buffer_of_an_array_with_dynamic_dimensions_is_not_found() {
    assert_eq!(buffer_of(&ArrayD::<u8>::zeros(IxDyn(&[2, 3]))), None);
}

#[test]
fn buffers_of_arrays_without_elements_are_found() {
    assert_eq!(sizes(&Array2::<u64>::zeros((0, 7))), Some((0, 0)));
    let spare = Array1::from_vec(Vec::<u64>::with_capacity(9));
    assert_eq!(sizes(&spare), Some((0, 9)));
    assert_eq!(sizes(&Array1::from_vec(vec![(); 9])), Some((9, 0)));
}

/// Returns the length and the capacity of an array's buffer.
fn sizes<A, D: Dimension>(array: &Array<A, D>) -> Option<(usize, usize)> {
    buffer_of(array).map(|(_, len, capacity)| (len, capacity))
}
