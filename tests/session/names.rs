//! The text at the end of a session names the largest call stacks, and states that others are
//! unnamed.

use crate::alone;
use crate::folder::Folder;
use crate::program::seldom;
use memprof::heap::{Level, Rate, set_rate};
use std::hint::black_box;

type Block = Vec<u8>;

#[inline(never)]
fn leaf<const N: usize>() -> Block {
    black_box(vec![1; (1 << 16) + N])
}

macro_rules! leaves {
    ($($tens:literal)*) => { [$(
        leaf::<{ $tens }>, leaf::<{ $tens + 1 }>, leaf::<{ $tens + 2 }>, leaf::<{ $tens + 3 }>,
        leaf::<{ $tens + 4 }>, leaf::<{ $tens + 5 }>, leaf::<{ $tens + 6 }>, leaf::<{ $tens + 7 }>,
        leaf::<{ $tens + 8 }>, leaf::<{ $tens + 9 }>,
    )*] };
}

/// Calls more functions than the text names.
#[inline(never)]
fn caller() -> [Block; 80] {
    let leaves: [fn() -> Block; 80] = leaves!(0 10 20 30 40 50 60 70);
    leaves.map(|leaf| leaf())
}

#[test]
fn a_stack_that_is_not_looked_up_is_unnamed() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let session = seldom(folder.path()).level(Level::Sampled).start().expect("it starts");
    let blocks = caller();
    let document = session.finish().expect("there is room");
    set_rate(Rate::default());
    drop(blocks);
    let text = document.to_string();
    let (_, text) = text.split_once("at the peak").expect("it has stacks");
    let (peak, rest) = text.split_once("\n\n").expect("another part follows");
    let (_, places) = rest.split_once("live, by place").expect("all memory is live");
    assert_eq!(peak.matches("unnamed").count(), 1, "{text}");
    for text in [peak, places] {
        assert!(!text.contains("backtrace") && !text.contains("memprof_"), "{text}");
        assert!(!text.contains("::caller"), "{text}");
    }
}
