//! The live bytes that operations allocated.
#![expect(clippy::float_cmp, reason = "where each block is a sample, estimates are exact")]

use super::alone;
use crate::{block, find};
use memprof_heap::operation::OperationSite;
use memprof_heap::{Level, Rate, set_level, set_rate};
use std::thread;

#[test]
fn live_bytes_belong_to_the_innermost_operation_that_allocated_them() {
    static OUTER: OperationSite = OperationSite::new("keeps samples", file!(), line!());
    static INNER: OperationSite = OperationSite::new("keeps more samples", file!(), line!());
    let _alone = alone();
    let mut kept: Vec<Vec<u8>> = Vec::with_capacity(10);
    set_rate(Rate::EACH_BLOCK);
    set_level(Level::Sampled);
    {
        let _outer = OUTER.enter();
        kept.push(block(1000));
        let gone = block(4000);
        {
            let _inner = INNER.enter();
            kept.push(block(200));
            kept.push(block(300));
        }
        thread::spawn(|| drop(gone)).join().expect("it does not panic");
    }
    let amounts = |path: &str| {
        let of = find(path);
        [of.retained, of.retained_blocks].map(|amount| amount.expect("samples are taken").value)
    };
    assert_eq!(amounts("keeps samples;keeps more samples"), [500.0, 2.0]);
    kept.truncate(1);
    // The outer operation also allocated what the standard library keeps for the thread that the
    // operation started.
    let [bytes, blocks] = amounts("keeps samples");
    assert!((1000.0..2000.0).contains(&bytes) && blocks < 10.0, "{bytes} in {blocks}");
    assert_eq!(amounts("keeps samples;keeps more samples"), [0.0, 0.0]);
    set_level(Level::Counters);
    assert_eq!(find("keeps samples").retained, None);
}
