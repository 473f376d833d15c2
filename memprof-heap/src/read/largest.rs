//! The largest live blocks.

use crate::read::frame::{Frame, Names, UNKNOWN_PLACE, key_line, location};
use crate::read::operations::names as names_of;
use crate::read::recorded::{NotRecorded, sampled};
use crate::read::symbols::Symbols;
use crate::record::hooks::for_caller;
use crate::record::{rate, sample};
use core::fmt;
use core::time::Duration;
use memprof_profile::text::current_folder;
use memprof_profile::views::Units;

/// The largest live blocks among the samples. `{}` prints them as a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LargestBlocks {
    /// The blocks, the largest first.
    pub blocks: Vec<LiveBlock>,
    /// Live blocks of at least this size are sampled in 99 of 100 cases, so no larger block is
    /// likely to be missing.
    pub complete_from_bytes: u64,
}

/// A live block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LiveBlock {
    /// Bytes, as requested.
    pub bytes: u64,
    /// The time since the block was allocated, or last reallocated.
    pub age: Duration,
    /// The operations that ran when the block was allocated, the outermost first.
    pub operation: Vec<&'static str>,
    /// The call stack that allocated the block, the innermost frame first.
    pub frames: Vec<Frame>,
}

impl LiveBlock {
    /// Returns the innermost frame that is [the program's own](Frame::is_yours).
    pub fn location(&self) -> Option<&Frame> {
        location(&self.frames)
    }
}

/// Returns the largest live blocks that were sampled, at most `count`.
///
/// ```
/// use memprof::heap::{largest, set_level, Level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let kept = vec![0_u8; 64 << 20];
/// let largest = largest(3)?;
/// assert!(largest.complete_from_bytes < 4 << 20);
/// assert_eq!(largest.blocks[0].bytes, 64 << 20);
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// The call costs as much as [`sites`](crate::sites()). Memory of the call, except the result,
/// counts for [profilers](crate::Totals::profilers).
pub fn largest(count: usize) -> Result<LargestBlocks, NotRecorded> {
    largest_with(count, Names::Lines)
}

/// Returns the largest live blocks that were sampled, with frames named as [`Names`] selects.
///
/// ```
/// use memprof::heap::site::{Names, largest_with};
/// use memprof::heap::{Level, set_level};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// let kept = vec![0_u8; 64 << 20];
/// let largest = largest_with(1, Names::Off)?;
/// let frame = &largest.blocks[0].frames[0];
/// assert!(frame.function.is_none() && frame.address != 0);
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns an error if the level isn't [`Sampled`](crate::Level::Sampled).
///
/// # Cost
/// With [`Names::Off`], nothing is looked up. Otherwise the call costs as much as
/// [`sites`](crate::sites()).
pub fn largest_with(count: usize, names: Names) -> Result<LargestBlocks, NotRecorded> {
    sampled()?;
    Ok(for_caller(|| find(count, names)))
}

fn find(count: usize, names: Names) -> LargestBlocks {
    /// The size from which a block is sampled in 99 of 100 cases, as a multiple of the mean
    /// distance between marked bytes.
    const COMPLETE: f64 = 4.6;
    let mut samples = sample::live_samples();
    samples.sort_by_key(|sample| core::cmp::Reverse(sample.size));
    let mut symbols = Symbols::new(names);
    let now = rate::milliseconds();
    let blocks = samples.iter().take(count).map(|sample| LiveBlock {
        bytes: sample.size,
        age: Duration::from_millis(now.saturating_sub(sample.allocated_at)),
        operation: names_of(sample.operation),
        frames: symbols.of_site(sample.site),
    });
    let complete = (rate::mean() as f64 * COMPLETE).ceil() as u64;
    LargestBlocks { blocks: blocks.collect(), complete_from_bytes: complete.max(1) }
}

impl fmt::Display for LargestBlocks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let folder = current_folder();
        for block in &self.blocks {
            let bytes = Units::Iec.show(block.bytes).to_string();
            write!(out, "{bytes:>10}  {:>8.1} s  ", block.age.as_secs_f64())?;
            let place = key_line(&block.frames, folder.as_deref());
            out.write_str(place.as_deref().unwrap_or(UNKNOWN_PLACE))?;
            if !block.operation.is_empty() {
                write!(out, " in {}", block.operation.join(";"))?;
            }
            writeln!(out)?;
        }
        write!(out, "complete for blocks of at least {}", Units::Iec.show(self.complete_from_bytes))
    }
}
