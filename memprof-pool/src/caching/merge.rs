//! How blocks become one, and one becomes two.

use super::books::Books;
use super::queue::Queue;

impl Books {
    /// Merges a free block with those beside it that are free and of its stream.
    pub(super) fn settle(&mut self, number: u32) -> u32 {
        let mut number = number;
        while let Some(next) = self.blocks[number].next.filter(|&next| self.may_merge(number, next))
        {
            let newest = self.blocks[number].freed.max(self.blocks[next].freed);
            self.join(number, next, self.blocks[number].queue, newest);
        }
        while let Some(previous) = self.blocks[number].previous
            && self.may_merge(previous, number)
        {
            let newest = self.blocks[number].freed.max(self.blocks[previous].freed);
            self.join(previous, number, self.blocks[number].queue, newest);
            number = previous;
        }
        number
    }

    fn may_merge(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.blocks[one], &self.blocks[other]);
        one.is_free() && other.is_free() && one.queue == other.queue
    }

    /// Makes one free block of two that lie side by side.
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

    /// Divides a block that is in no list; the second part is the new one, and in none either.
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

    /// Makes what a stream freed another's. If all work of the stream `is_done`, any stream may use it;
    /// otherwise the frees keep their numbers.
    pub(super) fn hand_over(&mut self, from: Queue, to: Queue, is_done: bool) {
        for number in self.free.of(from) {
            // It may have been merged into one before it.
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
            self.settle(number);
        }
        self.free.forget(from);
    }
}
