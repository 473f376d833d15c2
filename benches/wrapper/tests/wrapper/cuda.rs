//! Compares the kernels and cuBLAS with the host's loops, if there is a device.

use cudarc::cublas::{CudaBlas, Gemm};
use half::{bf16, f16};
use memprof_wrapper_benches::backend::{Backend, Binary, Product};
use memprof_wrapper_benches::cuda::{Cuda, CudaDevice, CudaElement};
use memprof_wrapper_benches::element::random;
use memprof_wrapper_benches::host::Host;

/// Returns the device, or prints why it is missing.
fn device() -> Option<CudaDevice> {
    match CudaDevice::open(0) {
        Ok(device) => Some(device),
        Err(reason) => {
            println!("skipped: cuda:0: {reason}");
            None
        }
    }
}

/// Checks each operation of a type on the device and on the host. `share` is the largest accepted
/// relative difference.
fn check<T: CudaElement>(device: &CudaDevice, share: f32)
where
    CudaBlas: Gemm<T>,
{
    let cuda = Cuda::new::<T>(device).unwrap();
    for elements in [1, 255, 256, 257, 70_000] {
        let (one, other) = (random::<T>(elements, 1), random::<T>(elements, 2));
        let (a, b) = (cuda.upload(&one).unwrap(), cuda.upload(&other).unwrap());
        let assert_near = |there: &_, here: &[T], of: &str| {
            let there: Vec<T> = cuda.download(there).unwrap();
            assert_eq!(there.len(), here.len(), "{of}");
            for (there, here) in there.iter().zip(here) {
                let (there, here) = (there.to_f32(), here.to_f32());
                let off = (there - here).abs();
                assert!(off <= share * here.abs().max(1.0), "{of}: {there} and {here}");
            }
        };
        for operation in [Binary::Add, Binary::Mul, Binary::Div] {
            let there = cuda.combine(operation, &a, &b).unwrap();
            assert_near(&there, &Host.combine(operation, &one, &other).unwrap(), operation.name());
        }
        assert_near(&cuda.scale(&a, 1000.0).unwrap(), &Host.scale(&one, 1000.0).unwrap(), "scale");
        assert_near(&cuda.sum(&a, 0.5).unwrap(), &Host.sum(&one, 0.5).unwrap(), "sum");
        let zeros: Vec<T> = cuda.download(&cuda.zeros(elements).unwrap()).unwrap();
        assert!(zeros.iter().all(|zero| zero.bits() == 0));
    }
    if let Some(reason) = device.lacks_blas() {
        println!("skipped: matmul: {reason}");
        return;
    }
    let product = Product::new(5, 7, 3);
    for product in [product, product.by_left(), product.by_right()] {
        let Product { rows, inner, columns, .. } = product;
        let (left, right) = (random::<T>(rows * inner, 3), random::<T>(inner * columns, 4));
        let (a, b) = (cuda.upload(&left).unwrap(), cuda.upload(&right).unwrap());
        let there: Vec<T> = cuda.download(&cuda.matmul(&a, &b, product).unwrap()).unwrap();
        let here = Host.matmul(&left, &right, product).unwrap();
        for (there, here) in there.iter().zip(&here) {
            let off = (there.to_f32() - here.to_f32()).abs();
            assert!(off < 4.0 * share.max(1e-3), "{product:?}: {there:?} and {here:?}");
        }
    }
    assert!(cuda.matmul(&cuda.zeros(1).unwrap(), &cuda.zeros(1).unwrap(), product).is_err());
}

#[test]
#[ignore = "needs a CUDA device"]
fn the_device_computes_the_same_as_the_host() {
    let Some(device) = device() else { return };
    check::<f32>(&device, 1e-4);
    check::<f16>(&device, 1e-2);
    check::<bf16>(&device, 1e-1);
}

#[test]
fn a_missing_device_is_an_error_with_the_reason() {
    let reason = CudaDevice::open(u16::MAX).unwrap_err();
    assert!(!reason.is_empty());
    println!("skipped: cuda:{}: {reason}", u16::MAX);
}
