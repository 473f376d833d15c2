//! The threads that the work uses besides the calling thread.
//!
//! The calling thread has exact counts of its own. Another thread may work for the work, for the
//! test beside it, or for neither. So each round is followed by a pause of the same length. A thread
//! that allocates in rounds but hardly in pauses works for the work, and what it keeps is added to
//! what the calling thread keeps. A thread that allocates in pauses too is *busy*: its growth may not
//! be the work's.
//!
//! A busy thread matters only if the work uses it. Every block is sampled meanwhile, so a block that
//! one of the two threads allocates and the other frees is noticed. Then there is no verdict.
//! Otherwise the busy thread is a neighbour's, and is left out.
//!
//! One sum over all other threads would be simpler, but then no test that starts a thread could
//! pass beside another test.

use crate::read::no_leak::sites::{EachBlock, Net, Sampled, live_since};
use crate::read::no_leak::{CannotTell, Judged, LeakError, PastLimit, Rounds, ThisThread};
use crate::record::counters::Counts;
use crate::record::live_table::Sample;
use crate::record::sample::{self, HandoverWatch};
use crate::record::threads::Shard;
use crate::record::{process, threads};
use core::sync::atomic::Ordering::Relaxed;
use core::time::Duration;
use core::{mem, ptr};
use std::collections::{HashMap, HashSet};
use std::thread;
use std::time::Instant;

/// The minimum number of rounds after which a thread is known to be busy or not.
const MIN: u32 = 10;

/// A thread is busy if it allocates in at least one pause for this number of rounds in which it
/// allocates. A task that outlasts its round may allocate in a pause as well.
const ROUNDS_PER_PAUSE: u32 = 5;

/// The time between two readings of the counts.
const SETTLING: Duration = Duration::from_millis(2);

/// The number of readings after which a round ends even if other threads continue.
const MAX_READINGS: u32 = 5;

/// The time between two readings in the second attempt, after the first was inconclusive.
const LONG_SETTLING: Duration = Duration::from_millis(20);

const MAX_PAUSE: Duration = Duration::from_millis(100);

/// After this many rounds, growth beyond the limit can't be one large block of a neighbour.
const ROUNDS_TO_LIMIT: u32 = 5;

/// The counts of other threads, by the address of their shard; 0 for threads without one.
pub(crate) struct Snapshot(HashMap<usize, Seen>);

struct Seen {
    thread: u32,
    counts: Counts,
}

impl Snapshot {
    pub(crate) fn now() -> Self {
        let own = threads::local().map(|local| ptr::from_ref(local.shard()).addr());
        let shards = threads::all().map(|shard| {
            let seen = Seen { thread: shard.thread(), counts: shard.split().program };
            (ptr::from_ref(shard).addr(), seen)
        });
        let unsharded = Seen { thread: 0, counts: process::unsharded_split().program };
        let others = shards.filter(|(address, _)| Some(*address) != own);
        Self(others.chain([(0, unsharded)]).collect())
    }

    /// Returns true if another thread has allocated since.
    pub(crate) fn is_outdated(&self) -> bool {
        let now = Self::now();
        now.0.iter().any(|(address, seen)| self.counts(*address).has_allocated(seen.counts))
    }

    fn live_since(&self, before: &Self) -> i64 {
        let live =
            |(address, seen): (&usize, &Seen)| seen.counts.since(before.counts(*address)).live();
        self.0.iter().map(live).sum()
    }

    fn counts(&self, address: usize) -> Counts {
        self.0.get(&address).map_or_else(Counts::default, |seen| seen.counts)
    }
}

impl Counts {
    fn has_allocated(self, later: Self) -> bool {
        self.allocated_blocks != later.allocated_blocks
    }
}

/// The threads that have owned one shard.
#[derive(Default)]
struct Owners {
    /// The counts before the first round.
    first: Counts,
    rounds: Vec<AfterRound>,
    active_rounds: u32,
    active_pauses: u32,
    threads: HashSet<u32>,
}

#[derive(Clone, Copy, Default)]
struct AfterRound {
    bytes: i64,
    blocks: i64,
    has_allocated: bool,
}

impl Owners {
    fn is_busy(&self) -> bool {
        self.active_pauses > 0 && ROUNDS_PER_PAUSE * self.active_pauses >= self.active_rounds
    }
}

struct Paused<'w, W> {
    own: ThisThread<'w, W>,
    /// The rounds of the calling thread and of all threads that are not busy.
    together: Rounds,
    others: HashMap<usize, Owners>,
    last: Snapshot,
    settling: Duration,
    /// `None` if another check watches at the same time. Each busy thread may be the work's then.
    watch: Option<HandoverWatch>,
    /// In milliseconds on memprof's clock.
    began: u64,
}

/// Judges the work with the threads that it uses. The calling thread alone was found not to leak in
/// the rounds `earlier`, which began at `before`.
pub(crate) fn judge<T>(
    rounds: u32,
    limit: u64,
    earlier: &Rounds,
    before: &Snapshot,
    work: &mut impl FnMut() -> T,
) -> Result<(), LeakError> {
    let mut judge = |settling| {
        let _every_block = EachBlock::begin();
        let own = ThisThread::new(limit, &mut *work);
        sample::unsampled(|| Paused::new(own, settling)).judge(rounds, earlier, before)
    };
    match judge(SETTLING) {
        // On a loaded machine, a thread of the work may start or end so late that it looks busy.
        Err(LeakError::CannotTell(_)) => judge(LONG_SETTLING),
        verdict => verdict,
    }
}

impl<'w, T, W: FnMut() -> T> Paused<'w, W> {
    fn new(own: ThisThread<'w, W>, settling: Duration) -> Self {
        let (together, others, last) = (Rounds::default(), HashMap::new(), Snapshot::now());
        let (watch, began) = (HandoverWatch::begin(), sample::milliseconds());
        let mut paused = Self { own, together, others, last, settling, watch, began };
        paused.last = paused.settle();
        paused
    }

    fn judge(&mut self, rounds: u32, earlier: &Rounds, before: &Snapshot) -> Result<(), LeakError> {
        let grew = earlier.live() + self.last.live_since(before) > 0;
        let grows =
            self.find_growth(rounds.max(MIN))? || grew && self.find_steps(earlier.extension())?;
        self.check_partners()?;
        if !grows {
            return Ok(());
        }
        let sampled = self.confirm()?;
        sample::unsampled(|| {
            self.check_partners()?;
            let Some(sampled) = sampled.filter(|_| self.is_of_the_work()) else { return Ok(()) };
            // The samples may be too few, because threads begin to sample late, so the counts
            // decide.
            let on_other_threads = sampled.is_mostly_elsewhere();
            Err(self.together.leak(sampled, on_other_threads))
        })
    }

    fn not_busy(&self) -> impl Iterator<Item = &Owners> {
        self.others.values().filter(|owners| !owners.is_busy())
    }

    /// Waits until the threads that are not busy have been quiet for a moment.
    fn settle(&self) -> Snapshot {
        let mut now = Snapshot::now();
        for _ in 0..MAX_READINGS {
            thread::sleep(self.settling);
            let before = mem::replace(&mut now, Snapshot::now());
            let is_busy = |address: &usize| self.others.get(address).is_some_and(Owners::is_busy);
            let mut others = now.0.iter().filter(|(address, _)| !is_busy(address));
            if others.all(|(address, seen)| seen.counts == before.counts(*address)) {
                break;
            }
        }
        now
    }

    fn note(&mut self, after: &Snapshot, paused: Snapshot) {
        for (&address, seen) in &paused.0 {
            let before = self.last.counts(address);
            let new = || Owners { first: before, ..Owners::default() };
            let owners = self.others.entry(address).or_insert_with(new);
            owners.rounds.resize(self.own.rounds.count() as usize - 1, AfterRound::default());
            let (after, live) = (after.counts(address), seen.counts.since(owners.first));
            let has_allocated = before.has_allocated(after);
            let (bytes, blocks) = (live.live(), live.live_blocks());
            owners.rounds.push(AfterRound { bytes, blocks, has_allocated });
            owners.active_rounds += u32::from(has_allocated);
            owners.active_pauses += u32::from(after.has_allocated(seen.counts));
            owners.threads.insert(seen.thread);
        }
        self.last = paused;
    }

    /// Returns an error if blocks passed between the calling thread and a busy one.
    fn check_partners(&self) -> Result<(), LeakError> {
        let is_partner = |shard: &&Shard| self.watch.is_none() || shard.hands_over.load(Relaxed);
        let partners = threads::all().filter(is_partner);
        let partners = partners.filter_map(|shard| self.others.get(&ptr::from_ref(shard).addr()));
        let busy: Vec<&Owners> = partners.filter(|owners| owners.is_busy()).collect();
        let Some(pauses) = busy.iter().map(|owners| owners.active_pauses).max() else {
            return Ok(());
        };
        let test = thread::current().name().filter(|name| *name != "main").map(str::to_owned);
        Err(LeakError::CannotTell(Box::new(CannotTell {
            rounds: self.own.rounds.count(),
            busy_threads: busy.len() as u32,
            busy_pauses: pauses,
            test,
        })))
    }

    /// Returns true if the threads that are not busy worked in most rounds. If no thread is busy,
    /// their work need not be that frequent.
    fn is_of_the_work(&self) -> bool {
        let rounds = self.own.rounds.count() as usize;
        let worked =
            |round: &usize| self.not_busy().any(|owners| owners.rounds[*round].has_allocated);
        self.not_busy().count() == self.others.len()
            || 2 * (0..rounds).filter(worked).count() >= rounds
    }

    fn check_limit(&self) -> Result<(), LeakError> {
        let live = self.together.live().max(0).unsigned_abs();
        let (rounds, limit) = (self.own.rounds.count(), self.own.limit);
        if live <= limit || rounds < ROUNDS_TO_LIMIT || !self.is_of_the_work() {
            return Ok(());
        }
        self.check_partners()?;
        let net = Net { bytes: live as f64, blocks: f64::MAX };
        let sites = Sampled::new(Vec::new(), self.live(), rounds).sites(net);
        Err(PastLimit::error(rounds, live, limit, sites))
    }

    /// Returns true for threads that are not known to be busy.
    fn judges(&self, thread: u32) -> bool {
        let is_of = |owners: &Owners| owners.is_busy() && owners.threads.contains(&thread);
        !self.others.values().any(is_of)
    }
}

impl<T, W: FnMut() -> T> Judged for Paused<'_, W> {
    /// Runs one round and waits for as long as it took. Sets the rounds of all threads.
    fn run(&mut self) -> Result<(), LeakError> {
        let start = Instant::now();
        self.own.run()?;
        sample::unsampled(|| {
            let after = self.settle();
            thread::sleep(start.elapsed().min(MAX_PAUSE));
            self.note(&after, Snapshot::now());
            let mut together = mem::take(&mut self.together);
            together.set_sum(&self.own.rounds, |round| {
                let of_round = self.not_busy().map(|owners| owners.rounds[round]);
                of_round.fold((0, 0), |sum, one| (sum.0 + one.bytes, sum.1 + one.blocks))
            });
            self.together = together;
            self.check_limit()
        })
    }

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.together
    }

    /// Every block is sampled from the first round on, so that partners are noticed.
    fn sample_every_block(&mut self) {}

    fn live(&self) -> Vec<Sample> {
        live_since(self.began, |thread| self.judges(thread))
    }
}
