//! Tests of CUDA through its driver, with a fake driver.

#[path = "../fake/mod.rs"]
mod fake;

mod captures;
mod devices;
mod errors;
#[cfg(feature = "criterion")]
mod event_time;
mod loading;
mod pools;
mod timer;

use fake::Fake;
use memprof_gpu::cuda::Cuda;

/// Loads a fake driver without these functions. The driver is not yet initialised.
#[expect(unsafe_code, reason = "a driver is loaded")]
fn loaded(without: &[&str]) -> (Fake, Cuda) {
    let fake = Fake::new("cuda", without);
    // SAFETY: the fake's functions have the types of CUDA's.
    let cuda = unsafe { Cuda::load_from(fake.path()) }.unwrap();
    (fake, cuda)
}

/// Loads and initialises a fake driver.
fn initialised() -> (Fake, Cuda) {
    let (fake, cuda) = loaded(&[]);
    cuda.initialise().unwrap();
    (fake, cuda)
}

#[test]
fn two_fakes_have_separate_state() {
    let [one, other] = [Fake::new("cuda", &[]), Fake::new("cuda", &[])];
    assert_ne!(one.path(), other.path());
    one.set("push context of device", 0);
    assert_eq!([one.get("contexts pushed"), other.get("contexts pushed")], [1, 0]);
}

#[test]
#[expect(unsafe_code, reason = "functions are looked for")]
fn a_left_out_function_does_not_exist() {
    type Function = unsafe extern "system" fn();
    for (fake, expected) in
        [(Fake::new("cuda", &[]), true), (Fake::new("cuda", &["cuInit"]), false)]
    {
        // SAFETY: a fake runs no code when it is loaded.
        let library = unsafe { libloading::Library::new(fake.path()) }.unwrap();
        // SAFETY: the function is not called.
        let found = unsafe { library.get::<Function>(b"cuInit\0") };
        assert_eq!(found.is_ok(), expected);
    }
}
