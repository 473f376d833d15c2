//! Tests with a driver library that is absent, present, or already loaded.

#![expect(unsafe_code, reason = "drivers are loaded")]

use crate::fake::Fake;
use crate::loaded;
use memprof_gpu::cuda::{Cuda, CudaError};
use std::error::Error;

#[track_caller]
fn assert_absent(error: &CudaError, library: &str) {
    assert!(error.is_absence() && matches!(error, CudaError::Absent { .. }), "{error:?}");
    assert!(error.to_string().contains(library), "{error}");
    assert!(error.source().is_some_and(|cause| !cause.to_string().is_empty()));
}

#[test]
fn an_absent_driver_is_an_error_with_its_file_and_the_cause() {
    let library = "/nowhere/libcuda.so.1";
    // SAFETY: the file does not exist.
    let error = unsafe { Cuda::load_from(library) }.unwrap_err();
    assert_absent(&error, library);
}

#[test]
fn load_finds_this_machines_driver_or_is_an_error_with_its_file() {
    let library = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
    match Cuda::load() {
        Ok(cuda) => assert!(cuda.driver_version().is_ok(), "{cuda:?}"),
        Err(error) => assert_absent(&error, library),
    }
}

#[test]
fn attach_finds_only_a_driver_that_the_process_loaded() {
    match Cuda::attach() {
        // Another test loaded this machine's driver.
        Ok(cuda) => assert!(cuda.driver_version().is_ok(), "{cuda:?}"),
        Err(error) => {
            assert!(error.is_absence() && matches!(error, CudaError::NotLoaded), "{error:?}");
        }
    }
}

#[test]
fn a_file_that_is_no_library_is_an_absent_driver() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    // SAFETY: the file is not a library, so no code of it runs.
    let error = unsafe { Cuda::load_from(&file) }.unwrap_err();
    assert!(matches!(error, CudaError::Absent { .. }), "{error:?}");
    assert!(error.to_string().contains("Cargo.toml"), "{error}");
}

#[test]
fn attach_fails_before_the_process_has_loaded_the_driver() {
    let fake = Fake::new("cuda", &[]);
    let file = fake.path().with_extension("elsewhere");
    std::fs::copy(fake.path(), &file).unwrap();
    // SAFETY: the fake's functions have the types of CUDA's.
    let before = unsafe { Cuda::attach_to(&file) };
    assert!(matches!(before, Err(CudaError::NotLoaded)), "{before:?}");
    // SAFETY: as above.
    let _loaded = unsafe { Cuda::load_from(&file) }.unwrap();
    // SAFETY: as above.
    let after = unsafe { Cuda::attach_to(&file) };
    std::fs::remove_file(&file).unwrap();
    assert_eq!(after.is_ok(), cfg!(any(target_os = "linux", target_os = "android", windows)));
}

#[test]
#[cfg(any(target_os = "linux", target_os = "android", windows))]
fn attach_uses_the_driver_that_the_process_loaded() {
    let fake = Fake::new("cuda", &[]);
    fake.set("version", 12080);
    // SAFETY: the fake's functions have the types of CUDA's.
    let cuda = unsafe { Cuda::attach_to(fake.path()) }.unwrap();
    assert_eq!(cuda.driver_version().unwrap().to_string(), "12.8");
}

#[test]
fn load_neither_initialises_nor_creates_a_context() {
    let (fake, cuda) = loaded(&[]);
    assert_eq!(fake.get("calls of cuInit"), 0);
    assert!(matches!(cuda.device_count(), Err(CudaError::NotInitialised)));
    assert_eq!(fake.get("contexts created"), 0);
}

#[test]
fn initialise_creates_no_context() {
    let (fake, cuda) = loaded(&[]);
    cuda.initialise().unwrap();
    assert_eq!(fake.get("calls of cuInit"), 1);
    assert_eq!(fake.get("contexts created"), 0);
}

#[test]
fn a_driver_without_devices_is_an_error() {
    let (fake, cuda) = loaded(&[]);
    fake.set("devices", 0);
    let error = cuda.initialise().unwrap_err();
    assert!(matches!(error, CudaError::NoDevice) && error.is_absence(), "{error:?}");
}

#[test]
fn the_driver_outlives_the_handle_that_loaded_it() {
    let (fake, cuda) = loaded(&[]);
    let clone = cuda.clone();
    drop(cuda);
    let path = fake.path().to_owned();
    drop(fake);
    assert!(!path.exists());
    assert_eq!(clone.driver_version().unwrap().to_string(), "13.0");
}
