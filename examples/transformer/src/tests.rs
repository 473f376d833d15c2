//! Tests that the formulas agree with measurements, and the logits with those of plain loops.

mod reference;

use crate::activations::Activations;
use crate::attention::KvCache;
use crate::formulas::{activations, compare, parts};
use crate::initializer::Initializer;
use crate::model::Transformer;
use crate::shape::{Shape, TINY};
use candle_core::{DType, Device};
use memprof::session::SessionHandle;
use std::collections::BTreeSet;

/// Shapes that differ in which part and which moment is the largest.
const SHAPES: [Shape; 9] = [
    TINY,
    Shape { tied: true, layers: 1, ..TINY },
    Shape { kv_heads: 8, ..TINY },
    Shape { heads: 16, kv_heads: 4, head_width: 16, mlp_width: 16, ..TINY },
    Shape { heads: 1, kv_heads: 1, head_width: 2, mlp_width: 8, vocabulary: 7, ..TINY },
    Shape { vocabulary: 5000, context: 64, ..TINY },
    Shape { mlp_width: 1000, ..TINY },
    Shape { mlp_width: 48, heads: 1, kv_heads: 1, head_width: 2, ..TINY },
    Shape { mlp_width: 8, heads: 2, kv_heads: 2, head_width: 12, vocabulary: 100, ..TINY },
];

/// Runs a model, and compares its bytes with the predictions for another model.
fn compared(model: Shape, predicted: Shape, prompt: usize) -> Result<(), String> {
    let run = crate::generate(model, &Device::Cpu, (prompt, 3), &SessionHandle::default());
    compare(&parts(&predicted, prompt, 3), &run.expect("it runs").1)
}

#[test]
fn measurements_are_as_predicted_in_every_shape_type_and_length() {
    let mut largest = BTreeSet::new();
    for shape in SHAPES {
        for dtype in [DType::F32, DType::F16] {
            let shape = Shape { dtype, ..shape };
            for prompt in [1, 2, 40] {
                largest.insert(activations(&shape, 0, prompt).1);
                largest.insert(activations(&shape, prompt + 1, 1).1);
                assert_eq!(compared(shape, shape, prompt), Ok(()), "{shape:?}, {prompt} tokens");
            }
        }
    }
    assert_eq!(largest.len(), 7, "a moment that is never the largest is not tested: {largest:?}");
}

#[test]
fn a_wrong_prediction_is_an_error_that_names_the_parts() {
    let names = "mlp, activations, total, last token";
    let error = format!("predicted and measured bytes differ: {names}");
    assert_eq!(compared(TINY, Shape { mlp_width: 191, ..TINY }, 20), Err(error));
}

/// Fails if a large tensor is not registered. All other memory is handles and scratch space.
#[test]
fn the_allocator_counts_little_more_than_the_activations() {
    let wide = Shape { layers: 1, heads: 8, head_width: 64, ..TINY };
    for shape in [wide, Shape { kv_heads: 8, ..wide }, Shape { mlp_width: 1024, ..TINY }, TINY] {
        let mut make = Initializer { dtype: shape.dtype, device: Device::Cpu, seed: 5 };
        let model = Transformer::new(&mut make, shape).expect("it fits");
        let cache = KvCache::new(&make, &shape).expect("it fits");
        let (registry, tokens) = (Activations::new(SessionHandle::default(), 0), [3; 64]);
        let pass = || model.forward(&tokens, (&cache, 0), &registry, 1).map(drop);
        // candle keeps buffers from the first pass.
        pass().expect("it runs");
        let (result, measured) = memprof::heap::measure(pass).expect("it is installed");
        result.expect("it runs");
        let beside = measured.peak_bytes - activations(&shape, 0, tokens.len()).0;
        assert!(beside < 8 << 10, "{beside} B: {shape:?}");
    }
}

#[test]
fn logits_equal_those_of_plain_loops_for_any_batch_of_tokens() {
    let tokens = [3, 1, 4, 1, 5, 9, 2, 6];
    let odd = Shape { heads: 6, kv_heads: 3, head_width: 12, mlp_width: 40, layers: 2, ..TINY };
    let tied = Shape { tied: true, kv_heads: 8, layers: 2, ..TINY };
    // An `f16` has 11 significant bits and logits are a few units large, so the tolerance is
    // larger.
    let narrow = Shape { dtype: DType::F16, ..TINY };
    for (shape, tolerance) in [(TINY, 1e-4), (odd, 1e-4), (tied, 1e-4), (narrow, 0.1)] {
        let mut make = Initializer { dtype: shape.dtype, device: Device::Cpu, seed: 5 };
        let model = Transformer::new(&mut make, shape).expect("it fits");
        let expected = reference::logits(&model, &shape, &tokens);
        assert!(expected[7].iter().any(|logit| logit.abs() > 0.5), "{:?}", expected[7]);
        for group in [1, 3, 8] {
            let cache = KvCache::new(&make, &shape).expect("it fits");
            let activations = Activations::new(SessionHandle::default(), 0);
            let mut found = Vec::new();
            for group in tokens.chunks(group) {
                let at = (&cache, found.len());
                let logits = model.forward(group, at, &activations, group.len());
                found.extend(reference::matrix(&logits.expect("it runs").tensor));
            }
            let pairs = found.iter().flatten().zip(expected.iter().flatten());
            let difference = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
            assert!(difference < tolerance, "{shape:?} by {group}: {difference}");
        }
    }
}
