//! CUDA through its driver, which here is one that the tests wrote.

#[path = "../fake/mod.rs"]
mod fake;

mod devices;
mod errors;
#[cfg(feature = "criterion")]
mod event_time;
mod loading;
mod own_fakes;
mod pools;
mod timer;
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
