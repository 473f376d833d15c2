//! The same transformer in plain loops over `f64`.

use crate::model::Transformer;
use crate::shape::{ROTARY_BASE, Shape};
use candle_core::{DType, Tensor};

pub(crate) type Matrix = Vec<Vec<f64>>;

pub(crate) fn matrix(tensor: &Tensor) -> Matrix {
    let wide = tensor.to_dtype(DType::F64).and_then(|tensor| tensor.to_vec2());
    wide.expect("it has two dimensions")
}

fn linear(x: &Matrix, weight: &Tensor) -> Matrix {
    let weight = matrix(weight);
    let dot = |row: &Vec<f64>, x: &Vec<f64>| row.iter().zip(x).map(|(a, b)| a * b).sum();
    x.iter().map(|x| weight.iter().map(|row| dot(row, x)).collect()).collect()
}

/// Returns a matrix as large as `x`. Computes each element from its row and column.
fn each(x: &Matrix, element: impl Fn(usize, usize) -> f64) -> Matrix {
    let row = |row: usize| (0..x[row].len()).map(|column| element(row, column)).collect();
    (0..x.len()).map(row).collect()
}

fn norm(x: &Matrix, weight: &Tensor) -> Matrix {
    let weight = matrix(&weight.unsqueeze(0).expect("it has one dimension"));
    let mean = |x: &Vec<f64>| x.iter().map(|x| x * x).sum::<f64>() / x.len() as f64;
    let scales: Vec<f64> = x.iter().map(|x| 1.0 / (mean(x) + 1e-5).sqrt()).collect();
    each(x, |row, column| x[row][column] * scales[row] * weight[0][column])
}

/// Rotates all heads; the elements of a pair are half a head apart.
fn rotated(x: &Matrix, shape: &Shape) -> Matrix {
    let (width, half) = (shape.head_width, shape.head_width / 2);
    each(x, |position, column| {
        let pair = column % half;
        let angle = position as f64 / ROTARY_BASE.powf(2.0 * pair as f64 / width as f64);
        let first = column / width * width + pair;
        let (a, b) = (x[position][first], x[position][first + half]);
        let (sine, cosine) = angle.sin_cos();
        if column == first { a * cosine - b * sine } else { a * sine + b * cosine }
    })
}

fn attention(queries: &Matrix, keys: &Matrix, values: &Matrix, shape: &Shape) -> Matrix {
    let (width, group) = (shape.head_width, shape.heads / shape.kv_heads);
    each(queries, |token, column| {
        let (query, key) = (column / width * width, column / width / group * width);
        let power = |other: usize| {
            let product = |i: usize| queries[token][query + i] * keys[other][key + i];
            ((0..width).map(product).sum::<f64>() / (width as f64).sqrt()).exp()
        };
        let sum: f64 = (0..=token).map(power).sum();
        (0..=token).map(|other| power(other) / sum * values[other][key + column % width]).sum()
    })
}

pub(crate) fn logits(model: &Transformer, shape: &Shape, tokens: &[u32]) -> Matrix {
    let embeddings = matrix(&model.embeddings);
    let mut x: Matrix = tokens.iter().map(|token| embeddings[*token as usize].clone()).collect();
    for layer in &model.layers {
        let (normed, weights) = (norm(&x, &layer.attention_norm), &layer.attention);
        let queries = rotated(&linear(&normed, &weights.query), shape);
        let keys = rotated(&linear(&normed, &weights.key), shape);
        let mixed = attention(&queries, &keys, &linear(&normed, &weights.value), shape);
        let mixed = linear(&mixed, &weights.output);
        x = each(&x, |row, column| x[row][column] + mixed[row][column]);
        let normed = norm(&x, &layer.mlp_norm);
        let (gate, up) = (linear(&normed, &layer.mlp.gate), linear(&normed, &layer.mlp.up));
        let silu = |x: f64| x / (1.0 + (-x).exp());
        let product = each(&gate, |row, column| silu(gate[row][column]) * up[row][column]);
        let changed = linear(&product, &layer.mlp.down);
        x = each(&x, |row, column| x[row][column] + changed[row][column]);
    }
    linear(&norm(&x, &model.norm), model.head.as_ref().unwrap_or(&model.embeddings))
}
