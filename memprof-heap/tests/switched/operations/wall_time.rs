//! The wall time of calls. The tests check which calls have one, and assert no amount of time.

use super::alone;
use crate::find;
use memprof_heap::operation::{OperationSite, set_wall_time};
use std::time::Duration;

#[test]
fn only_calls_that_begin_with_wall_time_on_are_timed() {
    static TIMED: OperationSite = OperationSite::new("timed", file!(), line!());
    let _alone = alone();
    drop(TIMED.enter());
    assert_eq!(find("timed").wall_time, None);
    let before = TIMED.enter();
    set_wall_time(true);
    drop(before);
    assert_eq!(find("timed").wall_time, None);
    for _ in 0..3 {
        let _operation = TIMED.enter();
        std::thread::sleep(Duration::from_millis(1));
    }
    let last = TIMED.enter();
    set_wall_time(false);
    drop(last);
    drop(TIMED.enter());
    let timed = find("timed");
    let time = timed.wall_time.expect("four calls were timed");
    assert_eq!((timed.calls, time.calls), (7, 4));
    assert!(time.total >= time.longest && time.longest >= Duration::from_millis(1));
}
