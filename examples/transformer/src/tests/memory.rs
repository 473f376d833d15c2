//! What is expected is measured, byte for byte, whatever the shape.

use super::{arguments, generated};
use crate::arguments::Arguments;
use crate::expected::{part, peak};
use crate::measured;
use crate::model::{Maker, Transformer};
use crate::parts::Part;
use crate::shape::{ONE_BILLION, Shape, TINY};
use candle_core::DType;
use memprof::Device;
use std::collections::{BTreeMap, BTreeSet};

/// Shapes of which each has another part that is large.
fn shapes() -> [Shape; 10] {
    [
        TINY,
        Shape { tied: true, layers: 1, ..TINY },
        // A head of keys for each of queries, and one for all.
        Shape { kv_heads: 8, ..TINY },
        Shape { kv_heads: 1, ..TINY },
        // Attention wider than the tokens, and narrower.
        Shape { heads: 16, kv_heads: 4, head_width: 16, mlp_width: 16, ..TINY },
        Shape { heads: 1, kv_heads: 1, head_width: 2, mlp_width: 8, vocabulary: 7, ..TINY },
        Shape { vocabulary: 5000, context: 64, ..TINY },
        Shape { mlp_width: 1000, ..TINY },
        Shape { mlp_width: 48, heads: 1, kv_heads: 1, head_width: 2, ..TINY },
        Shape { mlp_width: 8, heads: 2, kv_heads: 2, head_width: 16, vocabulary: 100, ..TINY },
    ]
}

#[test]
fn parts_and_activations_take_what_the_formulas_say_in_every_shape_type_and_length() {
    let mut largest = BTreeSet::new();
    for shape in shapes() {
        for dtype in [DType::F32, DType::F16] {
            for prompt in [1, 2, 40] {
                let arguments = Arguments { prompt, generate: 3, ..arguments(shape, dtype) };
                let passes = [Some(arguments.prompt_pass()), arguments.last_pass()];
                largest.extend(passes.into_iter().flatten().map(|pass| peak(&shape, pass).name));
                let run = generated(&arguments);
                let report = run.report(&arguments);
                assert!(report.is_as_expected(), "{shape:?} {dtype:?} {prompt}\n{report}");
            }
        }
    }
    // The formula of a moment that is never the largest is not tested here.
    let tested = [
        "MLP's halves",
        "MLP's product",
        "logits",
        "norm",
        "queries, keys, values",
        "softmax",
        "turned queries",
    ];
    assert_eq!(largest.into_iter().collect::<Vec<_>>(), tested);
}

#[test]
fn one_billion_weights_are_as_many_as_models_of_that_shape_have() {
    let numbers = |part_of| part(part_of, &ONE_BILLION, 1).bytes;
    let weights: u64 = Part::MODEL.into_iter().map(numbers).sum();
    assert_eq!(weights - numbers(Part::Rotary), 1_235_814_400);
    assert_eq!(part(Part::KvCache, &ONE_BILLION, 2).bytes, 64 << 20);
}

#[test]
fn a_profile_of_the_model_and_the_allocator_differ_by_the_capacities_that_candle_does_not_tell() {
    for dtype in [DType::F32, DType::F16] {
        let mut maker = Maker::new(dtype, &candle_core::Device::Cpu, 1);
        // The first one makes the maker's own tables, and what candle makes on first use.
        drop(Transformer::new(&mut maker, TINY).expect("it fits"));
        let (model, measured) =
            memprof::heap::measure(|| Transformer::new(&mut maker, TINY)).expect("it is installed");
        let model = model.expect("it fits");
        let profile = memprof::Profile::named("model", &model);
        let allocated = measured.net_bytes() + size_of::<Transformer>().cast_signed() as i64;
        let difference = allocated - profile.total_bytes().cast_signed();
        // Strides are collected into vectors of at least four.
        let most = 32 * profile.tensors().count().cast_signed();
        assert!((0..=most).contains(&difference), "{difference} B, at most {most} B");
    }
}

#[test]
fn the_allocator_hands_out_handles_and_scratch_space_besides_activations_and_nothing_else() {
    for dtype in [DType::F32, DType::F16] {
        let arguments = arguments(TINY, dtype);
        let run = generated(&arguments);
        for books in [run.generated.prompt, run.generated.last.expect("more than one token")] {
            let beside = books.host_peak_bytes - books.peak_bytes.cast_signed();
            // Handles of some tens of tensors, of some 300 bytes each.
            let most = books.scratch_peak_bytes + 12 * 1024;
            assert!((1..most).contains(&beside), "{beside} B beside, {most} B at most");
        }
    }
}

#[test]
fn nothing_is_live_after_a_pass() {
    let arguments = arguments(TINY, DType::F32);
    let run = generated(&arguments);
    assert_eq!(run.activations.books().bytes, 0);
    let live = run.activations.live();
    let live = live.lock().expect("nobody panicked");
    let profile = memprof::Profile::named("activations", &*live);
    assert_eq!(profile.tensors().count(), 0);
}

#[test]
fn what_is_live_at_the_largest_moment_is_what_a_profile_finds_then() {
    let arguments = arguments(TINY, DType::F32);
    let run = generated(&arguments);
    let expected = peak(&TINY, arguments.prompt_pass()).bytes;
    let (send, found) = std::sync::mpsc::channel();
    let live = run.activations.live();
    run.activations.when_live(expected, move || {
        let live = live.lock().expect("nobody panicked");
        let profile = memprof::Profile::named("activations", &*live);
        send.send(measured::all(&profile)).expect("somebody waits");
    });
    run.logits(0, &run.prompt);
    assert_eq!(found.try_recv(), Ok(BTreeMap::from([(Device::Cpu, expected)])));
}

#[test]
fn what_is_not_as_expected_is_said() {
    let made = arguments(TINY, DType::F32);
    let run = generated(&made);
    let claimed = Arguments { shape: Shape { mlp_width: 191, ..TINY }, ..made.clone() };
    let report = run.report(&claimed);
    assert!(!report.is_as_expected());
    let text = report.to_string();
    assert!(text.contains("+3072 B"), "{text}");
    // The MLP's product is the largest moment too.
    let verdict = "\nnot as expected: model, MLP, activations, prompt, last token, together\n";
    assert!(text.contains(verdict), "{text}");
}
