//! Gradients by the tape.

use crate::tensors::tensor;
use memprof_wrapper_benches::phases::Unrecorded;
use memprof_wrapper_benches::tensor::{Tape, TensorError};
use memprof_wrapper_benches::unit::Unit;

#[test]
fn gradients_of_a_linear_layer_are_products_with_transposed_operands() {
    let x = tensor(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3], Unit::METRE);
    let w = tensor(&[1.0, -1.0, 2.0, 0.5, -3.0, 1.0], &[3, 2], Unit::SECOND);
    let dy = tensor(&[1.0, 10.0, 100.0, 1000.0], &[2, 2], Unit::ONE);
    let tape = Tape::new();
    let (x, w) = (tape.watch(&x), tape.watch(&w));
    let y = x.matmul(&w, &mut Unrecorded).unwrap();
    assert!(y.requires_grad());
    assert_eq!((y.data(), y.unit().to_string()), (&vec![-4.0, 3.0, -4.0, 4.5], "m s".into()));
    let gradients = tape.backward(&y, &dy, &mut Unrecorded).unwrap();
    let by_x = gradients.by(&x).unwrap();
    assert_eq!(by_x.data(), &vec![-9.0, 7.0, 7.0, -900.0, 700.0, 700.0]);
    assert_eq!((by_x.shape(), by_x.unit()), (&[2, 3][..], Unit::SECOND));
    let by_w = gradients.by(&w).unwrap();
    assert_eq!(by_w.data(), &vec![401.0, 4010.0, 502.0, 5020.0, 603.0, 6030.0]);
    assert_eq!((by_w.shape(), by_w.unit()), (&[3, 2][..], Unit::METRE));
}

#[test]
fn gradients_of_a_tensor_that_is_used_twice_add_up() {
    let tape = Tape::new();
    let x = tape.watch(&tensor(&[3.0, 5.0], &[2], Unit::METRE));
    // The gradient of x² + x² is 4 x.
    let square = x.mul(&x).unwrap();
    let y = square.add(&square).unwrap();
    let seed = tensor(&[1.0, 1.0], &[2], Unit::ONE);
    let gradients = tape.backward(&y, &seed, &mut Unrecorded).unwrap();
    assert_eq!(gradients.by(&x).unwrap().data(), &vec![12.0, 20.0]);
}

#[test]
fn a_conversion_is_part_of_the_gradient() {
    let tape = Tape::new();
    let metres = tape.watch(&tensor(&[1.0], &[1], Unit::METRE));
    let kilometres = tape.watch(&tensor(&[1.0], &[1], Unit::KILOMETRE));
    let sum = metres.add(&kilometres).unwrap();
    let seed = tensor(&[1.0], &[1], Unit::ONE);
    let gradients = tape.backward(&sum, &seed, &mut Unrecorded).unwrap();
    assert_eq!(gradients.by(&metres).unwrap().data(), &vec![1.0]);
    let by_kilometres = gradients.by(&kilometres).unwrap();
    assert_eq!(by_kilometres.data(), &vec![1000.0]);
    assert_eq!(by_kilometres.unit(), Unit::METRE / Unit::KILOMETRE);
}

#[test]
fn an_unwatched_tensor_has_no_gradient() {
    let tape = Tape::new();
    let plain = tensor(&[2.0], &[1], Unit::ONE);
    let (x, unused) = (tape.watch(&plain), tape.watch(&plain));
    let y = x.mul(&plain).unwrap();
    let gradients = tape.backward(&y, &plain, &mut Unrecorded).unwrap();
    assert!(gradients.by(&plain).is_none() && gradients.by(&unused).is_none());
    assert_eq!(gradients.by(&x).unwrap().data(), &vec![4.0]);
}

#[test]
fn an_ended_tape_and_another_tape_are_refused() {
    let plain = tensor(&[2.0], &[1], Unit::ONE);
    let (tape, other) = (Tape::new(), Tape::new());
    let (x, y) = (tape.watch(&plain), other.watch(&plain));
    assert!(matches!(x.mul(&y), Err(TensorError::Tapes)));
    assert!(matches!(tape.backward(&y, &plain, &mut Unrecorded), Err(TensorError::Tapes)));
    let wide = tensor(&[2.0, 2.0], &[2], Unit::ONE);
    let error = tape.backward(&x, &wide, &mut Unrecorded).unwrap_err();
    assert!(matches!(error, TensorError::Shapes { .. }));
    drop(tape);
    assert!(matches!(x.mul(&x), Err(TensorError::Tapes)));
    assert!(matches!(y.div(&y), Err(TensorError::Tapes)), "quotients are not tracked");
}
