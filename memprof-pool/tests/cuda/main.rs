//! Tests of pools and upstreams with a fake CUDA driver.

#[path = "../../../memprof-gpu/tests/fake/mod.rs"]
mod fake;

mod captures;
mod check;
mod per_thread;
mod pooled;
mod streams;
mod upstreams;

use fake::Fake;
use memprof_gpu::cuda::Cuda;

/// Loads and initialises a fake driver.
#[expect(unsafe_code, reason = "a driver is loaded")]
fn initialised() -> (Fake, Cuda) {
    let fake = Fake::new("cuda", &[]);
    // SAFETY: the fake's functions have the types of CUDA's.
    let cuda = unsafe { Cuda::load_from(fake.path()) }.unwrap();
    cuda.initialise().unwrap();
    (fake, cuda)
}
