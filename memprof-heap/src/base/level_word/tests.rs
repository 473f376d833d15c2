//! The level word selects the work of each call.

use super::Work::{Count, LookForSample, PassOn};
use super::{COUNTERS, MALLOC_ALIGN, OFF, PROBED, SAMPLED, UNDECIDED, WORDS};
use super::{LevelWord, compare::portable, counts_aligned, work};
use crate::base::sync::Ordering::Relaxed;

// No allocator is installed in this test, so no other thread reads the word.
#[test]
fn the_level_word_selects_the_path_of_a_call() {
    assert_eq!(LevelWord::now(), LevelWord::UNDECIDED);
    let values = [OFF, SAMPLED, COUNTERS, PROBED, UNDECIDED];
    let works = [PassOn, LookForSample, Count, Count, Count];
    for (word, wanted) in values.into_iter().zip(works) {
        WORDS.level.store(word, Relaxed);
        assert_eq!(work(), wanted, "{word}");
        assert_eq!(portable::work(&WORDS.level), wanted, "{word}");
        for align in (0..usize::BITS).map(|bits| 1 << bits) {
            let counts = word != OFF && align <= MALLOC_ALIGN;
            assert_eq!(counts_aligned(align), counts, "{word} {align}");
            assert_eq!(portable::is_at_least(&WORDS.level, align), counts, "{word} {align}");
        }
    }
}
