//! Compares the kernels and cuBLAS with the host's loops.

use crate::backend::{Backend, Binary, Failure, Product};
use crate::cuda::{Cuda, CudaDevice, CudaElement};
use crate::element::random;
use crate::host::Host;
use cudarc::cublas::{CudaBlas, Gemm};

/// Compares each operation of a type on the device and on the host. `share` is the largest accepted
/// relative difference.
///
/// # Errors
/// Returns an error if an operation fails or has another result.
pub fn compare<T: CudaElement>(device: &CudaDevice, share: f32) -> Result<(), Failure>
where
    CudaBlas: Gemm<T>,
{
    let cuda = Cuda::new::<T>(device)?;
    let near = |of: &str, there: &_, here: &[T], share: f32| -> Result<(), Failure> {
        let there: Vec<T> = cuda.download(there)?;
        let is_near = |(there, here): (&T, &T)| {
            let (there, here) = (there.to_f32(), here.to_f32());
            (there - here).abs() <= share * here.abs().max(1.0)
        };
        if there.len() == here.len() && there.iter().zip(here).all(is_near) {
            return Ok(());
        }
        Err(format!("{of} of {} elements differs from the host's", here.len()).into())
    };
    for elements in [1, 255, 256, 257, 70_000] {
        let (one, other) = (random::<T>(elements, 1), random::<T>(elements, 2));
        let (a, b) = (cuda.upload(&one)?, cuda.upload(&other)?);
        for operation in [Binary::Add, Binary::Mul, Binary::Div] {
            let here = Host.combine(operation, &one, &other)?;
            near(operation.name(), &cuda.combine(operation, &a, &b)?, &here, share)?;
        }
        near("scale", &cuda.scale(&a, 1000.0)?, &Host.scale(&one, 1000.0)?, share)?;
        near("sum", &cuda.sum(&a, 0.5)?, &Host.sum(&one, 0.5)?, share)?;
        near("zeros", &cuda.zeros(elements)?, &Host.zeros(elements)?, 0.0)?;
    }
    if device.lacks_blas().is_some() {
        return Ok(());
    }
    let product = Product::new(5, 7, 3);
    for product in [product, product.by_left(), product.by_right()] {
        let Product { rows, inner, columns, .. } = product;
        let (left, right) = (random::<T>(rows * inner, 3), random::<T>(inner * columns, 4));
        let there = cuda.matmul(&cuda.upload(&left)?, &cuda.upload(&right)?, product)?;
        let here = Host.matmul(&left, &right, product)?;
        near("matmul", &there, &here, 4.0 * share.max(1e-3))?;
    }
    Ok(())
}
