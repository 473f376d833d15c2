//! A check of the state of a pool for consistency.

use super::state::PoolState;

impl PoolState {
    /// Returns an error that describes the first inconsistency of the state.
    pub(super) fn check(&self, limit: Option<u64>) -> Result<(), String> {
        let mut blocks = 0;
        let mut sums = [0_u64; 4];
        let mut end_of_last = 0;
        for (&address, &number) in &self.segments_by_address {
            let segment = &self.segments[number];
            expect(segment.address == address, || format!("segment {number} is not at {address}"))?;
            expect(address >= end_of_last, || format!("segment {number} overlaps"))?;
            end_of_last = address + segment.bytes;
            sums[0] += segment.bytes;
            blocks += self.check_segment(number, &mut sums)?;
        }
        expect(self.segments_by_address.len() == self.segments.len(), || {
            "segments without an address".into()
        })?;
        expect(blocks == self.blocks.len(), || "blocks outside of all segments".into())?;
        self.check_free_lists(blocks.saturating_sub(self.allocated.len()))?;
        self.check_idle()?;
        let [reserved, allocated, requested, free] = sums;
        let counts = &self.counts;
        for (name, sum, counted) in [
            ("reserved", reserved, counts.reserved),
            ("allocated", allocated, counts.allocated),
            ("requested", requested, counts.requested),
            ("cached", free, counts.cached()),
            ("blocks", self.allocated.len() as u64, counts.allocations - counts.frees),
            (
                "segments",
                self.segments.len() as u64,
                counts.segments_reserved - counts.segments_released,
            ),
        ] {
            expect(sum == counted, || format!("{name}: found {sum}, counted {counted}"))?;
        }
        expect(counts.peak_reserved >= reserved, || "peak below what is reserved".into())?;
        expect(counts.peak_allocated >= allocated, || "peak below what is allocated".into())?;
        expect(counts.hits <= counts.allocations, || "more hits than allocations".into())?;
        expect(limit.is_none_or(|limit| reserved <= limit), || "the limit is exceeded".into())
    }

    /// Checks that blocks tile a segment, and returns their number.
    fn check_segment(&self, number: u32, sums: &mut [u64; 4]) -> Result<usize, String> {
        let segment = &self.segments[number];
        let (mut at, mut used, mut blocks) = (segment.address, 0, 0);
        let (mut previous, mut next) = (None, Some(segment.first));
        while let Some(name) = next {
            let block = self.blocks.get(name).ok_or_else(|| format!("there is no block {name}"))?;
            let describe = |problem| move || format!("block {name} of segment {number}: {problem}");
            expect(block.segment == number, describe("belongs to another segment"))?;
            expect(block.address == at, describe("does not begin at the end of the previous one"))?;
            expect(block.previous == previous, describe("is not linked to the previous one"))?;
            expect(block.bytes > 0, describe("is empty"))?;
            at += block.bytes;
            blocks += 1;
            expect(at <= segment.address + segment.bytes, describe("ends beyond the segment"))?;
            if let Some(request) = block.request {
                used += 1;
                sums[1] += block.bytes;
                sums[2] += request.bytes;
                expect(request.bytes <= block.bytes, describe("is smaller than its request"))?;
                expect(block.address % request.alignment == 0, describe("is not aligned"))?;
                let named = self.allocated.get(&block.address) == Some(&name);
                expect(named, describe("is allocated but not in the map of addresses"))?;
            } else {
                sums[3] += block.bytes;
                let is_same = |other: u32| {
                    let other = &self.blocks[other];
                    other.is_free() && other.queue == block.queue
                };
                expect(!previous.is_some_and(is_same), describe("is free next to a free block"))?;
            }
            (previous, next) = (Some(name), block.next);
        }
        expect(at == segment.address + segment.bytes, || format!("segment {number} has a gap"))?;
        expect(used == segment.used, || {
            format!("segment {number} has a wrong number of used blocks")
        })?;
        Ok(blocks)
    }

    /// Checks that the free lists contain the `free` free blocks and no others.
    fn check_free_lists(&self, free: usize) -> Result<(), String> {
        let mut listed = 0;
        for (kind, queue, entry) in self.free.iter() {
            listed += 1;
            let name = entry.block;
            let block = self.blocks.get(name).filter(|block| block.is_free());
            let block = block.ok_or_else(|| format!("block {name} is listed but not free"))?;
            let is_same = block.entry(name) == entry
                && block.queue == queue
                && self.segments[block.segment].kind == kind;
            expect(is_same, || format!("block {name} is in the wrong free list"))?;
        }
        expect(listed == free, || format!("{free} blocks are free, {listed} are in free lists"))
    }

    /// Checks that `idle` contains the segments without an allocated block and no others.
    fn check_idle(&self) -> Result<(), String> {
        let (mut bytes, mut count) = (0, 0);
        for (number, _) in self.segments.iter().filter(|(_, segment)| segment.used == 0) {
            bytes += self.segments[number].bytes;
            count += 1;
            let is_known = self.idle.contains(&self.idle_key(number));
            expect(is_known, || format!("segment {number} is not in the idle list"))?;
        }
        expect(count == self.idle.len(), || "the idle list has a used segment".into())?;
        expect(bytes == self.counts.releasable, || "releasable bytes are counted wrong".into())
    }
}

fn expect(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}
