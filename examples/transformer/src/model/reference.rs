//! The same transformer once more, in plain loops over `f64`: what the operations should come to.

use super::{Activations, KvCache, Maker, Norm, Transformer};
use crate::shape::{Shape, TINY};
use candle_core::{DType, Device, Tensor};
use std::sync::Mutex;

type Matrix = Vec<Vec<f64>>;

fn matrix(tensor: &Tensor) -> Matrix {
    let wide = tensor.to_dtype(DType::F64).expect("numbers are numbers");
    wide.to_vec2().expect("weights are matrices")
}

fn linear(x: &[f64], weight: &Matrix) -> Vec<f64> {
    let product = |row: &Vec<f64>| row.iter().zip(x).map(|(weight, x)| weight * x).sum();
    weight.iter().map(product).collect()
}

fn norm(x: &[f64], norm: &Norm) -> Vec<f64> {
    let weight = &matrix(&norm.weight.unsqueeze(0).expect("a row"))[0];
    let mean = x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    x.iter().zip(weight).map(|(x, weight)| x / (mean + 1e-5).sqrt() * weight).collect()
}

/// One head's numbers at some place.
fn turned(head: &[f64], place: usize, base: f64) -> Vec<f64> {
    let half = head.len() / 2;
    let angle = |pair: usize| place as f64 / base.powf(2.0 * pair as f64 / head.len() as f64);
    let left = (0..half).map(|i| head[i] * angle(i).cos() - head[half + i] * angle(i).sin());
    let right = (0..half).map(|i| head[i] * angle(i).sin() + head[half + i] * angle(i).cos());
    left.chain(right).collect()
}

fn heads(x: &[f64], shape: &Shape, place: Option<usize>) -> Matrix {
    let turn = |head: &[f64]| match place {
        Some(place) => turned(head, place, shape.rotary_base),
        None => head.to_vec(),
    };
    x.chunks(shape.head_width).map(turn).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn add(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one + other).collect()
}

fn attention(query: &Matrix, keys: &[Matrix], values: &[Matrix], shape: &Shape) -> Vec<f64> {
    let group = shape.heads / shape.kv_heads;
    let mixed = |head: usize| {
        let scale = (shape.head_width as f64).sqrt();
        let score = |keys: &Matrix| (dot(&query[head], &keys[head / group]) / scale).exp();
        let powers: Vec<f64> = keys.iter().map(score).collect();
        let sum: f64 = powers.iter().sum();
        let number = |index: usize| {
            let part = |(power, value): (&f64, &Matrix)| power / sum * value[head / group][index];
            powers.iter().zip(values).map(part).sum::<f64>()
        };
        (0..shape.head_width).map(number).collect::<Vec<_>>()
    };
    (0..shape.heads).flat_map(mixed).collect()
}

fn logits(model: &Transformer, shape: &Shape, tokens: &[u32]) -> Matrix {
    let embeddings = matrix(&model.embeddings);
    let mut rows: Matrix = tokens.iter().map(|token| embeddings[*token as usize].clone()).collect();
    for layer in &model.layers {
        let [query, key, value, output] = [
            &layer.attention.query,
            &layer.attention.key,
            &layer.attention.value,
            &layer.attention.output,
        ]
        .map(matrix);
        let [gate, up, down] = [&layer.mlp.gate, &layer.mlp.up, &layer.mlp.down].map(matrix);
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (place, x) in rows.iter_mut().enumerate() {
            let normed = norm(x, &layer.attention_norm);
            // A token sees those before it and itself: what was pushed so far.
            keys.push(heads(&linear(&normed, &key), shape, Some(place)));
            values.push(heads(&linear(&normed, &value), shape, None));
            let query = heads(&linear(&normed, &query), shape, Some(place));
            *x = add(x, &linear(&attention(&query, &keys, &values, shape), &output));
            let normed = norm(x, &layer.mlp_norm);
            let silu = |x: f64| x / (1.0 + (-x).exp());
            let halves = linear(&normed, &gate).into_iter().zip(linear(&normed, &up));
            let product: Vec<f64> = halves.map(|(gate, up)| silu(gate) * up).collect();
            *x = add(x, &linear(&product, &down));
        }
    }
    let head = matrix(model.head.as_ref().unwrap_or(&model.embeddings));
    rows.iter().map(|x| linear(&norm(x, &model.norm), &head)).collect()
}

#[test]
fn logits_are_those_of_plain_loops() {
    let tokens = [3, 1, 4, 1, 5, 9, 2, 6];
    let shapes = [
        TINY,
        Shape { tied: true, kv_heads: 8, layers: 2, ..TINY },
        Shape { heads: 6, kv_heads: 3, head_width: 12, mlp_width: 40, layers: 2, ..TINY },
    ];
    for shape in shapes {
        let mut maker = Maker::new(DType::F32, &Device::Cpu, 5);
        let model = Transformer::new(&mut maker, shape).expect("it fits");
        let cache = Mutex::new(KvCache::new(&mut maker, &shape).expect("it fits"));
        let activations = Activations::default();
        let found = model.forward(&tokens, &cache, &activations, tokens.len()).expect("it runs");
        let (found, expected) = (matrix(found.tensor()), logits(&model, &shape, &tokens));
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        let difference = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-4, "{shape:?}: {difference}");
        assert!(expected[7].iter().any(|logit| logit.abs() > 0.5), "there is something to compare");
    }
}
