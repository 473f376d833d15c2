//! Sorts: of long lists of texts, and of any values.
//!
//! A map of a million keys spends most of the time on comparisons of names, each of which misses
//! the cache. So [`sort_by_text`] compares keys that contain a part of each text. The sorts of std
//! compile twenty to fifty functions per type of value, which was a sixth of this crate's machine
//! code. [`sort_by`] merges the values' indices instead, and is compiled once.

use core::cmp::Ordering;
use core::ops::Range;

/// The maximum number of common bytes of a group that are skipped at once. Without this limit, each
/// round could compare long texts in full, only to find that a short text limits the common prefix.
const SKIP: usize = 64;

/// The minimum length of a group whose texts are compared part by part. Smaller groups are sorted
/// by their whole texts.
const SMALL_GROUP: usize = 20;

/// The number of a text's bytes in a key. The last byte of a key is the number of bytes left in the
/// text, at most `PART_LEN + 1`.
const PART_LEN: usize = 7;

/// Sorts by `text`, byte by byte in the order of `rank`, which must map each byte to a different
/// byte. The sort is stable.
///
/// Texts with a common beginning are compared part by part. Each part is read once and converted to
/// a number, and the numbers are compared.
pub fn sort_by_text<'t, T: Copy>(
    values: &mut [T],
    text: impl Fn(&T) -> &'t [u8],
    rank: impl Fn(u8) -> u8,
) {
    let compare = |a: &T, b: &T, skip: usize| {
        let (a, b) = (&text(a)[skip..], &text(b)[skip..]);
        a.iter().map(|&byte| rank(byte)).cmp(b.iter().map(|&byte| rank(byte)))
    };
    if values.len() < SMALL_GROUP {
        return insert_sorted(values, |a, b| compare(a, b, 0));
    }
    let (mut keys, mut old) = (Vec::new(), Vec::new());
    // The texts of a group are equal up to an offset. A list of groups replaces recursion because
    // texts may be long.
    let mut groups: Vec<(Range<usize>, usize)> = vec![(0..values.len(), 0)];
    while let Some((group, skip)) = groups.pop() {
        let first = group.start;
        let values = &mut values[group];
        if values.len() < SMALL_GROUP {
            insert_sorted(values, |a, b| compare(a, b, skip));
            continue;
        }
        let skip = skip + common_prefix_len(values.iter().map(|value| &text(value)[skip..]));
        keys.clear();
        let key = |(index, value): (usize, &T)| (key(&text(value)[skip..], &rank), index as u32);
        keys.extend(values.iter().enumerate().map(key));
        keys.sort_unstable();
        old.clear();
        old.extend_from_slice(values);
        for (value, &(_, index)) in values.iter_mut().zip(&keys) {
            *value = old[index as usize];
        }
        let mut start = first;
        for same in keys.chunk_by(|a, b| a.0 == b.0) {
            let group = start..start + same.len();
            start = group.end;
            if group.len() > 1 && has_more(same[0].0) {
                groups.push((group, skip + PART_LEN));
            }
        }
    }
}

/// Sorts a few values like `sort_by`, which is twenty functions per type and closure.
fn insert_sorted<T: Copy>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 1..values.len() {
        let (value, mut at) = (values[end], end);
        while at > 0 && compare(&value, &values[at - 1]).is_lt() {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
    }
}

/// Sorts like `sort_by` of std, but compiles one sort for all types: that of the values' indices.
pub fn sort_by<T>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_indices(values.len(), &|&a, &b| compare(&values[a], &values[b]));
    for to in 0..order.len() {
        let mut from = order[to];
        // Earlier swaps moved this value.
        while from < to {
            from = order[from];
        }
        values.swap(to, from);
    }
}

/// Sorts indices by merges of sorted runs. A sort of std would add 11 KB to each program, and 26 KB
/// to a debug build. It is faster only for more than 10,000 values in random order.
fn sorted_indices(len: usize, compare: &dyn Fn(&usize, &usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.chunks_mut(SMALL_GROUP).for_each(|run| insert_sorted(run, compare));
    let (mut old, mut run_len) = (vec![0; len], SMALL_GROUP);
    while run_len < len {
        old.copy_from_slice(&order);
        for (runs, merged) in old.chunks(2 * run_len).zip(order.chunks_mut(2 * run_len)) {
            let (mut first, mut second) = runs.split_at(run_len.min(runs.len()));
            for slot in merged {
                let from = match (first, second) {
                    ([a, ..], [b, ..]) if compare(b, a).is_lt() => &mut second,
                    ([], _) => &mut second,
                    _ => &mut first,
                };
                (*slot, *from) = (from[0], &from[1..]);
            }
        }
        run_len *= 2;
    }
    order
}

/// Returns the length of the prefix that all texts share, at most [`SKIP`].
fn common_prefix_len<'t>(mut texts: impl Iterator<Item = &'t [u8]>) -> usize {
    let Some(first) = texts.next() else { return 0 };
    let mut same = first.len().min(SKIP);
    for text in texts {
        if same == 0 {
            break;
        }
        same = same_bytes(&first[..same], text);
    }
    same
}

/// Returns the length of the prefix that two texts share. Compares eight bytes at a time.
pub fn same_bytes(a: &[u8], b: &[u8]) -> usize {
    let (eights_of_a, eights_of_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let same = 8 * eights_of_a.zip(eights_of_b).take_while(|(a, b)| a == b).count();
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// Returns the first bytes of a text as a number that sorts like these bytes, with a shorter text
/// before a longer one.
fn key(text: &[u8], rank: impl Fn(u8) -> u8) -> u64 {
    let mut key = [0; PART_LEN + 1];
    for (slot, &byte) in key.iter_mut().zip(&text[..text.len().min(PART_LEN)]) {
        *slot = rank(byte);
    }
    key[PART_LEN] = text.len().min(PART_LEN + 1) as u8;
    u64::from_be_bytes(key)
}

/// Returns whether the text of a key has bytes beyond the key.
fn has_more(key: u64) -> bool {
    key as u8 > PART_LEN as u8
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_text};

    /// Returns a generator of pseudorandom numbers.
    fn random() -> impl FnMut(usize) -> usize {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        }
    }

    #[test]
    fn texts_are_sorted_like_by_comparison() {
        let mut random = random();
        for round in 0..200 {
            let texts: Vec<Vec<u8>> = (0..random(300))
                .map(|_| {
                    let mut text = b"the same beginning; "[..round % 21].to_vec();
                    // The texts use few different bytes, so that many are prefixes of others.
                    text.extend(
                        (0..random(30)).map(|_| [0, 1, b'a', b';', 255][random(1 + round % 5)]),
                    );
                    text
                })
                .collect();
            let mut expected: Vec<(&[u8], usize)> =
                texts.iter().enumerate().map(|(index, text)| (text.as_slice(), index)).collect();
            let mut sorted = expected.clone();
            expected.sort();
            sort_by_text(&mut sorted, |value| value.0, |byte| byte);
            assert_eq!(sorted, expected);
            let mut reversed = sorted.clone();
            sort_by_text(&mut reversed, |value| value.0, |byte| !byte);
            expected.sort_by_key(|value| {
                (value.0.iter().map(|byte| !byte).collect::<Vec<_>>(), value.1)
            });
            assert_eq!(reversed, expected);
        }
    }

    #[test]
    fn values_are_sorted_like_by_the_sort_of_std() {
        let mut random = random();
        for len in 0..200 {
            let values: Vec<_> = (0..len).map(|index| (random(10), index.to_string())).collect();
            let (mut sorted, mut expected) = (values.clone(), values);
            sort_by(&mut sorted, |a, b| a.0.cmp(&b.0));
            expected.sort_by_key(|value| value.0);
            assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn texts_that_are_prefixes_of_each_other_are_sorted() {
        let long = vec![b'x'; 2_000];
        let mut texts: Vec<&[u8]> = (0..long.len()).rev().map(|len| &long[..len]).collect();
        sort_by_text(&mut texts, |text| text, |byte| byte);
        assert!(texts.is_sorted());
    }
}
