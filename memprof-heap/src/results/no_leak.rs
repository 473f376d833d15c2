//! Whether work that is repeated leaves more and more behind, measured exactly.
//!
//! - `rounds`: what rounds of the work left behind, what of that is a leak, and the memory limit;
//! - `each_block`: the time in which each block is sampled, to see where a leak is allocated;
//! - `sites`: the places that it comes from;
//! - `message`: what is said of it.

mod each_block;
mod message;
mod rounds;
mod sites;

use crate::control::not_installed::NotInstalled;
use core::fmt;
use memprof_profile::Units;
use memprof_profile::text::signed;
use rounds::Rounds;
pub use sites::LeakSite;

/// Panics if work that is repeated leaves more and more memory behind.
///
/// The closure is run 3 times so that it fills its caches, and then in 10 rounds, or in as many as
/// `rounds = …` says. What each round allocates less what it frees is counted to the byte, on this
/// thread. Something that is allocated once is no leak; growth is, if it goes on:
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// use memprof_heap::assert_no_leak;
/// use std::collections::HashMap;
///
/// # fn main() {
/// let mut cache = HashMap::new();
/// let mut request = 0;
/// assert_no_leak!(|| {
///     request += 1;
///     cache.insert(request % 8, vec![0_u8; 1000]); // eight entries at most
/// });
///
/// assert_no_leak!(rounds = 50, || "a".repeat(1000));
/// # }
/// ```
///
/// What the closure returns is dropped within the round. A failure says where the memory was
/// allocated:
///
/// ```should_panic
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// # fn main() {
/// let mut log = Vec::new();
/// memprof_heap::assert_no_leak!(|| log.push("handled".to_owned()));
/// # }
/// ```
///
/// # Panics
/// If the work leaks, if there are fewer than 5 rounds, or if no [`Allocator`](crate::Allocator)
/// counts. The message has the growth, the places and a stack, within a screen. [`check_no_leak`]
/// returns it as an error. A panic of the work goes through.
///
/// Growth past the memory limit fails at once, before the system has no memory left. The limit is
/// 256 MiB of live bytes above those before the first counted round, or what `limit = …` sets: a
/// number of bytes, or text as in [`assert_budget!`](memprof_profile::assert_budget).
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// # fn main() {
/// memprof_heap::assert_no_leak!(rounds = 20, limit = "1 GiB", || vec![1_u8; 1000]);
/// # }
/// ```
///
/// # Limits
/// - The limit is compared after each round. One round alone may allocate more.
/// - Output that `cargo test` captures is left out: its buffer grows on this thread, and is the test
///   harness's. That takes the names of functions; in a program without them it looks like a leak, and
///   the message says to run the test with `--nocapture`.
/// - Only this thread counts: what the work starts on others doesn't show, and what it hands to
///   others to free looks like a leak. Futures are run on this thread: `assert_no_leak!(||
///   block_on(work()))`.
/// - A cache that is still filling up after all rounds looks like a leak, also if it would end:
///   then more rounds help.
/// - A buffer that doubles grows again whenever the number of rounds has doubled. It is found by that. A
///   buffer that was large before, and has room for all rounds, is not seen to grow.
/// - If it leaks, the work is run as often again with each block sampled. Meanwhile the
///   [level](crate::Level) and the [rate](crate::Rate) are changed for the whole process, and then
///   set back.
/// - The places of a leak are unknown if more than 4,096 sampled blocks were live, as in a program that
///   samples itself already.
///
/// # Cost
/// That of [`measure`](crate::measure) for each round. Where something was left behind, up to 8 times as
/// many rounds; to confirm a leak and find where, up to 20 times as many.
#[macro_export]
macro_rules! assert_no_leak {
    (rounds = $rounds:expr, limit = $limit:expr, $work:expr $(,)?) => {
        $crate::__private::assert_no_leak(
            ::core::stringify!($work),
            $rounds,
            $crate::__private::limit($limit),
            $work,
        )
    };
    (limit = $limit:expr, $work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $crate::__private::ROUNDS, limit = $limit, $work)
    };
    (rounds = $rounds:expr, $work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $rounds, limit = $crate::__private::LIMIT, $work)
    };
    ($work:expr $(,)?) => {
        $crate::assert_no_leak!(rounds = $crate::__private::ROUNDS, $work)
    };
}

/// Rounds that are measured unless the caller sets another number.
pub const ROUNDS: u32 = 10;

/// Bytes that may be live above those before the first counted round, unless the caller sets another
/// number.
pub const LIMIT: u64 = 256 << 20;

/// Work that was repeated and leaves nothing more behind each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLeak {
    /// Rounds that were measured, after those to warm up.
    pub rounds: u32,
    /// The last round, from 1, after which more was live than ever before. `None` if no round left more
    /// behind.
    ///
    /// Growth was acquitted where this is a round: it did not go on. The closer it is to the number of
    /// rounds, the more a run with more rounds is worth.
    pub last_growth: Option<u32>,
    /// Bytes that all of them together left behind; below 0 if they freed what was older.
    pub net_bytes: i64,
}

impl fmt::Display for NoLeak {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no leak in {} rounds", self.rounds)?;
        let Some(round) = self.last_growth else { return Ok(()) };
        let bytes = signed(self.net_bytes.into(), Units::Bytes);
        write!(out, ", which left {bytes} behind; the last growth was in round {round}")
    }
}

/// How much work that leaks leaves behind each time, and where that was allocated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakByRound {
    /// Rounds that were measured, after those to warm up.
    pub rounds: u32,
    /// Bytes more that are live after each round, on average.
    pub bytes_per_round: f64,
    /// Blocks more, on average.
    pub blocks_per_round: f64,
    /// Whether each round left as much behind.
    pub is_regular: bool,
    /// Where it was allocated, what grows most first. Empty if nothing that is still live was
    /// allocated on this thread: as where another one frees it. Empty too if more than 4,096 sampled
    /// blocks were live.
    pub sites: Vec<LeakSite>,
    /// False if not each block was sampled, so that `sites` is empty.
    pub(crate) has_sites: bool,
}

/// Work that left more behind than the memory limit allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PastLimit {
    /// Rounds that had run, after those to warm up.
    pub rounds: u32,
    /// Bytes that were live above those before the first of these rounds.
    pub net_bytes: u64,
    /// Bytes that the limit allows.
    pub limit_bytes: u64,
    /// Where it was allocated, since a quarter of the limit was reached. Empty if that took one round,
    /// or if more than 4,096 sampled blocks were live.
    pub sites: Vec<LeakSite>,
    /// False if not each block was sampled, so that `sites` is empty.
    pub(crate) has_sites: bool,
}

/// Why work was not shown to leave nothing behind; what `assert_no_leak!` prints, and `unwrap` too.
#[non_exhaustive]
pub enum LeakError {
    /// Nothing counts allocations.
    NotInstalled(NotInstalled),
    /// So few rounds tell no growth from chance: at least 5 are needed.
    TooFewRounds(u32),
    /// More is live after each round.
    Leaks(Box<LeakByRound>),
    /// More is live than the memory limit allows, so no further round was run.
    PastLimit(Box<PastLimit>),
}

/// Runs work in rounds and looks whether it leaks: [`assert_no_leak!`] without the panic.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// use memprof_heap::{LeakError, check_no_leak};
///
/// # fn main() {
/// let clean = check_no_leak(20, || vec![1; 1000]).expect("it is dropped");
/// assert_eq!((clean.rounds, clean.net_bytes), (20, 0));
///
/// let mut kept = Vec::with_capacity(1000);
/// let error = check_no_leak(20, || kept.push(Box::new(7_u64))).unwrap_err();
/// let LeakError::Leaks(leak) = error else { panic!("it leaks") };
/// assert_eq!((leak.bytes_per_round, leak.blocks_per_round), (8.0, 1.0));
/// # }
/// ```
///
/// # Errors
/// As [`assert_no_leak!`] panics.
///
/// # Cost
/// As [`assert_no_leak!`].
pub fn check_no_leak<T>(rounds: u32, work: impl FnMut() -> T) -> Result<NoLeak, LeakError> {
    check_no_leak_within(rounds, LIMIT, work)
}

/// Runs work as [`check_no_leak`] does, with another memory limit: at most `limit_bytes` may be live above
/// those before the first counted round.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
/// use memprof_heap::{LeakError, check_no_leak_within};
///
/// # fn main() {
/// let mut doubles = vec![0_u8; 1];
/// let error = check_no_leak_within(100, 1 << 20, || doubles.resize(2 * doubles.len(), 0));
/// let Err(LeakError::PastLimit(leak)) = error else { panic!("{error:?}") };
/// assert!((1 << 20..4 << 20).contains(&leak.net_bytes));
/// # }
/// ```
///
/// # Errors
/// As [`check_no_leak`].
///
/// # Cost
/// As [`check_no_leak`].
pub fn check_no_leak_within<T>(
    rounds: u32,
    limit_bytes: u64,
    mut work: impl FnMut() -> T,
) -> Result<NoLeak, LeakError> {
    if rounds < rounds::LEAST {
        return Err(LeakError::TooFewRounds(rounds));
    }
    let mut seen = Rounds::warm_up(limit_bytes, &mut work)?;
    if !seen.find_growth(rounds, |seen, more| seen.run(more, &mut work))? {
        return Ok(seen.no_leak());
    }
    // A cache that fills up by the end of these rounds is no leak. Growth that goes on gets its call sites.
    let again = seen.rounds_to_confirm();
    let grown = sites::of_growth(again, || seen.run(1, &mut work))?;
    seen.subtract(&grown.captured);
    if seen.goes_on() { Err(seen.leak(grown.sites)) } else { Ok(seen.no_leak()) }
}
