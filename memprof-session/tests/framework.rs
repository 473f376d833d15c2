//! Operations of a framework in a program whose allocator counts nothing: the bytes of runs are unknown.
//! The example of `run` has an allocator that counts.

use memprof_session::framework::FrameworkOperations;
use std::thread;
use std::time::Duration;

#[test]
fn a_run_returns_its_value_and_records_its_time_without_bytes() {
    let operations = FrameworkOperations::new();
    let mut runs = 0;
    let value = operations.run("sleep", &[], || {
        runs += 1;
        thread::sleep(Duration::from_millis(2));
        "slept"
    });
    assert_eq!((value, runs), ("slept", 1));
    let figures = operations.summary().rows()[0].figures;
    assert!(figures.cpu_time.is_some_and(|time| time.total >= Duration::from_millis(2)));
    assert_eq!(figures.cpu_bytes, None);
    assert_eq!((figures.device_time, figures.device_bytes), (None, None));
}
