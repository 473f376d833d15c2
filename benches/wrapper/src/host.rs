//! The host's memory and plain loops.

use crate::backend::{Backend, Binary, Product};
use crate::element::Element;
use core::convert::Infallible;
use memprof::tree::Device;

/// The number of partial sums, which lets the compiler use vector instructions.
const LANES: usize = 16;

/// The backend of vectors and loops over them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host;

impl<T: Element> Backend<T> for Host {
    type Buffer = Vec<T>;
    type Error = Infallible;

    fn device(&self) -> Device {
        Device::Cpu
    }

    fn zeros(&self, elements: usize) -> Result<Vec<T>, Infallible> {
        Ok(vec![T::from_f32(0.0); elements])
    }

    fn upload(&self, elements: &[T]) -> Result<Vec<T>, Infallible> {
        Ok(elements.to_vec())
    }

    fn download(&self, buffer: &Vec<T>) -> Result<Vec<T>, Infallible> {
        Ok(buffer.clone())
    }

    fn combine(
        &self,
        operation: Binary,
        left: &Vec<T>,
        right: &Vec<T>,
    ) -> Result<Vec<T>, Infallible> {
        Ok(match operation {
            Binary::Add => each(left, right, |left, right| left + right),
            Binary::Mul => each(left, right, |left, right| left * right),
            Binary::Div => each(left, right, |left, right| left / right),
        })
    }

    fn scale(&self, buffer: &Vec<T>, factor: f32) -> Result<Vec<T>, Infallible> {
        Ok(buffer.iter().map(|element| T::from_f32(element.to_f32() * factor)).collect())
    }

    fn sum(&self, buffer: &Vec<T>, factor: f32) -> Result<Vec<T>, Infallible> {
        let mut lanes = [0.0_f32; LANES];
        let chunks = buffer.chunks_exact(LANES);
        let rest: f32 = chunks.remainder().iter().map(|element| element.to_f32()).sum();
        for chunk in chunks {
            for (lane, element) in lanes.iter_mut().zip(chunk) {
                *lane += element.to_f32();
            }
        }
        Ok(vec![T::from_f32((lanes.iter().sum::<f32>() + rest) * factor)])
    }

    fn matmul(
        &self,
        left: &Vec<T>,
        right: &Vec<T>,
        product: Product,
    ) -> Result<Vec<T>, Infallible> {
        let Product { rows, inner, columns, transposes_left, transposes_right } = product;
        let left = floats(left, inner, rows, transposes_left);
        let right = floats(right, columns, inner, transposes_right);
        let mut result = vec![0.0_f32; rows * columns];
        if inner == 0 || columns == 0 {
            return Ok(result.into_iter().map(T::from_f32).collect());
        }
        for (sums, row) in result.chunks_exact_mut(columns).zip(left.chunks_exact(inner)) {
            for (&factor, others) in row.iter().zip(right.chunks_exact(columns)) {
                for (sum, other) in sums.iter_mut().zip(others) {
                    *sum += factor * other;
                }
            }
        }
        Ok(result.into_iter().map(T::from_f32).collect())
    }

    fn address(buffer: &Vec<T>) -> usize {
        buffer.as_ptr().addr()
    }

    fn bytes(buffer: &Vec<T>) -> usize {
        size_of_val(buffer.as_slice())
    }
}

fn each<T: Element>(left: &[T], right: &[T], of: impl Fn(f32, f32) -> f32) -> Vec<T> {
    let pairs = left.iter().zip(right);
    pairs.map(|(left, right)| T::from_f32(of(left.to_f32(), right.to_f32()))).collect()
}

/// Converts a matrix with this number of columns and rows to `f32`. If `is_turned` is `true`, the
/// result is transposed.
fn floats<T: Element>(matrix: &[T], columns: usize, rows: usize, is_turned: bool) -> Vec<f32> {
    if !is_turned {
        return matrix.iter().map(|element| element.to_f32()).collect();
    }
    let at = |row: usize, column: usize| matrix[column * rows + row].to_f32();
    (0..rows).flat_map(|row| (0..columns).map(move |column| at(row, column))).collect()
}
