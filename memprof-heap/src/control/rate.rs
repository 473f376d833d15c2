//! The rates that are set and requested, and which of them counts: the finest.

use crate::base::level_word::SWITCH;
use crate::base::list::{Link, Linked, List, TAKEN};
use crate::base::own_memory;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicPtr, AtomicU32, AtomicU64};
use crate::sampling::{Rate, begin_on_this_thread, start_from, start_rate};
use core::fmt;
use core::ptr;

/// A rate in words that are written under the switch lock.
struct RateWords {
    mean: AtomicU64,
    /// 1 if it adapts.
    adapts: AtomicU32,
}

/// Where a request keeps its rate.
struct Place {
    link: Link<Self>,
    rate: RateWords,
}

/// Coarser than any other: a place with this rate requests nothing.
const NONE: Rate = Rate::every(u64::MAX);

/// What `set_rate` set.
static BASE: RateWords = RateWords::new(Rate::ADAPTIVE);
/// As many places as there ever were requests at once. A list without a lock, as a fork may leave one
/// half changed.
static REQUESTS: List<Place> = List { first: AtomicPtr::new(ptr::null_mut()) };

impl Linked for Place {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl RateWords {
    const fn new(rate: Rate) -> Self {
        Self {
            mean: AtomicU64::new(rate.mean_bytes()),
            adapts: AtomicU32::new(rate.adapts() as u32),
        }
    }

    fn set(&self, rate: Rate) {
        self.mean.store(rate.mean_bytes(), Relaxed);
        self.adapts.store(rate.adapts().into(), Relaxed);
    }

    fn get(&self) -> Rate {
        Rate::new(self.mean.load(Relaxed), self.adapts.load(Relaxed) != 0)
    }
}

/// A [requested](crate::request_rate) rate. Dropping it ends the request.
#[must_use = "the request ends when the guard is dropped: `let _request = …`"]
pub struct RateRequest {
    /// `None` where the system had no memory for a place: then nothing is requested.
    place: Option<&'static Place>,
    rate: Rate,
}

impl RateRequest {
    /// The rate that is requested. The one that counts may be finer.
    pub fn rate(&self) -> Rate {
        self.rate
    }
}

impl fmt::Debug for RateRequest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RateRequest").field("rate", &self.rate).finish_non_exhaustive()
    }
}

impl Drop for RateRequest {
    fn drop(&mut self) {
        let Some(place) = self.place else { return };
        let _held = SWITCH.lock();
        // The next request finds this rate here until it writes its own.
        place.rate.set(NONE);
        place.link.hand_back();
        start_from_finest();
    }
}

/// Sets how often blocks are sampled; from here on if they already are, and whenever they are.
///
/// A [`RateRequest`] for a finer rate goes before it, as long as it lives. Estimates stay unbiased,
/// because each sample keeps the weight that it had when it was taken.
///
/// # Cost
/// It waits while another thread switches the level or the rate, so it must not be called from a
/// signal handler, nor from a function that the allocator calls.
pub fn set_rate(rate: Rate) {
    {
        let _held = SWITCH.lock();
        BASE.set(rate);
        // Even if the rate stays the same, the mean starts from it again.
        start_from(finest());
    }
    begin_on_this_thread();
}

/// Requests that blocks are sampled at least as often, until the returned guard is dropped.
///
/// The finest rate counts, of all requests and of [`set_rate`]: that with the smallest
/// [mean](Rate::mean_bytes), and of two with the same mean the one that doesn't adapt. No sample is
/// taken unless the [level](crate::level) is [`Sampled`](crate::Level::Sampled).
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// use memprof_heap::{Level, Rate, request_level, request_rate, sites};
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// let _rate = request_rate(Rate::EACH_BLOCK);
/// let _level = request_level(Level::Sampled);
/// let kept = Box::new([0_u8; 100]);
/// assert!(sites()?.live.value >= 100.0);
/// # drop(kept);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// As [`set_rate`], also when the guard is dropped.
pub fn request_rate(rate: Rate) -> RateRequest {
    let request = request(rate);
    begin_on_this_thread();
    request
}

fn request(rate: Rate) -> RateRequest {
    let _held = SWITCH.lock();
    let place = REQUESTS.take().or_else(add);
    if let Some(place) = place {
        place.rate.set(rate);
        start_from_finest();
    }
    RateRequest { place, rate }
}

/// Goes to the finest rate unless it counts already: what became of its mean stays.
fn start_from_finest() {
    let rate = finest();
    if rate != start_rate() {
        start_from(rate);
    }
}

fn finest() -> Rate {
    let requested = REQUESTS.all().filter(|place| place.link.is_taken()).map(|of| of.rate.get());
    let all = requested.chain([BASE.get()]);
    all.min_by_key(|rate| (rate.mean_bytes(), rate.adapts())).unwrap_or_default()
}

/// Appends a place, taken.
fn add() -> Option<&'static Place> {
    let rate = RateWords::new(NONE);
    let link = Link { state: AtomicU32::new(TAKEN), next: AtomicPtr::new(ptr::null_mut()) };
    let place = own_memory::keep(Place { link, rate })?;
    REQUESTS.add(place);
    Some(place)
}
