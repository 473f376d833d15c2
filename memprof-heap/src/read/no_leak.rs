//! The check that repeated work does not leave more and more memory behind, measured exactly.
//!
//! - `rounds`: the bytes that rounds of the work left behind, the check for a leak, and the memory
//!   limit;
//! - `others`: the same rounds with the threads that the work uses;
//! - `sites`: the call sites of a leak, and the period in which every block is sampled to find them;
//! - `message`: the message of a failure.

mod message;
mod others;
mod rounds;
mod sites;

use crate::read::no_leak::others::Snapshot;
use crate::read::no_leak::rounds::Rounds;
pub use crate::read::no_leak::sites::LeakSite;
use crate::read::no_leak::sites::Sampled;
use crate::read::recorded::NotInstalled;
use core::fmt;
use memprof_profile::text::signed;
use memprof_profile::views::Units;

/// Panics if repeated work leaves more and more memory behind.
///
/// The closure runs 3 times to fill its caches, and then in 10 rounds, or in the number that
/// `rounds = …` sets. Bytes allocated less bytes freed in each round are counted exactly, on this
/// thread and on the threads that the work uses. Memory that is allocated once is not a leak. Growth
/// is a leak if it goes on:
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::assert_no_leak;
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
/// The result of the closure is dropped within the round. A failure names the call sites that
/// allocated the memory:
///
/// ```should_panic
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() {
/// let mut log = Vec::new();
/// memprof::assert_no_leak!(|| log.push("handled".to_owned()));
/// # }
/// ```
///
/// # Other threads
/// Tests that run at the same time don't change the verdict on work that stays on this thread. If
/// other threads allocate while the work runs, further rounds follow, with a pause after each. A
/// thread that allocates in rounds but not in pauses works for the work, and its growth is the
/// work's:
///
/// ```should_panic
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use std::{mem, thread};
///
/// # fn main() {
/// memprof::assert_no_leak!(|| {
///     thread::scope(|scope| scope.spawn(|| mem::forget(vec![1_u8; 1000])).join().is_ok())
/// });
/// # }
/// ```
///
/// A thread that also allocates in pauses is left out, unless memory passes between it and this
/// thread. In that case the macro *cannot tell* whether the work leaks. The test fails, and the
/// message has the command that runs it alone.
///
/// # Panics
/// Panics if the work leaks, if that can't be decided because of [other threads](#other-threads), if
/// there are fewer than 5 rounds, or if [`Allocator`](crate::Allocator) isn't the global allocator.
/// The message has the growth, the call sites and a stack, and fits on a screen. [`check_no_leak`]
/// returns an error with this message. A panic of the work is passed on.
///
/// Growth past the memory limit fails at once, before the system runs out of memory. The limit is
/// 256 MiB above the live bytes before the first counted round. `limit = …` sets another one: a
/// number of bytes, or text as in [`assert_budget!`](memprof_profile::assert_budget).
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// # fn main() {
/// memprof::assert_no_leak!(rounds = 20, limit = "1 GiB", || vec![1_u8; 1000]);
/// # }
/// ```
///
/// # Limits
/// - The live bytes are compared with the limit after each round. One round alone may allocate
///   more.
/// - Output that `cargo test` captures is excluded: its buffer grows on this thread, but belongs to
///   the test harness. Excluding the output requires function names. Without names, the output
///   looks like a leak, and the message advises to run the test with `--nocapture`.
/// - A leak on a thread of a pool is missed if other work keeps that thread busy, and if no block
///   passes between it and this thread.
/// - A thread takes its first sample when it frees a block that the work handed to it, or after it
///   has allocated 32 KiB. If a leak on another thread is smaller, its call site is not listed.
/// - A cache that is still filling up after all rounds looks like a leak, even if its growth would
///   end. In that case, use more rounds.
/// - A buffer that doubles grows again whenever the number of rounds has doubled, and the check
///   finds that growth. The growth of a buffer that was large before, with space for all rounds, is
///   not found.
/// - If the work leaks, or if other threads allocate while it runs, further rounds run with every
///   block sampled. During these rounds, the [level](crate::Level) and the [rate](crate::Rate) are
///   changed for the whole process. Afterwards they are restored.
/// - At most 4,096 sampled blocks are live. If two rounds leave more behind, or if the program takes
///   many samples itself, the bytes of call sites are estimates.
///
/// # Cost
/// Each round costs as much as [`measure`](crate::measure). If memory was left behind, more rounds
/// are run. If `rounds` is 10 or more, the work runs at most 8 × `rounds` times, warm-up included,
/// and at most 20 × `rounds` times if growth is found. The further rounds then confirm the leak and
/// find its call sites.
///
/// If other threads allocate, further rounds follow, as many as `rounds` for clean work and at most
/// 120 × `rounds`. Each of them has a pause of 2 ms to 100 ms.
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

/// The number of measured rounds, unless the caller sets another number.
pub const ROUNDS: u32 = 10;

/// The limit in bytes above the live bytes before the first counted round, unless the caller sets
/// another limit.
pub const LIMIT: u64 = 256 << 20;

/// The result for work that does not leave more memory behind each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoLeak {
    /// The number of measured rounds, without the warm-up rounds.
    pub rounds: u32,
    /// The number, from 1, of the last round after which more bytes were live than ever before.
    /// `None` if no round left more behind.
    ///
    /// If there is such a round, the growth was not a leak because it did not go on. The closer its
    /// number is to `rounds`, the more useful is a run with more rounds.
    pub last_growth: Option<u32>,
    /// The sum of the bytes that the rounds left behind; negative if they freed more bytes of older
    /// blocks.
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

/// The amount that leaking work leaves behind each time, and the call sites that allocated it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LeakByRound {
    /// The number of measured rounds, without the warm-up rounds.
    pub rounds: u32,
    /// Bytes by which live memory grows in each round, on average.
    pub bytes_per_round: f64,
    /// Blocks by which live memory grows in each round, on average.
    pub blocks_per_round: f64,
    /// True if each round left the same amount behind.
    pub is_regular: bool,
    /// True if this thread alone does not leak. The figures are then those of this thread and of the
    /// threads that the work uses.
    pub on_other_threads: bool,
    /// The call sites that allocated the memory, the largest growth first. Together they have at
    /// most the bytes of the leak.
    pub sites: Vec<LeakSite>,
}

/// The result for work that left more memory behind than the limit allows.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PastLimit {
    /// The number of rounds that had run, without the warm-up rounds.
    pub rounds: u32,
    /// Live bytes above the live bytes before the first of these rounds.
    pub net_bytes: u64,
    /// The limit in bytes.
    pub limit_bytes: u64,
    /// The call sites that allocated the memory after a quarter of the limit was reached. Empty if
    /// one round grew from below a quarter to past the limit.
    pub sites: Vec<LeakSite>,
}

/// The result for work that passes memory to or from threads that are busy without it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CannotTell {
    /// The number of rounds, each with a pause.
    pub rounds: u32,
    /// The number of these threads.
    pub busy_threads: u32,
    /// The maximum number of pauses in which one of them allocated.
    pub busy_pauses: u32,
    /// The name of the test, if the calling thread has one.
    pub test: Option<String>,
}

/// The reason why the work was not shown to be free of leaks. `assert_no_leak!` and `unwrap` print
/// it.
#[non_exhaustive]
pub enum LeakError {
    /// Allocations are not counted.
    NotInstalled(NotInstalled),
    /// This number of rounds can't distinguish growth from chance: at least 5 are needed.
    TooFewRounds(u32),
    /// Live memory keeps growing from round to round.
    Leaks(Box<LeakByRound>),
    /// More memory is live than the limit allows, so no further round was run.
    PastLimit(Box<PastLimit>),
    /// The work uses threads that also allocate while it does not run.
    CannotTell(Box<CannotTell>),
}

/// Runs work in rounds and checks whether it leaks: [`assert_no_leak!`] without the panic.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::leak::{check_no_leak, LeakError};
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
/// Returns an error where [`assert_no_leak!`] panics.
///
/// # Cost
/// The call costs as much as [`assert_no_leak!`].
pub fn check_no_leak<T>(rounds: u32, work: impl FnMut() -> T) -> Result<NoLeak, LeakError> {
    check_no_leak_within(rounds, LIMIT, work)
}

/// Does the same as [`check_no_leak`] with another memory limit: at most `limit_bytes` more bytes
/// may be live than before the first counted round.
///
/// ```
/// # #[global_allocator]
/// # static ALLOC: memprof::Allocator = memprof::Allocator::system();
/// use memprof::heap::leak::{check_no_leak_within, LeakError};
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
/// Returns an error in the same cases as [`check_no_leak`].
///
/// # Cost
/// The call costs as much as [`check_no_leak`].
pub fn check_no_leak_within<T>(
    rounds: u32,
    limit_bytes: u64,
    mut work: impl FnMut() -> T,
) -> Result<NoLeak, LeakError> {
    if rounds < rounds::MIN {
        return Err(LeakError::TooFewRounds(rounds));
    }
    let mut seen = Rounds::warm_up(limit_bytes, &mut work)?;
    let others = Snapshot::now();
    let hands_over = judge_this_thread(rounds, &mut seen, &mut work)?;
    let no_leak = seen.no_leak();
    if hands_over || others.is_outdated() {
        others::judge(rounds, limit_bytes, &seen, &others, &mut work)?;
    }
    Ok(if hands_over { NoLeak { last_growth: None, net_bytes: 0, ..no_leak } } else { no_leak })
}

/// Judges the calling thread alone, by its exact counts. Returns true if its growth would be a leak,
/// but other threads have freed blocks of it.
fn judge_this_thread<T>(
    rounds: u32,
    seen: &mut Rounds,
    work: &mut impl FnMut() -> T,
) -> Result<bool, LeakError> {
    if !seen.find_growth(rounds, |seen, more| seen.run(more, work))? {
        return Ok(false);
    }
    // A cache that fills up by the end of these rounds is not a leak. If the growth goes on, these
    // rounds also find its call sites.
    let again = seen.rounds_to_confirm();
    let sampled = Sampled::run(again, || seen.run(1, work))?;
    seen.subtract(&sampled.captured);
    if !seen.is_confirmed() {
        return Ok(false);
    }
    seen.leak(sampled).map_or(Ok(true), Err)
}
