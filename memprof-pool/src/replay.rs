//! Recorded allocations and frees, done again on a resource.

use super::{Address, AllocationError, DeallocationError, MemoryResource, Request, Stream};
use core::fmt;
use std::collections::HashMap;
use std::error::Error;

/// Something that a program did, as a trace of an allocator has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It allocated.
    Allocate {
        /// What tells the memory from other that is allocated at the time: its address, as a rule.
        name: u64,
        /// Bytes.
        bytes: u64,
        /// In the order of which stream.
        stream: Stream,
    },
    /// It freed.
    Free {
        /// What was allocated under that name last.
        name: u64,
        /// In the order of which stream.
        stream: Stream,
    },
}

/// A replay that is going on.
///
/// ```
/// use memprof_pool::{AddressSpace, CachingPool, Replay, Step, Stream};
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
    /// Allocations that succeeded.
    pub allocations: u64,
    /// Frees of them.
    pub frees: u64,
    /// Allocations for which there was not enough memory.
    pub out_of_memory: u64,
    /// Frees of what the trace does not allocate, or could not.
    pub unmatched_frees: u64,
}

impl<'r, R: MemoryResource> Replay<'r, R> {
    /// A replay on that resource.
    pub fn on(resource: &'r R) -> Self {
        let live = HashMap::new();
        Self { resource, live, allocations: 0, frees: 0, out_of_memory: 0, unmatched_frees: 0 }
    }

    /// Does what the program did. Want of memory is counted, and no error.
    ///
    /// # Errors
    /// If the resource fails otherwise, or a name is allocated that is.
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

    /// Frees what the trace left allocated.
    ///
    /// # Errors
    /// If the resource fails.
    #[track_caller]
    pub fn finish(mut self) -> Result<(), ReplayError> {
        for (_, (address, request)) in core::mem::take(&mut self.live) {
            self.free(address, request)?;
        }
        Ok(())
    }

    #[track_caller]
    fn free(&self, address: Address, request: Request) -> Result<(), ReplayError> {
        // SAFETY: `live` held it, so it was allocated for this request and not freed since; nobody
        // uses memory of a replay.
        unsafe { self.resource.deallocate(address, request) }.map_err(ReplayError::Deallocation)
    }
}

/// Why a trace can't be replayed.
#[non_exhaustive]
pub enum ReplayError {
    /// The resource failed, and not for want of memory.
    Allocation(AllocationError),
    /// It refused to take back what it gave out.
    Deallocation(DeallocationError),
    /// The trace allocates under a name that is allocated.
    AllocatedTwice(u64),
    /// A text is no trace.
    #[cfg(feature = "json")]
    Json(serde_json::Error),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allocation(_) => out.write_str("the resource can't give out memory"),
            Self::Deallocation(_) => out.write_str("the resource can't take memory back"),
            Self::AllocatedTwice(name) => {
                write!(out, "{name:#x} is allocated again before it is freed")
            }
            #[cfg(feature = "json")]
            Self::Json(_) => out.write_str(
                "no trace: expected a list of objects with `action`, `addr`, `size` and `stream`",
            ),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
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
    /// The steps of a trace as `PyTorch`'s `torch.cuda.memory._snapshot()["device_traces"][0]` has it,
    /// written as JSON. What is no allocation and no free is left out.
    ///
    /// ```
    /// use memprof_pool::{Step, Stream};
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
    /// # Ok::<(), memprof_pool::ReplayError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no such list.
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
                // Of the two entries of a free, the one at which the block is there again.
                "free_completed" => Some(Self::Free { name, stream }),
                _ => None,
            }
        };
        Ok(entries.into_iter().filter_map(step).collect())
    }
}
