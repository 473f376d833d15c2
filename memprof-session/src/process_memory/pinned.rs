//! The pages that a live block keeps resident, by the headers of glibc's chunks.
//!
//! glibc returns only whole free pages, so one small block keeps a page, and a heap that is mostly
//! free can stay resident. `mallinfo2` has the free bytes, but not which of them are on pages with a
//! live block. Walking an arena would show it, but that means reading all its memory.
//!
//! So only the pages of sampled blocks are read. Each chunk has its size in a header, with a flag for
//! whether the chunk before it is in use, and a free chunk repeats its size at its end. From the
//! chunk of a sampled block, the walk goes up and down to the ends of the page, and counts the free
//! bytes and the other blocks in use. Each sample represents many blocks, so the sums over samples
//! are unbiased estimates for all blocks. The free bytes of a page are split evenly among its blocks:
//! otherwise a page with two blocks would count twice.
//!
//! What freeing the blocks of one owner returns is an interval. The other blocks on a page are rarely
//! sampled, so their owner is unknown: at worst no page is freed but those with a single block, and at
//! best all pages are. Two guesses for the other blocks lost: that they have the owner that their size
//! usually has, and that owners mix at random. Where two owners took turns, the guesses promised
//! 76 MiB of which none was returned, and where each allocated in runs, 1 MiB of 46 MiB.
//!
//! A block that is large enough has a map of its own, and freeing it returns the pages of that map that are
//! resident. Buffers are often larger than what is in use, so inside of a block too, only resident pages
//! count. The kernel reports them for a limited number of pages; beyond it, pages count only for the upper
//! end.
//!
//! Blocks that are freed at the end of an arena merge into its top, and `malloc_trim` returns the top of the
//! main arena only. So in the arena of a thread, a page counts for the lower end only below a block of
//! another owner, which keeps it apart from the top.
//!
//! The kernel copies the words, so an arena that is unmapped or changed meanwhile does no harm: a
//! chunk that makes no sense is skipped. Free blocks that a thread caches count as blocks in use.

use super::KeptPages;
use super::resident::{copy, page, residency, resident_bytes, words};
use core::ops::Range;
use core::ptr;

const WORD: usize = size_of::<usize>();
/// The alignment of chunks, and the size of a header.
const HEADER: usize = 2 * WORD;
/// The smallest size of a chunk.
const SMALLEST: usize = 4 * WORD;
/// By how much a chunk may exceed the request: its header, and a rest too small for a chunk.
const EXCESS: usize = 8 * WORD;
/// The flags of a header.
const BEFORE_IN_USE: usize = 1;
const IS_MAPPED: usize = 2;
const NOT_IN_MAIN_ARENA: usize = 4;
const FLAGS: usize = 7;

/// Returns what a live block keeps; `None` if there is no chunk of this size at the address. Subtracts the
/// pages whose residency is read from those that are left.
#[expect(clippy::cast_precision_loss, reason = "blocks are smaller than 4 PiB")]
pub(crate) fn kept_by(address: usize, size: usize, pages_left: &mut usize) -> Option<KeptPages> {
    let bytes = page();
    let chunk = address.checked_sub(HEADER)?;
    let first = Page::read(chunk / bytes * bytes)?;
    let [before, header] = [first.word(chunk)?[0], first.word(chunk + WORD)?[0]];
    let end = chunk.checked_add(header & !FLAGS)?;
    if header & IS_MAPPED != 0 {
        let is_block = address.checked_add(size)? <= end;
        return is_block.then(|| kept_by_map(chunk.checked_sub(before)?..end, pages_left))?;
    }
    let usable = (header & !FLAGS).checked_sub(WORD)?;
    let is_chunk = (size..=size.saturating_add(EXCESS)).contains(&usable);
    if !is_chunk || !is_in_use(first.word(end + WORD)) {
        return None;
    }
    let may_join_top = header & NOT_IN_MAIN_ARENA != 0;
    let mut kept = KeptPages { may_join_top, ..KeptPages::default() };
    let mut is_least_known = true;
    let (inner_at, last_at) = (first.at + bytes, (end - 1) / bytes * bytes);
    let mut pages = vec![first];
    if last_at >= inner_at {
        // Read the residency before the last page: reading a page that was never touched maps it.
        let more = residency_of(inner_at..last_at + bytes, pages_left);
        is_least_known = more.is_some();
        let pages_of_more = more.as_deref().and_then(<[bool]>::split_last);
        let (inner, is_last_resident) = pages_of_more
            .map_or((last_at - inner_at, true), |(is_last, inner)| {
                (resident_bytes(inner), *is_last)
            });
        kept.alone = inner as f64;
        kept.shared = inner as f64;
        if is_last_resident {
            pages.push(Page::read(last_at)?);
        }
    }
    for page in pages {
        let (free, others) = page.around(chunk, end)?;
        let blocks = (others + 1) as f64;
        kept.free += free as f64 / blocks;
        kept.shared += bytes as f64 / blocks;
        if others == 0 {
            kept.alone += bytes as f64;
        }
    }
    if !is_least_known {
        kept.alone = 0.0;
    }
    Some(kept)
}

/// Returns what a block with a map of its own keeps: the map.
#[expect(clippy::cast_precision_loss, reason = "blocks are smaller than 4 PiB")]
fn kept_by_map(map: Range<usize>, pages_left: &mut usize) -> Option<KeptPages> {
    let is_whole = [map.start, map.end].into_iter().all(|end| end.is_multiple_of(page()));
    let bytes = map.len() as f64;
    is_whole.then(|| match residency_of(map, pages_left) {
        Some(pages) => {
            let resident = resident_bytes(&pages) as f64;
            KeptPages { alone: resident, shared: resident, ..KeptPages::default() }
        }
        None => KeptPages { shared: bytes, ..KeptPages::default() },
    })
}

/// Returns whether each page is resident; `None` if fewer pages are left, or the kernel refuses.
fn residency_of(pages: Range<usize>, pages_left: &mut usize) -> Option<Vec<bool>> {
    *pages_left = pages_left.checked_sub(pages.len() / page())?;
    Some(residency(&pages)).filter(|found| !found.is_empty())
}

/// Returns whether the chunk before a header is in use. Behind the last chunk of an arena, which is
/// free, nothing is mapped.
fn is_in_use(header: Option<[usize; 1]>) -> bool {
    header.is_some_and(|[header]| header & BEFORE_IN_USE != 0)
}

/// A copy of a page.
struct Page {
    at: usize,
    words: Vec<usize>,
}

impl Page {
    fn read(at: usize) -> Option<Self> {
        let mut words = vec![0; page() / WORD];
        let from = libc::iovec { iov_base: ptr::without_provenance_mut(at), iov_len: page() };
        (copy(&mut words, &[from]) == page()).then_some(Self { at, words })
    }

    /// Returns the word at an address, which may be outside of the page.
    fn word(&self, at: usize) -> Option<[usize; 1]> {
        let index = at.wrapping_sub(self.at) / WORD;
        self.words.get(index).map(|word| [*word]).or_else(|| words(at))
    }

    /// Returns the free bytes on the page, and the number of chunks in use besides this one.
    fn around(&self, chunk: usize, end: usize) -> Option<(usize, usize)> {
        let (mut free, mut others) = (0, 0);
        let page_end = self.at + page();
        let mut at = end;
        while at < page_end {
            let [header] = self.word(at + WORD)?;
            let next = at.checked_add(header & !FLAGS).filter(|next| next - at >= HEADER)?;
            if is_in_use(self.word(next + WORD)) {
                others += 1;
            } else {
                free += next.min(page_end) - at;
            }
            at = next;
        }
        at = chunk;
        while at > self.at {
            let [before, header] = [self.word(at)?[0], self.word(at + WORD)?[0]];
            if header & BEFORE_IN_USE == 0 {
                let start = at.checked_sub(before).filter(|_| before >= SMALLEST)?;
                free += at - start.max(self.at);
                at = start;
            } else {
                others += 1;
                at = self.start_of_used(at);
            }
        }
        Some((free, others))
    }

    /// Returns the start of the chunk in use that ends at an address. Only its size shows where it
    /// starts; if no header on the page has the right one, it starts before the page.
    fn start_of_used(&self, end: usize) -> usize {
        let starts = (self.at..end).step_by(HEADER).rev();
        let is_size =
            |at: usize| self.word(at + WORD).is_some_and(|[size]| size & !FLAGS == end - at);
        starts.skip(1).find(|&at| is_size(at)).unwrap_or(self.at)
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "amounts of tests are small"
)]
mod tests {
    use super::{BEFORE_IN_USE, IS_MAPPED, NOT_IN_MAIN_ARENA, WORD, kept_by, page};
    use crate::process_memory::KeptPages;

    const MIB: usize = 1 << 20;

    /// Words laid out as chunks, in a map of their own, so that pages are resident once written to.
    struct Words(Vec<usize>);

    impl Words {
        fn new(bytes: usize) -> Self {
            Self(vec![0; (bytes + page()) / WORD])
        }

        /// Returns the address of the first whole page.
        fn start(&self) -> usize {
            self.0.as_ptr().addr().next_multiple_of(page())
        }

        /// Writes the header of a chunk at an offset from the start.
        fn write(&mut self, at: usize, header: [usize; 2]) {
            let index = (self.start() - self.0.as_ptr().addr() + at) / WORD;
            self.0[index..index + 2].copy_from_slice(&header);
        }

        /// Writes a chunk from the start, which is in use, as is the chunk after it.
        fn with_chunk(bytes: usize, flags: usize) -> Self {
            let mut words = Self::new(bytes + page());
            words.write(0, [0, bytes | flags]);
            words.write(bytes, [0, page() | BEFORE_IN_USE]);
            words
        }

        fn kept(&self, size: usize, mut pages_left: usize) -> Option<KeptPages> {
            kept_by(self.start() + 2 * WORD, size, &mut pages_left)
        }
    }

    #[test]
    fn pages_that_were_never_touched_are_not_kept() {
        let bytes = 64 * MIB;
        let words = Words::with_chunk(bytes, BEFORE_IN_USE);
        let kept = words.kept(bytes - 2 * WORD, usize::MAX).expect("it is a chunk");
        // The kernel may map a huge page at once.
        let few = (page()..=5 * MIB).contains(&(kept.shared as usize));
        assert!(few && kept.alone <= kept.shared, "{kept:?}");
    }

    #[test]
    fn without_their_residency_pages_count_only_for_the_most() {
        let bytes = 8 * MIB;
        for flags in [BEFORE_IN_USE, IS_MAPPED] {
            let words = Words::with_chunk(bytes, flags);
            let kept = words.kept(bytes - 2 * WORD, 3).expect("it is a chunk");
            let expected = KeptPages { shared: bytes as f64, ..KeptPages::default() };
            assert_eq!(kept, expected, "flags {flags}");
        }
    }

    #[test]
    fn blocks_in_the_arena_of_a_thread_may_join_its_top() {
        let bytes = 3 * page();
        let flags = [BEFORE_IN_USE, BEFORE_IN_USE | NOT_IN_MAIN_ARENA];
        let kept = flags.map(|flags| {
            let mut words = Words::with_chunk(bytes, flags);
            words.write(page(), [1; 2]);
            words.write(2 * page(), [1; 2]);
            words.kept(bytes - 2 * WORD, usize::MAX).expect("it is a chunk")
        });
        assert_eq!(kept.map(|kept| [kept.alone, kept.shared]), [[bytes as f64; 2]; 2]);
        assert_eq!(kept.map(|kept| kept.may_join_top), [false, true]);
    }

    #[test]
    fn a_block_in_pages_of_its_own_keeps_those_that_are_resident() {
        let bytes = 64 * MIB;
        let mut words = Words::with_chunk(bytes, IS_MAPPED);
        for at in (0..16 * MIB).step_by(page()).skip(1) {
            words.write(at, [1; 2]);
        }
        let kept = words.kept(bytes - 2 * WORD, usize::MAX).expect("it is a chunk");
        assert_eq!((kept.free, kept.alone), (0.0, kept.shared));
        assert!((16 * MIB..=19 * MIB).contains(&(kept.shared as usize)), "{kept:?}");
        let block = vec![1_u8; 64 * MIB];
        let kept = kept_by(block.as_ptr().addr(), block.len(), &mut { usize::MAX });
        let kept = kept.expect("glibc has a header");
        assert!((64 * MIB..=66 * MIB).contains(&(kept.alone as usize)), "{kept:?}");
    }
}
