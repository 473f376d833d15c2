//! Tests without a driver, with another library instead, and with drivers that fail to start.

use crate::fake;
use memprof_gpu::{NvmlSampler, SamplerError};
use std::error::Error;

#[test]
fn no_driver_is_an_absence_with_its_cause() {
    let error = NvmlSampler::open_at("/nowhere/libnvidia-ml.so.1").expect_err("nothing is there");
    assert!(error.is_absent());
    assert!(error.to_string().starts_with("no working NVIDIA driver on this machine"), "{error}");
    let cause = error.source().expect("it has a cause").to_string();
    assert_eq!(cause.matches("/nowhere/libnvidia-ml.so.1").count(), 1, "{cause}");
    assert!(error.source().and_then(Error::source).is_none(), "the text has the cause once");
}

#[test]
fn a_driver_without_module_or_gpu_is_absent_and_one_that_fails_is_not() {
    const DRIVER_NOT_LOADED: u64 = 9;
    const GPU_NOT_FOUND: u64 = 28;
    const UNKNOWN: u64 = 999;
    for (code, is_absent) in [(DRIVER_NOT_LOADED, true), (GPU_NOT_FOUND, true), (UNKNOWN, false)] {
        let fake = fake(1, &[]);
        fake.set("fail nvmlInit_v2", code);
        let error = NvmlSampler::open_at(fake.path()).expect_err("it does not start");
        assert_eq!(error.is_absent(), is_absent, "{error}");
    }
}

#[test]
fn another_library_at_the_path_is_a_failure_not_an_absence() {
    let fake = fake::Fake::new("cuda", &[]);
    let error = NvmlSampler::open_at(fake.path()).expect_err("it is not NVML");
    assert!(matches!(error, SamplerError::Driver(_)), "{error}");
}
