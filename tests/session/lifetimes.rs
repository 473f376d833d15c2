//! The recording has how long the blocks of a call site lived.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, set_rate};
use memprof::session::document::{Lifetime, Site};
use std::hint::black_box;
use std::thread::sleep;
use std::time::Duration;

const KEPT: Duration = Duration::from_millis(100);
const SHORT: u32 = 300_000;
const LONG: u32 = 500_000;

#[inline(never)]
fn scratch() -> Vec<u8> {
    vec![0; SHORT as usize]
}

#[inline(never)]
fn kept() -> Vec<u8> {
    vec![0; LONG as usize]
}

#[test]
fn short_lived_blocks_are_told_apart_from_those_that_are_kept() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let session = seldom(folder.path()).level(Level::Sampled).start().expect("it starts");
    let mut long: Vec<Vec<u8>> = (0..31).map(|_| kept()).collect();
    let mut short = None;
    for _ in 0..101 {
        short = Some(black_box(scratch()));
    }
    sleep(KEPT);
    // A call site is listed while it holds memory.
    long.truncate(1);
    let never_freed = black_box(vec![0_u8; (SHORT + LONG) as usize]);
    end(session);
    set_rate(Rate::default());
    drop((long, short, never_freed));
    let recording = folder.recording();
    let lifetime = |bytes: u32| -> Option<Lifetime> {
        let holds = |site: &&Site| (site.live.value - f64::from(bytes)).abs() < 1.0;
        let sites = &recording.summary.sites;
        let site = sites.iter().find(holds);
        site.unwrap_or_else(|| panic!("no site holds {bytes} bytes: {sites:?}")).lifetime
    };
    let [short, long] = [SHORT, LONG].map(|bytes| lifetime(bytes).expect("most were freed"));
    assert_eq!((short.samples, long.samples), (100, 30));
    assert!(short.mean() < KEPT / 2, "{short:?}");
    assert!(long.mean() >= KEPT, "{long:?}");
    let [low, high] = long.interval_ms().expect("there are enough");
    assert!(low <= long.mean_ms && long.mean_ms <= high, "{long:?}");
    assert_eq!(lifetime(SHORT + LONG), None, "unknown is not 0");
    let overview = recording.overview().width(200).to_string();
    let lived = |line: &&str| line.contains(", freed blocks lived ");
    assert_eq!(overview.lines().filter(lived).count(), 2, "{overview}");
}
