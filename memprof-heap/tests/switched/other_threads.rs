//! `assert_no_leak!` for work that allocates on other threads, with and without busy neighbours. Each
//! test has a process of its own, because threads of other tests would be its neighbours.

use crate::no_leak::{Busy, clean, forget, leak, sites};
use crate::own_process::in_own_process;
use memprof_heap::leak::{LeakByRound, LeakError, check_no_leak, check_no_leak_within};
use memprof_test_support::rounds;
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

type Task = Box<dyn FnOnce() + Send>;

/// Threads that live longer than the work.
struct Pool(mpsc::Sender<Task>);

impl Pool {
    fn new(threads: usize) -> Self {
        let (tasks, receiver) = mpsc::channel::<Task>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let receiver = Arc::clone(&receiver);
            let next = move || receiver.lock().expect("no task panics").recv().ok();
            thread::spawn(move || {
                while let Some(task) = next() {
                    task();
                }
            });
        }
        Self(tasks)
    }

    /// Runs a task on a thread of the pool, and waits for it.
    fn run(&self, task: impl FnOnce() + Send + 'static) {
        let (done, wait) = mpsc::channel();
        let task = move || {
            task();
            done.send(()).expect("the caller waits");
        };
        self.0.send(Box::new(task)).expect("the pool runs");
        wait.recv().expect("the task runs");
    }
}

/// Work on another thread: allocates, and leaves 1,000 bytes behind if it leaks.
fn work(leaks: bool) {
    drop(black_box(vec![1_u8; 500]));
    if leaks {
        forget(1000);
    }
}

#[track_caller]
fn leaks_1000_bytes(leak: &LeakByRound) {
    assert!(leak.on_other_threads && (leak.bytes_per_round - 1000.0).abs() < 0.5, "{leak}");
    let is_forget = |(function, bytes): &(String, f64)| function == "forget" && *bytes < 1000.5;
    assert!(sites(leak).iter().all(is_forget), "{leak}");
}

/// Checks the call site too, on threads that free blocks of the work and so take samples at once.
#[track_caller]
fn leaks_in_forget(leak: &LeakByRound) {
    leaks_1000_bytes(leak);
    let [(_, bytes)] = &sites(leak)[..] else { panic!("{leak}") };
    assert!(*bytes > 500.0, "{leak}");
}

/// Judges a clean and a leaking work many times, and calls `check` with each leak.
fn judge(work: impl Fn(bool), check: impl Fn(&LeakByRound)) {
    in_own_process(|| {
        for _ in 0..rounds(5, 20) {
            clean(|| work(false));
            check(&leak(|| work(true)));
        }
    });
}

#[test]
fn a_started_thread_is_judged() {
    judge(|leaks| thread::spawn(move || work(leaks)).join().expect("no panic"), leaks_in_forget);
}

#[test]
fn threads_of_a_scope_are_judged() {
    judge(
        |leaks| {
            thread::scope(|scope| {
                // Moved, because the thread sanitizer does not detect how a scope waits.
                scope.spawn(move || work(leaks));
                scope.spawn(|| work(false));
            });
        },
        leaks_in_forget,
    );
}

#[test]
fn a_receiver_of_messages_is_judged() {
    let (sender, receiver) = mpsc::channel();
    let (done, wait) = mpsc::channel();
    let handle = move |(leaks, block): (bool, Vec<u8>)| {
        work(leaks);
        drop(block);
        done.send(()).is_ok()
    };
    thread::spawn(move || receiver.into_iter().all(handle));
    judge(
        |leaks| {
            sender.send((leaks, vec![1; 100])).expect("the thread receives");
            wait.recv().expect("the thread answers");
        },
        leaks_in_forget,
    );
}

#[test]
fn tasks_of_tokio_are_judged() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).build();
    let runtime = runtime.expect("a runtime");
    judge(
        |leaks| {
            runtime.block_on(async {
                tokio::spawn(async move { work(leaks) }).await.expect("no panic");
            });
        },
        leaks_1000_bytes,
    );
    judge(
        |leaks| runtime.block_on(runtime.spawn_blocking(move || work(leaks))).expect("no panic"),
        leaks_1000_bytes,
    );
}

#[test]
fn tasks_of_a_pool_are_judged() {
    let pool = Pool::new(3);
    judge(|leaks| pool.run(move || work(leaks)), leaks_in_forget);
}

#[test]
fn detached_threads_are_judged() {
    in_own_process(|| {
        clean(|| drop(thread::spawn(|| work(false))));
        let leak = leak(|| drop(thread::spawn(|| work(true))));
        // A thread may still run when its round ends.
        assert!((leak.bytes_per_round - 1000.0).abs() < 200.0, "{leak}");
    });
}

#[test]
fn blocks_of_another_thread_that_the_work_keeps_are_a_leak() {
    in_own_process(|| {
        let pool = Pool::new(1);
        let mut kept = Vec::with_capacity(10_000);
        let leak = leak(|| {
            let (sender, receiver) = mpsc::channel();
            pool.run(move || sender.send(black_box(vec![1_u8; 1000])).expect("the work receives"));
            kept.push(receiver.recv().expect("the pool sends"));
        });
        assert!((leak.bytes_per_round - 1000.0).abs() < 0.5, "{leak}");
    });
}

#[test]
fn a_map_that_doubles_on_other_threads_is_a_leak() {
    in_own_process(|| {
        let map = Arc::new(Mutex::new(HashMap::new()));
        let mut key = 0_u64;
        let leak = leak(|| {
            let map = Arc::clone(&map);
            key += 1;
            let insert = move || map.lock().expect("no panic").insert(key, key);
            thread::spawn(insert).join().expect("no panic")
        });
        assert!(leak.bytes_per_round > 10.0, "{leak}");
    });
}

#[test]
fn a_leak_that_begins_long_after_its_round_does_not_pass() {
    in_own_process(|| {
        let late = || {
            thread::sleep(Duration::from_millis(5));
            forget(1000);
        };
        let error = check_no_leak(10, || drop(thread::spawn(late))).expect_err("it leaks");
        assert!(matches!(error, LeakError::Leaks(_) | LeakError::CannotTell(_)), "{error}");
    });
}

#[test]
fn a_leak_on_another_thread_ends_at_the_memory_limit() {
    in_own_process(|| {
        let pool = Pool::new(1);
        let error = check_no_leak_within(10, 1 << 20, || pool.run(|| forget(100_000)));
        let Err(LeakError::PastLimit(leak)) = error else { panic!("{error:?}") };
        assert!((1 << 20..2 << 20).contains(&leak.net_bytes), "{leak}");
        assert!(leak.to_string().contains("::forget ("), "{leak}");
    });
}

#[test]
fn a_pool_is_judged_while_other_threads_are_busy() {
    in_own_process(|| {
        let _busy = Busy::start();
        let pool = Pool::new(2);
        clean(|| pool.run(|| work(false)));
        leaks_in_forget(&leak(|| pool.run(|| work(true))));
    });
}

/// Runs tasks of its own on the only thread of a pool until this is dropped.
struct Neighbour(mpsc::Sender<()>, thread::JoinHandle<()>);

impl Neighbour {
    fn of(pool: &Arc<Pool>) -> Self {
        let pool = Arc::clone(pool);
        let (ends, end) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            while end.try_recv() == Err(mpsc::TryRecvError::Empty) {
                pool.run(|| work(false));
                thread::sleep(Duration::from_micros(200));
            }
        });
        Self(ends, thread)
    }

    fn end(self) {
        drop(self.0);
        self.1.join().expect("no panic");
    }
}

#[test]
fn a_leak_on_a_thread_that_a_neighbour_keeps_busy_cannot_be_told() {
    in_own_process(|| {
        let pool = Arc::new(Pool::new(1));
        let neighbour = Neighbour::of(&pool);
        for leaks in [true, false] {
            let check = || check_no_leak(10, || pool.run(move || work(leaks))).expect_err("busy");
            let error = thread::scope(|scope| {
                let test = thread::Builder::new().name("tests::of_a_pool".to_owned());
                test.spawn_scoped(scope, check).expect("a thread").join().expect("no panic")
            });
            let LeakError::CannotTell(reason) = &error else { panic!("{error}") };
            assert_eq!(reason.busy_threads, 1, "{error}");
            let text = error.to_string();
            assert!(
                text.starts_with("cannot tell whether it leaks\nThe work passes memory"),
                "{text}"
            );
            let alone = "`cargo test tests::of_a_pool -- --exact --test-threads=1`.";
            assert!(text.ends_with(alone), "{text}");
        }
        neighbour.end();
        clean(|| pool.run(|| work(false)));
    });
}

#[test]
fn ten_neighbours_on_their_own_threads_keep_their_verdicts() {
    in_own_process(|| {
        thread::scope(|scope| {
            for number in 0..10_u32 {
                scope.spawn(move || {
                    for _ in 0..3 {
                        if number % 2 == 0 {
                            assert_eq!(clean(|| black_box(vec![1_u8; 1000])).net_bytes, 0);
                            continue;
                        }
                        let leak = leak(|| forget(100 * number as usize));
                        let bytes = (leak.bytes_per_round, leak.on_other_threads);
                        assert_eq!(bytes, (f64::from(100 * number), false), "{leak}");
                        assert_eq!(sites(&leak).len(), 1, "{leak}");
                    }
                });
            }
        });
    });
}

#[test]
fn a_check_within_a_thread_of_the_work_does_not_hang() {
    in_own_process(|| {
        let _busy = Busy::start();
        let inner = || drop(check_no_leak(5, || forget(10)));
        let error = check_no_leak(5, || thread::spawn(inner).join().expect("no panic"));
        assert!(error.is_err(), "{error:?}");
    });
}
