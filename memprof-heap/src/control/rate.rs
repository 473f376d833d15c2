//! The rates that are set and requested. The finest is in effect.

use crate::base::level_word::SWITCH;
use crate::base::list::{Link, Linked, List, OWNED};
use crate::base::own_memory;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicPtr, AtomicU32, AtomicU64};
use crate::sampling::{Rate, begin_on_current_thread, start_from, start_rate};
use core::cmp::Reverse;
use core::fmt;
use core::ptr;

/// A rate in atomic words that are written under the switch lock.
struct RateWords {
    mean: AtomicU64,
    max_per_second: AtomicU64,
}

/// A node of the list of requests, with the rate of one request.
struct Node {
    link: Link<Self>,
    rate: RateWords,
}

/// The rate of a node without a request. It is coarser than any other rate, so it has no effect.
const NONE: Rate = Rate::every(u64::MAX);

/// The value of `BASE` until the program sets a rate.
const UNSET: Rate = Rate::adaptive(u64::MAX, 0);

/// The rate that `set_rate` set, or `UNSET`.
static BASE: RateWords = RateWords::new(UNSET);
/// The rate while neither the program nor a request sets one.
static DEFAULT: RateWords = RateWords::new(Rate::ADAPTIVE);
/// The requests. A new request uses a released node if there is one. The list has no lock, because
/// a fork could leave a locked list half changed.
static REQUESTS: List<Node> = List { first: AtomicPtr::new(ptr::null_mut()) };

impl Linked for Node {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

impl RateWords {
    const fn new(rate: Rate) -> Self {
        Self {
            mean: AtomicU64::new(rate.mean_bytes()),
            max_per_second: AtomicU64::new(rate.max_per_second()),
        }
    }

    fn set(&self, rate: Rate) {
        self.mean.store(rate.mean_bytes(), Relaxed);
        self.max_per_second.store(rate.max_per_second(), Relaxed);
    }

    fn get(&self) -> Rate {
        Rate::new(self.mean.load(Relaxed), self.max_per_second.load(Relaxed))
    }
}

/// A [requested](crate::request_rate) rate. Dropping it ends the request.
#[must_use = "the request ends when the guard is dropped: `let _request = …`"]
pub struct RateRequest {
    /// `None` if the system had no memory for a node: then the request has no effect.
    node: Option<&'static Node>,
    rate: Rate,
}

impl RateRequest {
    /// Returns the requested rate. The rate in effect may be finer.
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
        let Some(node) = self.node else { return };
        let _held = SWITCH.lock();
        // A request that acquires this node later owns it before it writes its own rate. Until
        // then, the node must have no effect.
        node.rate.set(NONE);
        node.link.release();
        start_from_finest();
    }
}

/// Sets how often blocks are sampled. If samples are already taken, the rate applies from now on.
///
/// While a [`RateRequest`] for a finer rate lives, that rate is in effect. Estimates stay unbiased,
/// because each sample keeps the weight that it had when it was taken.
///
/// # Cost
/// The call waits while another thread switches the level or the rate. So don't call it from a
/// signal handler or from a function that the allocator calls.
pub fn set_rate(rate: Rate) {
    {
        let _held = SWITCH.lock();
        BASE.set(rate);
        // Do this even if the rate stays the same, because the mean restarts from the rate.
        start_from(finest());
    }
    begin_on_current_thread();
}

/// Sets the rate in effect while the program sets none.
pub(crate) fn set_default_rate(rate: Rate) {
    {
        let _held = SWITCH.lock();
        DEFAULT.set(rate);
        start_from_finest();
    }
    begin_on_current_thread();
}

/// Requests that blocks are sampled at least this often, until the returned guard is dropped.
///
/// The finest of all requests and of [`set_rate`] is in effect: the rate with the smallest
/// [mean](Rate::mean_bytes). If two rates have the same mean, the one that takes more samples in a
/// second is in effect. No sample is taken unless the [level](crate::level) is
/// [`Sampled`](crate::Level::Sampled).
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::{request_level, request_rate, sites, Level, Rate};
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
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
/// Creating the guard costs as much as [`set_rate`], and so does dropping it.
pub fn request_rate(rate: Rate) -> RateRequest {
    let request = request(rate);
    begin_on_current_thread();
    request
}

fn request(rate: Rate) -> RateRequest {
    let _held = SWITCH.lock();
    let node = REQUESTS.acquire(OWNED).or_else(add);
    if let Some(node) = node {
        node.rate.set(rate);
        start_from_finest();
    }
    RateRequest { node, rate }
}

/// Switches to the finest rate. If this rate is in effect already, the mean to which it has adapted
/// stays.
fn start_from_finest() {
    let rate = finest();
    if rate != start_rate() {
        start_from(rate);
    }
}

fn finest() -> Rate {
    let requested = REQUESTS.all().filter(|node| node.link.is_owned()).map(|of| of.rate.get());
    let base = if BASE.get() == UNSET { &DEFAULT } else { &BASE };
    let all = requested.chain([base.get()]);
    let key = |rate: &Rate| (rate.mean_bytes(), Reverse(rate.max_per_second()));
    all.min_by_key(key).unwrap_or_default()
}

/// Appends an owned node.
fn add() -> Option<&'static Node> {
    let rate = RateWords::new(NONE);
    let link = Link { owner: AtomicU32::new(OWNED), next: AtomicPtr::new(ptr::null_mut()) };
    let node = own_memory::keep(Node { link, rate })?;
    REQUESTS.add(node);
    Some(node)
}
