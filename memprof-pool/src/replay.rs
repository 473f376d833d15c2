//! Replays of recorded allocations and frees on a resource.

use super::{Address, AllocationError, DeallocationError, MemoryResource, Request, Stream};
use core::fmt;
use memprof_profile::text::WithCauses;
use std::collections::HashMap;
use std::error::Error;

/// One operation of a program, from an allocator's trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a trace allocates and frees")]
pub enum Step {
    /// An allocation.
    Allocate {
        /// The name of the allocation, unique among the live ones: usually its address.
        name: u64,
        /// The size in bytes.
        bytes: u64,
        /// The stream of the request.
        stream: Stream,
    },
    /// A free.
    Free {
        /// The name of the allocation to free. If several allocations had this name, the last one
        /// is freed.
        name: u64,
        /// The stream in whose order the memory is freed.
        stream: Stream,
    },
}

/// A replay in progress.
///
/// ```
/// use memprof::pool::{AddressSpace, CachingPool, Replay, Step, Stream};
///
/// let pool = CachingPool::builder(AddressSpace::new()).build()?;
/// let mut replay = Replay::on(&pool);
/// replay.step(Step::Allocate { name: 1, bytes: 3 << 20, stream: Stream::DEFAULT })?;
/// replay.step(Step::Free { name: 1, stream: Stream::DEFAULT })?;
/// assert_eq!((replay.allocations, replay.frees), (1, 1));
/// assert_eq!(pool.statistics().allocated, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Replay<'r, R> {
    resource: &'r R,
    live: HashMap<u64, (Address, Request)>,
    /// The number of allocations that succeeded.
    pub allocations: u64,
    /// The number of frees of those allocations.
    pub frees: u64,
    /// The number of allocations that failed because there was too little memory.
    pub out_of_memory: u64,
    /// The number of frees of allocations that failed or that the trace lacks.
    pub unmatched_frees: u64,
}

impl<'r, R: MemoryResource> Replay<'r, R> {
    /// Starts a replay on a resource.
    pub fn on(resource: &'r R) -> Self {
        let live = HashMap::new();
        Self { resource, live, allocations: 0, frees: 0, out_of_memory: 0, unmatched_frees: 0 }
    }

    /// Repeats one operation of the program. Out-of-memory errors are counted and not returned.
    ///
    /// # Errors
    /// Returns [`ReplayError`] if the resource fails for another reason, or if a live name is
    /// allocated again.
    #[track_caller]
    pub fn step(&mut self, step: Step) -> Result<(), ReplayError> {
        match step {
            Step::Allocate { name, .. } if self.live.contains_key(&name) => {
                Err(ReplayError::AllocatedTwice(name))
            }
            Step::Allocate { name, bytes, stream } => {
                let request = Request::new(bytes).on(stream);
                match self.resource.allocate(request) {
                    Ok(address) => {
                        self.allocations += 1;
                        self.live.insert(name, (address, request));
                        Ok(())
                    }
                    Err(error) if error.is_out_of_memory() => {
                        self.out_of_memory += 1;
                        Ok(())
                    }
                    Err(error) => Err(ReplayError::Allocation(error)),
                }
            }
            Step::Free { name, stream } => {
                let Some((address, request)) = self.live.remove(&name) else {
                    self.unmatched_frees += 1;
                    return Ok(());
                };
                self.frees += 1;
                self.free(address, request.on(stream))
            }
        }
    }

    /// Frees all memory that the trace left allocated.
    ///
    /// # Errors
    /// Returns [`ReplayError::Deallocation`] if the resource fails.
    #[track_caller]
    pub fn finish(mut self) -> Result<(), ReplayError> {
        for (_, (address, request)) in core::mem::take(&mut self.live) {
            self.free(address, request)?;
        }
        Ok(())
    }

    #[track_caller]
    fn free(&self, address: Address, request: Request) -> Result<(), ReplayError> {
        // SAFETY: `live` contained the allocation, so the memory was allocated for this request and
        // not freed since. Nothing uses the memory of a replay.
        unsafe { self.resource.deallocate(address, request) }.map_err(ReplayError::Deallocation)
    }
}

/// The reason why a trace can't be replayed.
#[non_exhaustive]
pub enum ReplayError {
    /// The resource failed to allocate, for another reason than too little memory.
    Allocation(AllocationError),
    /// The resource refused to free its own memory.
    Deallocation(DeallocationError),
    /// The trace allocates a name that is live.
    AllocatedTwice(u64),
    /// The text is not a trace.
    #[cfg(feature = "json")]
    Json(serde_json::Error),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allocation(_) => out.write_str("the resource can't allocate"),
            Self::Deallocation(_) => out.write_str("the resource can't deallocate"),
            Self::AllocatedTwice(name) => {
                write!(out, "{name:#x} is allocated again before it is freed")
            }
            #[cfg(feature = "json")]
            Self::Json(_) => out.write_str(
                "not a trace: expected a list of objects with `action`, `addr`, `size`, `stream`",
            ),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for ReplayError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Allocation(error) => Some(error),
            Self::Deallocation(error) => Some(error),
            Self::AllocatedTwice(_) => None,
            #[cfg(feature = "json")]
            Self::Json(error) => Some(error),
        }
    }
}

#[cfg(feature = "json")]
impl Step {
    /// Parses a trace of `PyTorch`: `torch.cuda.memory._snapshot()["device_traces"][0]`, written as
    /// JSON.
    ///
    /// Entries that are neither allocations nor frees are ignored.
    ///
    /// ```
    /// use memprof::pool::{Step, Stream};
    ///
    /// let trace = r#"[
    ///     {"action": "segment_alloc", "addr": 4096, "size": 2097152, "stream": 0},
    ///     {"action": "alloc", "addr": 4096, "size": 1024, "stream": 0},
    ///     {"action": "free_requested", "addr": 4096, "size": 1024, "stream": 0},
    ///     {"action": "free_completed", "addr": 4096, "size": 1024, "stream": 0}
    /// ]"#;
    /// let stream = Stream::DEFAULT;
    /// let steps = Step::from_pytorch(trace)?;
    /// assert_eq!(steps[0], Step::Allocate { name: 4096, bytes: 1024, stream });
    /// assert_eq!(steps[1..], [Step::Free { name: 4096, stream }]);
    /// # Ok::<(), memprof::pool::ReplayError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ReplayError::Json`] if the text is not such a list.
    pub fn from_pytorch(json: &str) -> Result<Vec<Self>, ReplayError> {
        #[derive(serde::Deserialize)]
        struct Entry {
            action: String,
            addr: u64,
            size: u64,
            stream: u64,
        }
        let entries: Vec<Entry> = serde_json::from_str(json).map_err(ReplayError::Json)?;
        let step = |entry: Entry| {
            let (name, stream) = (entry.addr, Stream(entry.stream));
            match &*entry.action {
                "alloc" => Some(Self::Allocate { name, bytes: entry.size, stream }),
                // A free has two entries. The block becomes available only at the second one, which
                // is this.
                "free_completed" => Some(Self::Free { name, stream }),
                _ => None,
            }
        };
        Ok(entries.into_iter().filter_map(step).collect())
    }
}
