//! Tests without a driver, with another library instead, and with drivers that fail to start.

use crate::fake;
use memprof_gpu::{GpuSource, NvmlSampler, SamplerError};
use memprof_profile::source::Source;
use std::error::Error;

#[test]
fn no_driver_is_an_absence_with_its_cause() {
    let error = NvmlSampler::open_at("/nowhere/libnvidia-ml.so.1").expect_err("nothing is there");
    assert!(error.is_absent());
    assert!(error.to_string().starts_with("no working NVIDIA driver on this machine"), "{error}");
    let cause = error.source().expect("it has a cause").to_string();
    assert!(cause.contains("/nowhere/libnvidia-ml.so.1"), "{cause}");
}

#[test]
fn a_driver_that_is_not_loaded_is_absent_and_one_that_fails_is_not() {
    const DRIVER_NOT_LOADED: u64 = 9;
    const UNKNOWN: u64 = 999;
    for (code, is_absent) in [(DRIVER_NOT_LOADED, true), (UNKNOWN, false)] {
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

/// This test does nothing on a machine with a driver.
#[test]
fn without_a_driver_each_reading_of_a_source_is_an_error() {
    let mut source = GpuSource::new();
    match GpuSource::open() {
        Ok(_) => println!("skipped: this machine has a driver"),
        Err(absent) => {
            for _ in 0..2 {
                let error = source.read().expect_err("there is no driver");
                assert_eq!(error.to_string(), absent.to_string());
            }
            assert!(source.devices().is_empty() && source.gauges().is_empty());
        }
    }
}
