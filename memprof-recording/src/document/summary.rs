//! The state of the whole run, at the end of the session or when a file is written.

use super::{
    Block, ClaimedTwice, DroppedEvents, Estimate, FrameworkRow, HeapTotals, Leak, LeakWatch,
    Module, OperationRow, Place, Site, StackTable, UnexplainedOperation,
};
use serde::{Deserialize, Serialize};

/// The maximum number of bytes that the stacks of a summary take.
const STACK_BYTES: usize = 64 << 20;

/// The state of the whole run, at the end of the session or when the file was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The moment of the summary, in nanoseconds since the session began.
    ///
    /// `None` if the program was killed before the first summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The counts of each path of operations.
    pub operations: Vec<OperationRow>,
    /// The operations that frameworks reported, most CPU time first.
    pub framework_operations: Vec<FrameworkRow>,
    /// The call sites that hold the most live memory, the largest first.
    pub sites: Vec<Site>,
    /// The live memory of the call sites that are not listed.
    pub other_sites: Option<Estimate>,
    /// The largest live blocks.
    pub largest_blocks: Vec<Block>,
    /// The suspects, the worst first.
    pub leaks: Vec<Leak>,
    /// The call sites that grew and are no suspects, each with the reason; the fastest growth first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubtful_leaks: Vec<Leak>,
    /// The evidence of the watch for leaks; `None` if no samples were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leak_watch: Option<LeakWatch>,
    /// The modules of the addresses in sites, blocks and leaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modules: Vec<Module>,
    /// The live memory that no root explains, by call site.
    pub unexplained_sites: Vec<Site>,
    /// The live memory that no root explains, by operation.
    pub unexplained_operations: Vec<UnexplainedOperation>,
    /// The live memory that two roots both claim.
    pub claimed_twice: Vec<ClaimedTwice>,
    /// Calls that are not among the events.
    pub dropped_events: DroppedEvents,
    /// The counts of what was recorded but could not be written to a file.
    #[serde(skip_serializing_if = "NotWritten::is_empty")]
    pub not_written: NotWritten,
    /// Problems of the recording. No problem is listed twice.
    pub warnings: Vec<String>,
}

impl Summary {
    /// Returns `true` if the place of a site or a suspect has an address, and neither a function
    /// nor a file.
    pub fn lacks_names(&self) -> bool {
        let sites = self.sites.iter().map(|site| &site.place);
        let mut places = sites.chain(self.all_leaks().map(|leak| &leak.place));
        places.any(|place| {
            place.address.is_some() && place.function.is_none() && place.file.is_none()
        })
    }

    /// Returns the suspects and the call sites that are none.
    fn all_leaks(&self) -> impl Iterator<Item = &Leak> {
        self.leaks.iter().chain(&self.doubtful_leaks)
    }

    /// Returns the stacks of all sites, blocks and leaks. Sites and blocks come first: the stack of
    /// a leak begins at its place, which may be within the frames of an address.
    pub fn stacks(&self) -> impl Iterator<Item = &Vec<Place>> {
        let sites = self.sites.iter().chain(&self.unexplained_sites).map(|site| &site.stack);
        let blocks = self.largest_blocks.iter().map(|block| &block.stack);
        sites.chain(blocks).chain(self.all_leaks().map(|leak| &leak.stack))
    }

    /// Returns the stacks of all sites, blocks and leaks, each with its number in the file.
    pub fn stacks_mut(&mut self) -> impl Iterator<Item = (&mut Vec<Place>, &mut Option<u32>)> {
        let sites = self.sites.iter_mut().chain(&mut self.unexplained_sites);
        let sites = sites.map(|site| (&mut site.stack, &mut site.stack_number));
        let blocks = self.largest_blocks.iter_mut();
        let blocks = blocks.map(|block| (&mut block.stack, &mut block.stack_number));
        let leaks = self.leaks.iter_mut().chain(&mut self.doubtful_leaks);
        sites.chain(blocks).chain(leaks.map(|leak| (&mut leak.stack, &mut leak.stack_number)))
    }

    /// Replaces the numbers of stacks by the stacks.
    ///
    /// Several entries may have the same stack, so a hostile file could fill the memory. All stacks
    /// together take at most `STACK_BYTES`; further entries have no stack.
    pub fn fill_stacks(&mut self, table: &StackTable) {
        let named = table.named();
        let mut bytes = 0;
        for (stack, number) in self.stacks_mut() {
            let Some(number) = number.take() else { continue };
            let frames = table.frames_of(number, &named);
            bytes += frames.iter().map(Place::bytes).sum::<usize>();
            if bytes > STACK_BYTES {
                break;
            }
            *stack = frames;
            stack.drain(..Place::hook_frames(stack.iter()));
        }
        for leak in self.leaks.iter_mut().chain(&mut self.doubtful_leaks) {
            let place = leak.stack.iter().position(|frame| *frame == leak.place);
            leak.stack.drain(..place.unwrap_or_default());
        }
    }

    /// Returns the places and stacks of all sites, blocks and leaks.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let sites = self.sites.iter().chain(&self.unexplained_sites);
        let sites = sites.flat_map(|site| site.stack.iter().chain([&site.place]));
        let leaks = self.all_leaks().flat_map(|leak| leak.stack.iter().chain([&leak.place]));
        let blocks = self.largest_blocks.iter();
        let blocks = blocks.flat_map(|block| block.stack.iter().chain([&block.place]));
        sites.chain(leaks).chain(blocks)
    }
}

/// The counts of what was recorded but could not be written: the disk was full, or the folder did
/// not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotWritten {
    /// The number of snapshots.
    pub snapshots: u64,
    /// The number of individual calls of operations.
    pub events: u64,
    /// The number of paths of operations. The calls of these paths have no name.
    pub operation_paths: u64,
}

impl NotWritten {
    /// Returns `true` if everything was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A moment at which the inner allocator had no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutOfMemory {
    /// The moment, in nanoseconds since the session began.
    pub at_ns: u64,
    /// Bytes that were requested.
    pub requested_bytes: u64,
    /// The allocator's counts at that moment.
    pub heap: Option<HeapTotals>,
}
