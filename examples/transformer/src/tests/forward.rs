//! The forward pass: with the cache as without, and no token sees what comes after it.

use super::{arguments, generated};
use crate::shape::{Shape, TINY};
use candle_core::DType;

const TOKENS: [u32; 12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

/// The largest difference of two numbers at the same place.
fn difference(one: &[Vec<f32>], other: &[Vec<f32>]) -> f32 {
    assert_eq!(one.len(), other.len());
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

#[test]
fn tokens_one_by_one_or_in_groups_have_the_logits_of_all_at_once() {
    let shapes = [
        TINY,
        Shape { tied: true, ..TINY },
        Shape { kv_heads: 8, ..TINY },
        Shape { kv_heads: 1, heads: 4, head_width: 32, ..TINY },
    ];
    for shape in shapes {
        let run = generated(&arguments(shape, DType::F32));
        let whole = run.logits(0, &TOKENS);
        for group in [1, 2, 5, 11] {
            let mut parts = Vec::new();
            for tokens in TOKENS.chunks(group) {
                parts.extend(run.logits(parts.len(), tokens));
            }
            // Sums are added in another order.
            let difference = difference(&whole, &parts);
            assert!(difference < 1e-4, "{shape:?}, {group} at a time: {difference}");
        }
    }
}

#[test]
fn later_tokens_do_not_change_the_logits_of_earlier_ones() {
    let run = generated(&arguments(TINY, DType::F32));
    let before = run.logits(0, &TOKENS);
    for changed in 1..TOKENS.len() {
        let mut tokens = TOKENS;
        tokens[changed] += 100;
        let after = run.logits(0, &tokens);
        assert!(difference(&before[..changed], &after[..changed]) < 1e-6, "{changed}");
        assert!(difference(&before[changed..], &after[changed..]) > 1e-2, "{changed}");
    }
}

#[test]
fn the_order_of_earlier_tokens_matters() {
    let run = generated(&arguments(TINY, DType::F32));
    let mut tokens = TOKENS;
    tokens.swap(2, 4);
    let last = |tokens: &[u32]| run.logits(0, tokens).split_off(TOKENS.len() - 1);
    assert!(difference(&last(&TOKENS), &last(&tokens)) > 1e-3);
}

#[test]
fn sixteen_bits_are_close_to_thirty_two() {
    let wide = generated(&arguments(TINY, DType::F32));
    let narrow = generated(&arguments(TINY, DType::F16));
    let difference = difference(&wide.logits(0, &TOKENS), &narrow.logits(0, &TOKENS));
    // An f16 has 11 bits; logits are some units large.
    assert!(difference > 0.0 && difference < 0.1, "{difference}");
}

#[test]
fn one_seed_has_one_continuation_and_another_has_another() {
    let tokens = |seed| {
        let arguments = crate::arguments::Arguments { seed, ..arguments(TINY, DType::F32) };
        generated(&arguments).generated.tokens
    };
    assert_eq!(tokens(7).len(), 4);
    assert_eq!(tokens(7), tokens(7));
    assert_ne!(tokens(7), tokens(8));
}

#[test]
fn more_tokens_than_the_cache_has_room_for_are_an_error() {
    let run = generated(&arguments(Shape { context: 24, ..TINY }, DType::F32));
    run.cache.lock().expect("nobody panicked").tokens = 20;
    for tokens in [&TOKENS[..], &[]] {
        let logits = run.transformer.forward(tokens, &run.cache, &run.activations, 1);
        let error = logits.map(drop).unwrap_err().to_string();
        let expected = format!(
            "expected from 1 to 4 tokens after the 20 in the cache; found {}",
            tokens.len()
        );
        assert_eq!(error.lines().next(), Some(expected.as_str()));
    }
}
