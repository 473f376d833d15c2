//! The numbers of call stacks, which stay the same while the process runs.

use crate::record::profiler::for_caller;
use crate::record::stacks;

/// The number of a call stack in this process.
///
/// Samples from the same stack have the same number, and a stack keeps its number until the process
/// ends. So a recorder can write each stack once, and refer to it by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackId(u32);

impl StackId {
    /// The number that all stacks without a slot in the table share. No frames are stored for this
    /// number.
    pub const OTHER: Self = Self(stacks::OTHER);

    pub(crate) const fn new(site: u32) -> Self {
        Self(site)
    }

    /// Returns the number, which is less than 100,000.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the stack of a [number](Self::number) of this process.
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// Returns the return addresses of the stack, the innermost first, including those of the
    /// allocator. A stack of more than 65 frames has its innermost 40 and its outermost 24, with the
    /// address 1 between them. If it has 1,024 frames or more, only the innermost 40 are kept.
    ///
    /// The result is empty for [`OTHER`](Self::OTHER), for a number without a stack, and while
    /// another thread stores the stack.
    pub fn addresses(self) -> Vec<usize> {
        for_caller(|| stacks::frames_of(self.0))
    }
}
