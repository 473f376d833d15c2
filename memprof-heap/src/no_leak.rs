//! Whether work that is repeated leaves more and more behind, measured exactly.
//!
//! - `rounds`: what rounds of the work left behind, and what of that is a leak;
//! - `each_block`: the time in which each block is sampled, to see where a leak is allocated;
//! - `sites`: the places that it comes from;
//! - `message`: what is said of it.

mod each_block;
mod message;
mod rounds;
mod sites;

use crate::NotInstalled;
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
/// # Limits
/// - Only this thread counts: what the work starts on others doesn't show, and what it hands to
///   others to free looks like a leak. Futures are run on this thread: `assert_no_leak!(||
///   block_on(work()))`.
/// - A cache that is still filling up after all rounds looks like a leak, also if it would end:
///   then more rounds help.
/// - A buffer that doubles is known by growing again whenever the rounds have doubled. One that was
///   large before, and has room for all rounds, is not seen to grow.
/// - If it leaks, the work is run as often again with each block sampled. Meanwhile the
///   [level](crate::Level) and the [rate](crate::Rate) are changed for the whole process, and then
///   set back.
///
/// # Cost
/// That of [`measure`](crate::measure) for each round. Where something was left behind and it takes
/// more to know, up to four times as many rounds; and as many again to find where.
#[macro_export]
macro_rules! assert_no_leak {
    (rounds = $rounds:expr, $work:expr $(,)?) => {
        $crate::__private::assert_no_leak(::core::stringify!($work), $rounds, $work)
    };
    ($work:expr $(,)?) => {
        $crate::__private::assert_no_leak(
            ::core::stringify!($work),
            $crate::__private::ROUNDS,
            $work,
        )
    };
}

/// Rounds that are measured unless somebody says how many.
pub const ROUNDS: u32 = 10;

/// Work that was repeated and leaves nothing more behind each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLeak {
    /// Rounds that were measured, after those to warm up.
    pub rounds: u32,
    /// Bytes that all of them together left behind; below 0 if they freed what was older.
    pub net_bytes: i64,
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
    /// allocated on this thread: as where another one frees it.
    pub sites: Vec<LeakSite>,
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
pub fn check_no_leak<T>(rounds: u32, mut work: impl FnMut() -> T) -> Result<NoLeak, LeakError> {
    if rounds < rounds::LEAST {
        return Err(LeakError::TooFewRounds(rounds));
    }
    let mut seen = Rounds::warm_up(&mut work)?;
    if !seen.find_growth(rounds, |seen, more| seen.run(more, &mut work))? {
        return Ok(seen.no_leak());
    }
    // As many again: what has filled up by then is no leak, and what goes on is seen where.
    let again = seen.count();
    let sites = sites::of_growth(again, || seen.run(1, &mut work))?;
    if seen.goes_on() { Err(seen.leak(sites)) } else { Ok(seen.no_leak()) }
}
