//! Compares the kernels and cuBLAS with the host's loops, if there is a device.

use half::{bf16, f16};
use memprof_wrapper_benches::cuda::CudaDevice;
use memprof_wrapper_benches::verify::compare;

#[test]
#[ignore = "needs a CUDA device"]
fn the_device_computes_the_same_as_the_host() {
    let device = match CudaDevice::open(0) {
        Ok(device) => device,
        Err(reason) => {
            println!("skipped: cuda:0: {reason}");
            return;
        }
    };
    compare::<f32>(&device, 1e-4).unwrap();
    compare::<f16>(&device, 1e-2).unwrap();
    compare::<bf16>(&device, 1e-1).unwrap();
}

#[test]
fn a_missing_device_is_an_error_with_the_reason() {
    let reason = CudaDevice::open(u16::MAX).unwrap_err();
    assert!(!reason.is_empty());
    println!("skipped: cuda:{}: {reason}", u16::MAX);
}
