//! Merging and splitting of blocks.

use super::queue::Queue;
use super::state::PoolState;

impl PoolState {
    /// Merges a free block with its free neighbours of the same stream, and returns the merged
    /// block.
    pub(super) fn coalesce(&mut self, number: u32) -> u32 {
        let mut number = number;
        while let Some(next) = self.blocks[number].next.filter(|&next| self.can_merge(number, next))
        {
            let newest = self.blocks[number].freed.max(self.blocks[next].freed);
            self.join(number, next, self.blocks[number].queue, newest);
        }
        while let Some(previous) = self.blocks[number].previous
            && self.can_merge(previous, number)
        {
            let newest = self.blocks[number].freed.max(self.blocks[previous].freed);
            self.join(previous, number, self.blocks[number].queue, newest);
            number = previous;
        }
        number
    }

    fn can_merge(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.blocks[one], &self.blocks[other]);
        one.is_free() && other.is_free() && one.queue == other.queue
    }

    /// Merges two neighbouring free blocks into one.
    pub(super) fn join(&mut self, left: u32, right: u32, queue: Queue, freed: u64) {
        self.unlist(left);
        self.unlist(right);
        let right = self.blocks.remove(right);
        let block = &mut self.blocks[left];
        block.bytes += right.bytes;
        block.next = right.next;
        (block.queue, block.freed) = (queue, freed);
        if let Some(next) = right.next {
            self.blocks[next].previous = Some(left);
        }
        self.list(left);
    }

    /// Splits a block that is in no list and returns the second part, which is in no list either.
    pub(super) fn split(&mut self, number: u32, bytes: u64) -> u32 {
        let first = &mut self.blocks[number];
        let mut second = first.clone();
        first.bytes = bytes;
        second.previous = Some(number);
        second.address += bytes;
        second.bytes -= bytes;
        let next = second.next;
        let second = self.blocks.insert(second);
        self.blocks[number].next = Some(second);
        if let Some(next) = next {
            self.blocks[next].previous = Some(second);
        }
        second
    }

    /// Moves the free blocks of one stream to another.
    ///
    /// If `is_done` is `true`, all work of the first stream is done, so any stream may use the
    /// blocks. Otherwise the blocks keep the numbers of their frees.
    pub(super) fn transfer(&mut self, from: Queue, to: Queue, is_done: bool) {
        for number in self.free.of(from) {
            // An earlier iteration may have merged this block into the block before it.
            if self.blocks.get(number).is_none_or(|block| block.queue != from || !block.is_free()) {
                continue;
            }
            self.unlist(number);
            let block = &mut self.blocks[number];
            block.queue = to;
            if is_done {
                block.freed = 0;
            }
            self.list(number);
            self.coalesce(number);
        }
        self.free.forget(from);
    }
}
