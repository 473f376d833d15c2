//! Tests of `memprof gpu` on a machine without a driver.

use crate::memprof::run;

#[test]
fn a_missing_driver_is_a_clear_error() {
    let none = run(&["gpu", "--library", "/nowhere/libnvidia-ml.so.1"]);
    assert_eq!((none.code, none.out.as_str()), (Some(2), ""));
    let message = "memprof: no working NVIDIA driver on this machine: its library \
                   (libnvidia-ml.so.1 or nvml.dll) is missing or finds no driver; in a container, \
                   enable GPU access (";
    assert!(none.err.starts_with(message), "{}", none.err);
    assert_eq!(none.err.lines().count(), 1);
    assert_eq!(none.err.matches("/nowhere/libnvidia-ml.so.1").count(), 1, "{}", none.err);
}
