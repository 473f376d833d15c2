//! The pages that blocks cover, with one bit for each. An address on any other page is in no block.

/// The pages of small and of large blocks. Small blocks have pages of 4 KiB and large blocks pages
/// of 1 MiB, so that both have few pages.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    small: Bits,
    large: Bits,
}

/// The minimum size of a large block, in bytes.
const LARGE: usize = 1 << 20;
const SMALL_SHIFT: u32 = 12;
const LARGE_SHIFT: u32 = 20;

impl Pages {
    /// Creates the pages of blocks, given by address and size.
    pub(super) fn of(blocks: &[(usize, usize)]) -> Self {
        let (small, large): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.1 < LARGE);
        Self { small: Bits::of(&small, SMALL_SHIFT), large: Bits::of(&large, LARGE_SHIFT) }
    }

    /// Returns true if a block covers the page of the address, and rarely for other pages. If it
    /// returns false, no block covers the address.
    #[inline]
    pub(super) fn may_cover(&self, address: usize) -> bool {
        self.small.has(address) || self.large.has(address)
    }
}

/// A bit for each hash of a page. There are at least 16 times as many bits as pages.
#[derive(Clone, Debug)]
struct Bits {
    /// The number of address bits within a page.
    page: u32,
    /// The number of hash bits that are not used.
    hash: u32,
    words: Vec<u64>,
}

/// The maximum number of pages that are distinguished: 16 TiB of large blocks.
const MAX_PAGES: usize = 1 << 24;
const BITS_OF_A_PAGE: usize = 16;

impl Bits {
    fn of(blocks: &[(usize, usize)], page: u32) -> Self {
        let pages = |&(address, size): &(usize, usize)| {
            (address >> page)..=(address.saturating_add(size.saturating_sub(1)) >> page)
        };
        let count = blocks.iter().map(|block| pages(block).end() - pages(block).start() + 1);
        let count = count.fold(0, usize::saturating_add);
        if count > MAX_PAGES {
            // Any address may be covered.
            return Self { page, hash: 58, words: vec![u64::MAX] };
        }
        let bits = (count * BITS_OF_A_PAGE).next_power_of_two().max(64);
        let mut all = Self { page, hash: 64 - bits.ilog2(), words: vec![0; bits / 64] };
        for number in blocks.iter().flat_map(pages) {
            let bit = all.bit(number);
            all.words[bit / 64] |= 1 << (bit % 64);
        }
        all
    }

    #[inline]
    fn bit(&self, page: usize) -> usize {
        const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
        ((page as u64).wrapping_mul(MULTIPLIER) >> self.hash) as usize
    }

    #[inline]
    fn has(&self, address: usize) -> bool {
        let bit = self.bit(address >> self.page);
        self.words[bit / 64] & (1 << (bit % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGE, Pages};

    #[test]
    fn each_byte_of_a_block_may_be_covered_and_most_others_are_not() {
        let blocks = [(0x10_0FF8, 16), (0x7000_0000, LARGE * 3), (0x20_0000, 1)];
        let pages = Pages::of(&blocks);
        for (address, size) in blocks {
            for at in [address, address + size / 2, address + size - 1] {
                assert!(pages.may_cover(at), "{at:#x}");
            }
        }
        let covered = (0..1000).filter(|page| pages.may_cover(0x5000_0000 + page * 4096)).count();
        assert!(covered < 300, "{covered} of 1000");
    }

    #[test]
    fn of_no_blocks_and_of_too_many_pages() {
        assert!(!Pages::of(&[]).may_cover(0));
        assert!(Pages::of(&[(0, usize::MAX)]).may_cover(12345));
    }
}
