//! The pages that a live block keeps resident, by the headers of glibc's chunks.
//!
//! glibc returns only whole free pages, so one small block keeps a page, and a heap that is mostly
//! free can stay resident. `mallinfo2` has the free bytes, but not which of them are on pages with a
//! live block. Walking an arena would tell, but that means reading all its memory.
//!
//! So only the pages of sampled blocks are read. Each chunk has its size in a header, with a flag for
//! whether the chunk before it is in use, and a free chunk repeats its size at its end. From the
//! chunk of a sampled block, the walk goes up and down to the ends of the page, and counts the free
//! bytes and the other blocks in use. Each sample represents many blocks, so the sums over samples
//! are unbiased estimates for all blocks. The free bytes of a page are split evenly among its blocks:
//! otherwise a page with two blocks would count twice.
//!
//! What freeing the blocks of one owner returns is an interval. The other blocks on a page are seldom
//! samples, so their owner is unknown: at worst no page is freed but those with a single block, and at
//! best all pages are. Two guesses for the other blocks lost: that they have the owner that their size
//! usually has, and that owners mix at random. Where two owners took turns, the guesses promised
//! 76 MiB of which none was returned, and where each allocated in runs, 1 MiB of 46 MiB.
//!
//! The kernel copies the words, so an arena that is unmapped or changed meanwhile does no harm: a
//! chunk that makes no sense is skipped. Free blocks that a thread caches count as blocks in use.

use super::KeptPages;
use super::resident::{copy, page, words};
use core::ptr;

const WORD: usize = size_of::<usize>();
/// The alignment of chunks, and the size of a header.
const HEADER: usize = 2 * WORD;
/// The smallest size of a chunk.
const SMALLEST: usize = 4 * WORD;
/// The most bytes by which a chunk exceeds the requested ones: its header, and a rest that is too
/// small for a chunk.
const EXCESS: usize = 8 * WORD;
/// The flags of a header.
const BEFORE_IN_USE: usize = 1;
const IS_MAPPED: usize = 2;
const FLAGS: usize = 7;

/// Returns what a live block keeps; `None` if there is no chunk of this size at the address.
#[expect(clippy::cast_precision_loss, reason = "pages are small")]
pub(crate) fn kept_by(address: usize, size: usize) -> Option<KeptPages> {
    let bytes = page();
    let chunk = address.checked_sub(HEADER)?;
    let first = Page::read(chunk / bytes * bytes)?;
    let [header] = first.word(chunk + WORD)?;
    let usable = (header & !FLAGS).checked_sub(WORD)?;
    let end = chunk.checked_add(header & !FLAGS)?;
    let is_chunk = (size..=size.saturating_add(EXCESS)).contains(&usable);
    if !is_chunk || header & IS_MAPPED != 0 || !is_in_use(first.word(end + WORD)) {
        return None;
    }
    let last_at = (end - 1) / bytes * bytes;
    let last = if last_at > first.at { Some(Page::read(last_at)?) } else { None };
    let inner = (last_at - first.at).saturating_sub(bytes) as f64;
    let mut kept = KeptPages { free: 0.0, alone: inner, shared: inner };
    for page in [first].into_iter().chain(last) {
        let (free, others) = page.around(chunk, end)?;
        let blocks = (others + 1) as f64;
        kept.free += free as f64 / blocks;
        kept.shared += bytes as f64 / blocks;
        if others == 0 {
            kept.alone += bytes as f64;
        }
    }
    Some(kept)
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
