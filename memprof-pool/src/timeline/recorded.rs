//! An adaptor that adds a timeline to any resource.

use super::{Action, Held, Timeline};
use crate::pointers::as_inner;
use crate::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use core::panic::Location;
use std::sync::{Mutex, PoisonError};

/// A resource with a timeline of its allocations and frees.
///
/// A [`CachingPool`](crate::CachingPool) records its own timeline, which includes the reserved
/// bytes.
///
/// ```
/// use memprof::pool::{AddressSpace, MemoryResource, Recorded, Request};
///
/// let recorded = Recorded::new("weights", AddressSpace::new(), 1000);
/// recorded.allocate(Request::new(4096))?;
/// assert_eq!(recorded.timeline().events()[0].held.requested, 4096);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorded<R> {
    inner: R,
    timeline: Timeline,
    /// The live bytes. The lock is held while an event is recorded, so that bytes and events have
    /// the same order.
    bytes: Mutex<u64>,
}

impl<R: MemoryResource> Recorded<R> {
    /// Records the allocations of `inner`, and keeps the last `events` events.
    pub fn new(name: impl Into<String>, inner: R, events: usize) -> Self {
        let timeline = Timeline::new(name, inner.memory(), events);
        Self { inner, timeline, bytes: Mutex::new(0) }
    }

    /// Returns the recorded resource.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// Returns the timeline.
    pub const fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    fn record_event(
        &self,
        action: Action,
        address: Option<Address>,
        request: Request,
        site: &'static Location<'static>,
    ) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        match action {
            Action::Allocate => *bytes = bytes.saturating_add(request.bytes),
            Action::Free => *bytes = bytes.saturating_sub(request.bytes),
            _ => {}
        }
        let held = Held { requested: *bytes, allocated: *bytes, reserved: None, releasable: 0 };
        self.timeline.record_event(action, address, request, site, held);
    }
}

// SAFETY: the adaptor returns only memory of `inner`.
unsafe impl<R: MemoryResource> MemoryResource for Recorded<R> {
    as_inner!(self => self.inner);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let (site, address) = (Location::caller(), self.inner.allocate(request));
        match &address {
            Ok(address) => self.record_event(Action::Allocate, Some(*address), request, site),
            Err(error) if error.is_out_of_memory() => {
                self.record_event(Action::OutOfMemory, None, request, site);
            }
            Err(_) => {}
        }
        address
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises the same for `inner`.
        unsafe { self.inner.deallocate(address, request) }?;
        self.record_event(Action::Free, Some(address), request, Location::caller());
        Ok(())
    }
}
