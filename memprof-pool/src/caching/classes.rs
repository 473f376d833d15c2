//! The sizes of blocks and segments, by fixed rules or by the requested sizes.

/// The granule: each block size is a multiple of it. Device memory is aligned to at least one
/// granule.
pub(super) const GRANULE: u64 = 512;
/// The size of the largest block in a small segment.
pub(super) const SMALL: u64 = 1 << 20;
/// The size of a small segment.
pub(super) const SMALL_SEGMENT: u64 = 2 << 20;
/// The size of the smallest block that has a segment of its own.
pub(super) const LARGE: u64 = 10 << 20;
/// The size of a segment for blocks between small and large.
pub(super) const MIDDLE_SEGMENT: u64 = 20 << 20;
/// The page size of device memory. Segment sizes are multiples of it, unless memory is short.
pub(super) const PAGE: u64 = 2 << 20;

/// The rule by which a [`CachingPool`](super::CachingPool) chooses the sizes of blocks and
/// segments.
///
/// With each rule, block sizes are multiples of 512 bytes. Blocks of at most 1 MiB lie in segments
/// of 2 MiB, and larger blocks below 10 MiB in segments of about 20 MiB. Each block of at least 10
/// MiB has its own segment, whose size is a multiple of 2 MiB. If memory is short, a segment may be
/// only as large as its block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeClasses {
    /// Blocks have the requested size, rounded up to 512 bytes. Middle segments are 20 MiB large.
    ///
    /// The constants are those of `PyTorch`, so traces of `PyTorch` can be replayed.
    #[default]
    Fixed,
    /// Below 10 MiB, size classes follow the requested sizes.
    ///
    /// Sizes within the same eighth of an octave share a class. At first the class is the largest
    /// requested size, so a single recurring size is not rounded up. If that size rises several
    /// times, as with varying batch sizes, the class becomes the largest size of the eighth. The
    /// same blocks then serve all sizes of the class. A block is at most 12.5 % larger than its
    /// request. A middle segment holds a whole number of blocks of its class, rounded up to 2 MiB,
    /// so little of it stays unusable. The pool forgets a size that is not among the last 4096 to
    /// 8192 requests.
    ///
    /// In replays of a training transformer this reserves 1 to 2 % less than
    /// [`Fixed`](Self::Fixed). With batches of 6.0 to 6.4 MiB that are replaced in no particular
    /// order, it reserves 6 % less. With batches of 60 to 70 MiB, it reserves the same. The tests
    /// in `tests/resource/classes.rs` contain these replays. The rule was not measured in a real
    /// program.
    Observed,
}

/// The requested sizes, and the classes that follow from them.
#[derive(Debug)]
pub(super) struct Classes {
    rule: SizeClasses,
    /// The sizes of each bucket in the present period and in the one before.
    recent: Box<[[Sizes; 2]]>,
    /// The number of sizes in the present period.
    sizes_in_period: u32,
}

/// The sizes of a bucket.
#[derive(Clone, Copy, Debug, Default)]
struct Sizes {
    largest: u64,
    /// The number of times that a size was larger than all sizes before it.
    raised: u32,
}

impl Sizes {
    fn add(&mut self, size: u64) {
        if size > self.largest {
            self.largest = size;
            self.raised += 1;
        }
    }
}

/// The maximum value of [`Sizes::raised`] with which the sizes of a bucket count as recurring.
///
/// With a smaller number, the pool would round up the sizes of a model's layers. With a larger
/// number, the pool would have blocks of too many sizes before their class is chosen.
const RECURRING: u32 = 2;
/// The number of buckets in an octave.
const BUCKETS: u64 = 8;
/// The number of sizes in a period. Only the present period and the previous one count.
const PERIOD: u32 = 4096;

impl Classes {
    pub(super) fn new(rule: SizeClasses) -> Self {
        let buckets = match rule {
            SizeClasses::Fixed => 0,
            SizeClasses::Observed => bucket(LARGE) + 1,
        };
        Self { rule, recent: vec![[Sizes::default(); 2]; buckets].into(), sizes_in_period: 0 }
    }

    /// Adds a request to the sizes and returns the size of its block, or `None` if that size
    /// overflows.
    pub(super) fn observe(&mut self, bytes: u64) -> Option<u64> {
        let size = rounded(bytes)?;
        // Each large block has its own segment, and the rest of such a segment is a large block
        // too.
        if self.rule == SizeClasses::Fixed || size >= LARGE {
            return Some(size);
        }
        self.sizes_in_period += 1;
        if self.sizes_in_period == PERIOD {
            self.sizes_in_period = 0;
            self.recent.iter_mut().for_each(|[now, before]| {
                *before = core::mem::take(now);
            });
        }
        let bucket = bucket(size);
        let [now, before] = &mut self.recent[bucket];
        now.add(size);
        if now.raised.max(before.raised) > RECURRING {
            return Some(end(bucket));
        }
        Some(now.largest.max(before.largest))
    }

    /// Returns the size of a segment to reserve for a block of `size` bytes, or `None` if the
    /// segment's size overflows.
    pub(super) fn segment(&self, size: u64) -> Option<u64> {
        let size_of_segment = match self.rule {
            _ if size <= SMALL => return Some(SMALL_SEGMENT),
            _ if size >= LARGE => size,
            SizeClasses::Fixed => MIDDLE_SEGMENT,
            SizeClasses::Observed => MIDDLE_SEGMENT / size * size,
        };
        size_of_segment.checked_next_multiple_of(PAGE)
    }
}

/// Returns the smallest block size for `bytes` bytes, or `None` if that size overflows.
pub(super) fn rounded(bytes: u64) -> Option<u64> {
    bytes.max(1).checked_next_multiple_of(GRANULE)
}

/// Returns the bucket of a size: an eighth of its octave.
fn bucket(size: u64) -> usize {
    // The first bucket of an octave begins just above its power of two. So powers of two, which are
    // common sizes, are the largest sizes of their buckets.
    let below = (size.max(BUCKETS + 1)) - 1;
    let octave = u64::from(below.ilog2());
    let within = (below >> (octave - u64::from(BUCKETS.ilog2()))) - BUCKETS;
    (octave * BUCKETS + within) as usize
}

/// Returns the largest multiple of the granule in a bucket.
fn end(bucket: usize) -> u64 {
    let (octave, within) = (bucket as u64 / BUCKETS, bucket as u64 % BUCKETS);
    let end = (within + BUCKETS + 1) << (octave - u64::from(BUCKETS.ilog2()));
    end / GRANULE * GRANULE
}

#[cfg(test)]
mod tests {
    use super::{Classes, GRANULE, LARGE, PERIOD, SizeClasses, bucket};

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_bucket_is_an_eighth_of_an_octave() {
        let mut start = 16;
        for size in (16..1 << 20).chain((1 << 40)..(1 << 40) + 100) {
            if bucket(size) != bucket(start) {
                assert!(bucket(size) > bucket(start), "{size}");
                start = size;
            }
            assert!(size - start < start / 8 + 1, "{size} shares the class of {start}");
        }
        assert_eq!(bucket(8 * MIB), bucket(8 * MIB - GRANULE));
        assert_ne!(bucket(8 * MIB), bucket(8 * MIB + GRANULE));
        assert!(bucket(u64::MAX) < 64 * 8);
    }

    #[test]
    fn sizes_that_recur_are_not_rounded() {
        let mut classes = Classes::new(SizeClasses::Observed);
        for size in [3 * MIB + 512, 5 * MIB, 7 * MIB + 1024].repeat(100) {
            assert_eq!(classes.observe(size), Some(size));
        }
    }

    #[test]
    fn varying_sizes_share_a_class_and_waste_at_most_an_eighth() {
        let mut classes = Classes::new(SizeClasses::Observed);
        let sizes = [33, 34, 35, 34, 33].map(|quarters| quarters * MIB / 4);
        let classes_of_sizes = sizes.map(|size| classes.observe(size));
        let [first, second, end] = [33, 34, 36].map(|quarters| Some(quarters * MIB / 4));
        assert_eq!(classes_of_sizes, [first, second, end, end, end]);
        for size in (1..20_480).map(|n| n * GRANULE) {
            let class = classes.observe(size).expect("it is small");
            assert!(class >= size && class - size <= size / 8, "{size}: {class}");
            assert_eq!(class % GRANULE, 0);
        }
        assert_eq!(classes.observe(LARGE + GRANULE), Some(LARGE + GRANULE));
    }

    #[test]
    fn classes_follow_sizes_that_change() {
        let mut classes = Classes::new(SizeClasses::Observed);
        let (large, small) = (9 * MIB, 9 * MIB - MIB / 2);
        classes.observe(large);
        assert_eq!(classes.observe(small), Some(large));
        for _ in 0..2 * PERIOD {
            classes.observe(small);
        }
        assert_eq!(classes.observe(small), Some(small));
    }

    #[test]
    fn fixed_rules_are_those_of_pytorch() {
        let mut classes = Classes::new(SizeClasses::Fixed);
        classes.observe(MIB);
        for (bytes, size, segment) in [
            (0, 512, 2 * MIB),
            (1, 512, 2 * MIB),
            (513, 1024, 2 * MIB),
            (MIB, MIB, 2 * MIB),
            (MIB + 1, MIB + 512, 20 * MIB),
            (10 * MIB - 512, 10 * MIB - 512, 20 * MIB),
            (10 * MIB, 10 * MIB, 10 * MIB),
            (11 * MIB, 11 * MIB, 12 * MIB),
        ] {
            assert_eq!(classes.observe(bytes), Some(size), "{bytes}");
            assert_eq!(classes.segment(size), Some(segment), "{bytes}");
        }
        assert_eq!(classes.observe(u64::MAX), None);
    }

    #[test]
    fn middle_segments_hold_whole_blocks_of_the_class_observed() {
        let classes = Classes::new(SizeClasses::Observed);
        for (size, segment) in [(7 * MIB, 14), (3 * MIB, 18), (9 * MIB + 512, 20), (6 * MIB, 18)] {
            assert_eq!(classes.segment(size), Some(segment * MIB), "{size}");
        }
    }
}
