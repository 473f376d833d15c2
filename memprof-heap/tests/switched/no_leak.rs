//! `assert_no_leak!` for work whose blocks other threads free, and for work that replaces the entries
//! of a cache. Tests that start threads have a process of their own.

use crate::own_process::in_own_process;
use memprof_heap::leak::{LeakByRound, LeakError, NoLeak, check_no_leak, check_no_leak_within};
use std::collections::{HashMap, VecDeque};
use std::hint::black_box;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// The blocks that were left behind. Checkers for leaks find them here.
static LEFT: [AtomicPtr<u8>; 1 << 16] = [const { AtomicPtr::new(null_mut()) }; 1 << 16];

/// Leaves a block behind.
#[inline(never)]
pub(crate) fn forget(bytes: usize) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let block = black_box(vec![1_u8; bytes]).leak();
    // Without `black_box`, nothing would read the list, and the optimiser would remove it.
    let left = black_box(&LEFT);
    left[NEXT.fetch_add(1, Relaxed) % left.len()].store(block.as_mut_ptr(), Relaxed);
}

pub(crate) fn leak<T>(work: impl FnMut() -> T) -> LeakByRound {
    match check_no_leak(10, work) {
        Err(LeakError::Leaks(leak)) => *leak,
        Err(error) => panic!("{error}"),
        Ok(clean) => panic!("{clean:?}"),
    }
}

#[track_caller]
pub(crate) fn clean<T>(work: impl FnMut() -> T) -> NoLeak {
    check_no_leak(10, work).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the functions that leak, with the bytes of each round.
pub(crate) fn sites(leak: &LeakByRound) -> Vec<(String, f64)> {
    let name = |function: &str| {
        let parts: Vec<&str> = function.split("::").collect();
        parts.iter().rfind(|part| !part.starts_with('{')).unwrap_or(&"?").to_string()
    };
    let site = |site: &memprof_heap::leak::LeakSite| {
        let function = site.location.as_ref().and_then(|frame| frame.function.as_deref());
        (name(function.unwrap_or_default()), site.bytes_per_round)
    };
    leak.sites.iter().map(site).collect()
}

#[test]
fn clean_work_on_other_threads_passes() {
    in_own_process(|| {
        clean(|| thread::spawn(|| drop(black_box(vec![1_u8; 1000]))).join().expect("no panic"));
        clean(|| thread::spawn(|| vec![1_u8; 1000]).join().expect("no panic").len());
        clean(|| {
            thread::scope(|scope| {
                scope.spawn(|| drop(black_box(vec![1_u8; 1000])));
                scope.spawn(|| black_box(String::from("a")).len());
            });
        });
        // The thread may still run when the round ends.
        clean(|| drop(thread::spawn(|| drop(black_box(vec![1_u8; 1000])))));
    });
}

#[test]
fn blocks_freed_by_a_receiver_are_no_leak() {
    in_own_process(|| {
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        let thread = thread::spawn(move || receiver.iter().map(|block| block.len()).sum::<usize>());
        clean(|| sender.send(vec![1; 1000]).expect("the thread receives"));
        drop(sender);
        assert!(thread.join().expect("no panic") > 0);
    });
}

#[test]
fn blocks_kept_by_a_receiver_are_a_leak() {
    in_own_process(|| {
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        let thread = thread::spawn(move || {
            let mut kept = Vec::with_capacity(10_000);
            kept.extend(receiver);
            kept.len()
        });
        let leak = leak(|| sender.send(black_box(vec![1; 1000])).expect("the thread receives"));
        drop(sender);
        assert!(thread.join().expect("no panic") > 0);
        // The channel allocates a block for 31 messages.
        assert!((leak.bytes_per_round - 1000.0).abs() < 100.0, "{leak}");
        assert!((sites(&leak)[0].1 - 1000.0).abs() < 0.5, "{leak}");
    });
}

#[test]
fn blocks_freed_by_another_thread_are_no_memory_past_the_limit() {
    in_own_process(|| {
        let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(1);
        let thread = thread::spawn(move || receiver.iter().map(|block| block.len()).sum::<usize>());
        let send = || sender.send(vec![1; 10_000]).expect("the thread receives");
        let clean =
            check_no_leak_within(200, 100_000, send).unwrap_or_else(|error| panic!("{error}"));
        assert!(clean.rounds >= 200, "{clean:?}");
        drop(sender);
        assert!(thread.join().expect("no panic") > 0);
    });
}

#[test]
fn tasks_of_tokio_are_no_leak_where_they_are_spawned() {
    in_own_process(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(3).build().expect("a runtime");
        let task = |bytes: usize| async move { drop(black_box(vec![1_u8; bytes])) };
        clean(|| runtime.block_on(async { tokio::spawn(task(1000)).await.expect("no panic") }));
        let mut kept = Vec::with_capacity(10_000);
        let leak = leak(|| {
            runtime.block_on(async { tokio::spawn(task(1000)).await.expect("no panic") });
            kept.push(black_box(vec![1_u8; 1000]));
        });
        assert!(leak.sites[0].bytes_per_round >= 999.5, "{leak}");
    });
}

/// Threads that allocate and free at random until this is dropped, like those of other tests.
pub(crate) struct Busy(Arc<AtomicBool>, Vec<thread::JoinHandle<()>>);

impl Busy {
    pub(crate) fn start() -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let run = |seed: u64, ends: &AtomicBool| {
            let mut random = crate::random::Random::new(seed);
            let mut kept: Vec<Vec<u8>> = vec![Vec::new(); 100];
            while !ends.load(Relaxed) {
                let place = random.below(100) as usize;
                kept[place] = black_box(vec![0; random.below(20_000) as usize]);
                if random.below(50) == 0 {
                    thread::sleep(Duration::from_micros(random.below(2000)));
                }
            }
        };
        let threads = (0..3).map(|seed| {
            let ends = Arc::clone(&ends);
            thread::spawn(move || run(seed, &ends))
        });
        let threads = threads.collect();
        Self(ends, threads)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
        self.1.drain(..).for_each(|thread| thread.join().expect("no panic"));
    }
}

#[test]
fn work_on_one_thread_keeps_its_verdict_while_others_are_busy() {
    in_own_process(|| {
        let _busy = Busy::start();
        for bytes in 1..=10 {
            assert_eq!(clean(|| black_box(vec![1_u8; bytes])).net_bytes, 0);
            let leak = leak(|| forget(100 * bytes));
            assert_eq!(leak.bytes_per_round.to_string(), (100 * bytes).to_string(), "{leak}");
            assert_eq!(leak.sites.len(), 1, "{leak}");
        }
    });
}

/// A cache that replaces its oldest entry, full before the check begins.
fn ring(entries: usize, bytes: usize) -> impl FnMut() {
    let mut ring: VecDeque<Vec<u8>> = (0..entries).map(|_| vec![1; bytes]).collect();
    move || {
        ring.pop_front();
        ring.push_back(black_box(vec![1; bytes]));
    }
}

#[test]
fn a_ring_that_replaces_its_entries_is_not_listed() {
    in_own_process(|| {
        for entries in [20, 500, 2000] {
            for bytes in [60, 5000] {
                let mut replace = ring(entries, bytes);
                let leak = leak(|| {
                    replace();
                    forget(61);
                });
                assert_eq!(leak.bytes_per_round.to_string(), "61", "{leak}");
                assert_eq!(sites(&leak), [("forget".to_owned(), 61.0)], "{entries}: {leak}");
            }
        }
    });
}

#[test]
fn caches_with_entries_of_any_size_are_not_listed() {
    in_own_process(|| {
        let mut random = crate::random::Random::new(3);
        let mut entry = move || vec![1_u8; 50 + random.below(500) as usize];
        let mut cache: Vec<Vec<u8>> = (0..2000).map(|_| entry()).collect();
        let mut rings = [ring(500, 30), ring(2000, 30)];
        let mut slot = 0;
        let leak = leak(|| {
            slot += 7;
            cache[slot % 2000] = entry();
            for replace in &mut rings {
                replace();
            }
            forget(61);
        });
        let sum: f64 = leak.sites.iter().map(|site| site.bytes_per_round).sum();
        assert!(sum <= leak.bytes_per_round + 0.01, "{leak}");
        let [(function, _)] = &sites(&leak)[..] else { panic!("{leak}") };
        assert_eq!(function, "forget", "{leak}");
    });
}

#[test]
fn call_sites_add_up_to_the_growth_of_a_map_that_doubles() {
    in_own_process(|| {
        let mut map = HashMap::new();
        let mut key = 0_u64;
        let leak = leak(|| {
            key += 1;
            map.insert(key, key);
        });
        let sum: f64 = leak.sites.iter().map(|site| site.bytes_per_round).sum();
        assert!((sum - leak.bytes_per_round).abs() < 0.01, "{leak}");
    });
}
