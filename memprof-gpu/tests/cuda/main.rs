//! CUDA through its driver, which here is one that the tests wrote.

#[path = "../fake/mod.rs"]
mod fake;

#[cfg(feature = "json")]
mod check;
mod devices;
mod errors;
#[cfg(feature = "overhead")]
mod harness;
mod loading;
mod own_fakes;
mod per_thread;
mod pooled;
mod pools;
mod streams;
mod timer;
mod upstreams;
mod visible;

use fake::Fake;
use memprof_gpu::cuda::Cuda;

/// A driver of the test's own without these functions, not yet initialised.
#[expect(unsafe_code, reason = "a driver is loaded")]
fn loaded(without: &[&str]) -> (Fake, Cuda) {
    let fake = Fake::new("cuda", without);
    // SAFETY: the fake's functions have the types that CUDA's have.
    let cuda = unsafe { Cuda::load_from(fake.path()) }.unwrap();
    (fake, cuda)
}

/// A driver of the test's own, initialised.
fn initialised() -> (Fake, Cuda) {
    let (fake, cuda) = loaded(&[]);
    cuda.initialise().unwrap();
    (fake, cuda)
}
