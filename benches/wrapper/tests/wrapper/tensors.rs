//! Units that match and units that do not.

use crate::fake_device::FakeDevice;
use half::{bf16, f16};
use memprof::tree::Device;
use memprof_wrapper_benches::backend::{Backend, Product};
use memprof_wrapper_benches::element::{Element, random};
use memprof_wrapper_benches::host::Host;
use memprof_wrapper_benches::phases::Unrecorded;
use memprof_wrapper_benches::tensor::{TensorError, UnitTensor};
use memprof_wrapper_benches::unit::Unit;

pub(crate) fn tensor(values: &[f32], shape: &[usize], unit: Unit) -> UnitTensor<f32, Host> {
    UnitTensor::upload(&Host, values, shape, unit, &mut Unrecorded).unwrap()
}

#[test]
fn lengths_of_two_scales_are_added_in_the_left_scale() {
    let metres = tensor(&[1.0, 2.0], &[2], Unit::METRE);
    let kilometres = tensor(&[1.0, 0.5], &[2], Unit::KILOMETRE);
    let sum = metres.add(&kilometres).unwrap();
    assert_eq!((sum.data(), sum.unit()), (&vec![1001.0, 502.0], Unit::METRE));
    let sum = kilometres.add(&metres).unwrap();
    assert_eq!((sum.data(), sum.unit()), (&vec![1.001, 0.502], Unit::KILOMETRE));
}

#[test]
fn units_of_products_and_quotients_are_products_and_quotients() {
    let length = tensor(&[6.0], &[1], Unit::KILOMETRE);
    let time = tensor(&[2.0], &[1], Unit::SECOND);
    let area = length.mul(&length).unwrap();
    assert_eq!((area.data(), area.unit().to_string()), (&vec![36.0], "1000000 m^2".into()));
    let speed = length.div(&time).unwrap();
    assert_eq!((speed.data(), speed.unit().to_string()), (&vec![3.0], "1000 m s^-1".into()));
    assert_eq!(length.div(&length).unwrap().unit(), Unit::ONE);
}

#[test]
fn incompatible_operands_are_refused_with_the_reason() {
    let length = tensor(&[1.0, 2.0], &[2], Unit::METRE);
    let time = tensor(&[1.0, 2.0], &[2], Unit::SECOND);
    let error = length.add(&time).unwrap_err();
    assert!(matches!(error, TensorError::Units { .. }));
    assert_eq!(error.to_string(), "m and s don't go together: expected powers that are equal");
    let three = tensor(&[1.0; 3], &[3], Unit::METRE);
    let error = length.add(&three).unwrap_err();
    assert_eq!(error.to_string(), "the shapes [2] and [3] don't go together");
    assert!(matches!(length.matmul(&time, &mut Unrecorded), Err(TensorError::Shapes { .. })));
    let square = tensor(&[1.0; 4], &[2, 2], Unit::ONE);
    let wide = tensor(&[1.0; 6], &[3, 2], Unit::ONE);
    assert!(matches!(square.matmul(&wide, &mut Unrecorded), Err(TensorError::Shapes { .. })));
    let upload = UnitTensor::upload(&Host, &[1.0_f32], &[2], Unit::ONE, &mut Unrecorded);
    assert!(matches!(upload, Err(TensorError::Shapes { .. })));
}

#[test]
fn operands_on_two_devices_are_refused() {
    let on = |device: Device| {
        let backend = FakeDevice(device);
        UnitTensor::upload(&backend, &[1.0_f32], &[1], Unit::METRE, &mut Unrecorded).unwrap()
    };
    let (first, second) = (on(Device::Cuda(0)), on(Device::Cuda(1)));
    let error = first.add(&second).unwrap_err();
    let expected = "the operands are on cuda:0 and cuda:1: copy one of them to the other's device";
    assert_eq!(error.to_string(), expected);
    let on_host = tensor(&[1.0], &[1], Unit::METRE);
    assert!(matches!(on_host.check_device(&first), Err(TensorError::Devices { .. })));
    assert!(first.add(&first).is_ok());
}

#[test]
fn sums_and_means_are_those_of_all_elements() {
    let values: Vec<f32> = (1..=100_u8).map(f32::from).collect();
    let tensor = tensor(&values, &[10, 10], Unit::SECOND);
    let (sum, mean) = (tensor.sum(&mut Unrecorded).unwrap(), tensor.mean(&mut Unrecorded).unwrap());
    assert_eq!((sum.data(), sum.shape(), sum.unit()), (&vec![5050.0], &[][..], Unit::SECOND));
    assert!((mean.data()[0] - 50.5).abs() < 1e-5);
}

#[test]
fn products_transpose_operands_that_are_stored_transposed() {
    let product = Product::new(2, 3, 4);
    let (left, right) = (random::<f32>(6, 1), random::<f32>(12, 2));
    let transposed = |matrix: &[f32], rows: usize, columns: usize| -> Vec<f32> {
        (0..columns)
            .flat_map(|column| (0..rows).map(move |row| matrix[row * columns + column]))
            .collect()
    };
    let expected: Vec<f32> = (0..2)
        .flat_map(|row| (0..4).map(move |column| (row, column)))
        .map(|(row, column)| (0..3).map(|k| left[row * 3 + k] * right[k * 4 + column]).sum())
        .collect();
    let (transposed_left, transposed_right) = (transposed(&left, 2, 3), transposed(&right, 3, 4));
    for (transposes_left, left) in [(false, &left), (true, &transposed_left)] {
        for (transposes_right, right) in [(false, &right), (true, &transposed_right)] {
            let product = Product { transposes_left, transposes_right, ..product };
            let found = Host.matmul(left, right, product).unwrap();
            let is_near =
                found.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-5);
            assert!(is_near, "{product:?}: {found:?} and {expected:?}");
        }
    }
    assert!(
        Backend::<f32>::matmul(&Host, &vec![], &vec![], Product::new(0, 0, 0)).unwrap().is_empty()
    );
}

#[test]
fn random_elements_are_reproducible_and_of_moderate_size() {
    fn check<T: Element>() {
        let values = random::<T>(10_000, 5);
        let fits = |value: &T| (0.5..=1.5).contains(&value.to_f32().abs());
        assert!(values.iter().all(fits), "{}", T::DTYPE);
        assert!(values.iter().any(|value| value.to_f32() < 0.0));
        assert!(values == random::<T>(10_000, 5) && values != random::<T>(10_000, 6));
    }
    check::<f32>();
    check::<f16>();
    check::<bf16>();
}
