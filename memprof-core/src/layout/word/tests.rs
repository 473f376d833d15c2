//! Values that consist of words, values of other sizes, and values with padding.

use super::{atomic_word_at, pointer_at, word_at, words_except, words_of};
use std::sync::atomic::AtomicUsize;

/// Reads words of a value without padding.
fn words<T: Copy, const N: usize>(value: T) -> Option<[usize; N]> {
    // SAFETY: callers pass numbers, and this function owns the value.
    unsafe { words_of(&value) }
}

/// Reads the two words outside `part`.
fn words_except_part<P>(whole: &[usize; 3], part: &P) -> Option<[usize; 2]> {
    // SAFETY: numbers are initialised, and the test owns them.
    unsafe { words_except(whole, part) }
}

#[test]
fn a_value_of_another_size_or_alignment_has_no_words() {
    assert_eq!(words([1_usize, 2, 3]), Some([1, 2, 3]));
    assert_eq!(words::<_, 3>([1_usize, 2]), None);
    assert_eq!(words::<_, 1>([0_u8; size_of::<usize>()]), None);
}

#[test]
fn words_except_a_part_are_before_or_after_it() {
    let whole = [1_usize, 2, 3];
    assert_eq!(words_except_part(&whole, &whole[0]), Some([2, 3]));
    assert_eq!(words_except_part(&whole, &whole[2]), Some([1, 2]));
    assert_eq!(words_except_part(&whole, &whole[1]), None, "they do not follow each other");
    assert_eq!(words_except_part(&whole, &0_usize), None, "it is not a part");
    assert_eq!(words_except_part(&whole, &()), None, "three words are not two");
}

#[test]
fn words_and_pointers_are_read_as_they_are() {
    let value = 7_usize;
    let pointer = &raw const value;
    let shared = AtomicUsize::new(9);
    // SAFETY: the pointer is initialised, and the test owns it.
    let read = unsafe { pointer_at((&raw const pointer).cast()) };
    // SAFETY: it was made from a number that the test owns.
    assert_eq!(unsafe { word_at(read) }, 7);
    // SAFETY: the word is atomic.
    assert_eq!(unsafe { atomic_word_at((&raw const shared).cast()) }, 9);
}

/// A possible future layout of a map: one of its two words is a byte with padding.
#[cfg(not(miri))]
#[derive(Clone, Copy)]
struct Padded {
    _first: usize,
    _byte: u8,
}

#[test]
#[cfg(not(miri))]
fn padding_reads_as_an_arbitrary_number() {
    if super::READS_PADDING {
        let value = core::hint::black_box(Padded { _first: 5, _byte: 6 });
        // SAFETY: the test owns the value, and padding may be read.
        let words: [usize; 2] = unsafe { words_of(&value) }.expect("it has the size of two words");
        assert!(words.contains(&5), "{words:?}");
        assert!(words.iter().any(|word| word.to_ne_bytes().contains(&6)), "{words:?}");
    }
}
