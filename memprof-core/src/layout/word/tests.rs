//! Values that are words, that have other sizes, and that have padding.

use super::{atomic_word_at, pointer_at, word_at, words_beside, words_of};
use std::sync::atomic::AtomicUsize;

#[test]
fn a_value_of_another_size_or_alignment_has_no_words() {
    // SAFETY: the values are initialised, and nobody else has them.
    unsafe {
        assert_eq!(words_of(&[1_usize, 2, 3]), Some([1, 2, 3]));
        assert_eq!(words_of::<_, 3>(&[1_usize, 2]), None);
        assert_eq!(words_of::<_, 1>(&[0_u8; size_of::<usize>()]), None);
    }
}

#[test]
fn words_beside_a_part_are_those_before_or_behind_it() {
    let whole = [1_usize, 2, 3];
    // SAFETY: the values are initialised, and nobody else has them.
    unsafe {
        assert_eq!(words_beside(&whole, &whole[0]), Some([2, 3]));
        assert_eq!(words_beside(&whole, &whole[2]), Some([1, 2]));
        assert_eq!(
            words_beside::<_, _, 2>(&whole, &whole[1]),
            None,
            "they do not follow each other"
        );
        assert_eq!(words_beside::<_, _, 2>(&whole, &0_usize), None, "it is no part");
        assert_eq!(words_beside(&whole, &()), Some(whole));
    }
}

#[test]
fn words_and_pointers_are_read_as_they_are() {
    let value = 7_usize;
    let pointer = &raw const value;
    let shared = AtomicUsize::new(9);
    // SAFETY: all are initialised, and nobody else has them.
    unsafe {
        assert_eq!(word_at(pointer), 7);
        assert_eq!(word_at(pointer_at((&raw const pointer).cast())), 7);
        assert_eq!(atomic_word_at((&raw const shared).cast()), 9);
    }
}

/// As a map might be one day: two of its words are a byte, and padding.
#[cfg(not(miri))]
#[derive(Clone, Copy)]
struct Padded {
    _first: usize,
    _byte: u8,
}

#[test]
#[cfg(not(miri))]
fn padding_reads_as_some_number() {
    if super::READS_PADDING {
        let value = core::hint::black_box(Padded { _first: 5, _byte: 6 });
        // SAFETY: nobody else has the value, and padding may be read.
        let words: [usize; 2] = unsafe { words_of(&value) }.expect("it has the size of two words");
        assert!(words.contains(&5), "{words:?}");
        assert!(words.iter().any(|word| word.to_ne_bytes().contains(&6)), "{words:?}");
    }
}
