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

/// Callers of their own, so that each leaf has five addresses that no other has.
macro_rules! callers {
    ($($outer:ident $inner:ident;)*) => { $(
        #[inline(never)]
        fn $outer<const N: usize>() -> Block {
            black_box($inner::<N>())
        }
    )* };
}

callers! {
    first second;
    second third;
    third fourth;
    fourth leaf;
}

macro_rules! leaves {
    ($($tens:literal)*) => { [$(
        first::<{ $tens }>, first::<{ $tens + 1 }>, first::<{ $tens + 2 }>, first::<{ $tens + 3 }>,
        first::<{ $tens + 4 }>, first::<{ $tens + 5 }>, first::<{ $tens + 6 }>, first::<{ $tens + 7 }>,
        first::<{ $tens + 8 }>, first::<{ $tens + 9 }>,
    )*] };
}

const LEAVES: usize = 400;

/// Calls more functions than the text names.
#[inline(never)]
fn caller() -> Vec<Block> {
    let leaves: [fn() -> Block; LEAVES] = leaves!(
        0 10 20 30 40 50 60 70 80 90 100 110 120 130 140 150 160 170 180 190 200 210 220 230 240
        250 260 270 280 290 300 310 320 330 340 350 360 370 380 390
    );
    leaves.iter().map(|leaf| leaf()).collect()
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
