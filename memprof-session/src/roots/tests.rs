//! Tests of roots that get too little time, that answer too late, that share a name, and that are
//! many.

use super::{Found, FoundRoots, GraphLeft, LISTED, Limits, Root, Roots, Wanted};
use crate::time::Deadline;
use crate::user_code::UserCode;
use memprof_profile::Profile;
use memprof_recording::document::RootState;
use memprof_test_support::wait_for;
use std::collections::HashSet;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn walk(roots: &mut Roots, root: Duration, all: Duration, user_code: &mut UserCode) -> Vec<Found> {
    walk_all(roots, root, all, user_code).into_listed()
}

fn walk_all(
    roots: &mut Roots,
    root: Duration,
    all: Duration,
    user_code: &mut UserCode,
) -> FoundRoots {
    let limits = Limits { walk: SECOND, root, all: Deadline::after(all), graph_left: None };
    roots.profile(0, &limits, Wanted::All, None, user_code)
}

#[test]
fn roots_without_time_are_not_reached_and_cost_no_threads() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    let (release, released) = channel::<()>();
    let threads = Arc::new(Mutex::new(HashSet::new()));
    roots.add(Root::new("waits", move |_| {
        let _ = released.recv();
    }));
    for number in 0..20 {
        let threads = threads.clone();
        roots.add(Root::new(&number.to_string(), move |_| {
            threads
                .lock()
                .expect("no thread panics while it holds the lock")
                .insert(thread::current().id());
        }));
    }
    for found in walk(&mut roots, SECOND, Duration::ZERO, &mut user_code) {
        assert_eq!(found.state, RootState::NotReached, "{}", found.name);
    }
    drop(release);
    for found in walk(&mut roots, 60 * SECOND, 600 * SECOND, &mut user_code) {
        assert_eq!(found.state, RootState::Profiled, "{}", found.name);
    }
    assert_eq!(threads.lock().expect("no thread panics while it holds the lock").len(), 1);
}

#[test]
fn a_root_that_is_cut_short_is_not_stuck_and_leaves_the_others_their_turn() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    let (release, released) = channel::<()>();
    roots.add(Root::new("slow", move |_| {
        let _ = released.recv();
    }));
    roots.add(Root::new("fine", |_| {}));
    // Each root's share, a third of the time, ends before the root's own time limit.
    let found = walk(&mut roots, 60 * SECOND, 3 * SECOND, &mut user_code);
    let states: Vec<_> = found.iter().map(|root| root.state).collect();
    assert_eq!(states, [RootState::NotReached, RootState::Profiled]);
    drop(release);
}

#[test]
fn a_snapshot_excludes_the_bytes_of_an_earlier_late_root() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    let (release, released) = channel::<()>();
    let mut calls = 0;
    roots.add(Root::new("late", move |walk| {
        calls += 1;
        walk.value(&vec![0_u8; calls * 1000]);
        let _ = released.recv();
    }));
    let few = Duration::from_millis(10);
    let [late] = &walk(&mut roots, few, 60 * SECOND, &mut user_code)[..] else {
        panic!("one root")
    };
    assert_eq!(late.state, RootState::Stuck);
    drop(release);
    let now = wait_for("the root is profiled", || {
        let found = walk(&mut roots, SECOND, 60 * SECOND, &mut user_code);
        found[0].profile.as_ref().map(Profile::total_bytes)
    });
    assert!(now >= 2000, "{now} bytes are those of the first call");
}

#[test]
fn the_roots_of_a_snapshot_share_a_limit_of_graphs() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    for (name, blocks) in [("first", 3), ("larger", 30), ("last", 2)] {
        let values = vec![vec![Arc::new(7); 2]; blocks];
        roots.add(Root::new(name, move |walk| walk.part("values", &values)));
    }
    let all = Deadline::after(60 * SECOND);
    let graph_left = Some(GraphLeft::new(24.into()));
    let limits = Limits { walk: SECOND, root: 60 * SECOND, all, graph_left };
    let mut found = |limits| {
        let found = roots.profile(0, &limits, Wanted::All, None, &mut user_code);
        let profiles = found.into_listed().into_iter().filter_map(|found| found.profile);
        let holders = |profile: Profile| {
            let held = profile.holders()?.first()?.clone();
            Some((held.dominator, held.handles.iter().map(|(_, count)| *count).sum::<u64>()))
        };
        profiles.map(holders).collect::<Vec<_>>()
    };
    let known = |root, handles| Some((Some(format!("{root};values")), handles));
    let limited = found(limits.clone());
    assert_eq!(limited, [known("first", 6), Some((None, 0)), known("last", 4)]);
    assert_eq!(found(Limits { graph_left: None, ..limits }), [None, None, None]);
}

#[test]
fn a_name_is_free_again_once_no_root_has_it() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    let mut names = |roots: &mut Roots| -> Vec<String> {
        let found = walk(roots, SECOND, 60 * SECOND, &mut user_code);
        found.into_iter().map(|root| root.name).collect()
    };
    let add = |roots: &mut Roots, times| {
        (0..times).for_each(|_| roots.add(Root::new("x", |_| {})));
    };
    add(&mut roots, 2);
    assert_eq!(names(&mut roots), ["x", "x (2)"]);
    assert!(roots.remove("x").is_some() && roots.remove("x").is_none());
    add(&mut roots, 2);
    assert_eq!(names(&mut roots), ["x (2)", "x (3)", "x (4)"]);
    for name in ["x (2)", "x (3)", "x (4)"] {
        assert!(roots.remove(name).is_some());
    }
    add(&mut roots, 1);
    assert_eq!(names(&mut roots), ["x"]);
}

#[test]
fn a_root_is_spared_for_less_time_at_a_peak() {
    const HELD_MS: u64 = 20;
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    roots.add(Root::new("x", |walk| {
        thread::sleep(Duration::from_millis(HELD_MS));
        walk.value(&vec![0_u8; 1000]);
    }));
    let mut state = |at_ns, wanted| {
        let all = Deadline::after(600 * SECOND);
        let limits = Limits { walk: SECOND, root: 60 * SECOND, all, graph_left: None };
        let found = roots.profile(at_ns, &limits, wanted, None, &mut user_code).into_listed();
        (found[0].state, found[0].held)
    };
    let (first, held) = state(0, Wanted::Rested);
    assert_eq!(first, RootState::Profiled);
    let (held_ns, spared) = (held.as_nanos() as u64, RootState::Spared);
    assert!(held_ns >= HELD_MS * 1_000_000);
    assert_eq!(state(9 * held_ns - 1, Wanted::RestedForPeak).0, spared);
    assert_eq!(state(99 * held_ns - 1, Wanted::Rested).0, spared);
    let (at_peak, held) = state(9 * held_ns, Wanted::RestedForPeak);
    assert_eq!(at_peak, RootState::Profiled);
    let rested_ns = 9 * held_ns + 99 * held.as_nanos() as u64;
    assert_eq!(state(rested_ns - 1, Wanted::Rested).0, spared);
    assert_eq!(state(rested_ns, Wanted::Rested).0, RootState::Profiled);
    assert_eq!(state(rested_ns, Wanted::All).0, RootState::Profiled);
}

#[test]
fn names_of_roots_are_unique() {
    let mut roots = Roots::default();
    for name in ["x (2)", "x", "x", "x (2)"] {
        roots.add(Root::new(name, |_| {}));
    }
    for name in ["x", "x (2)", "x (3)", "x (2) (2)"] {
        assert!(roots.remove(name).is_some(), "{name}");
    }
    assert!(roots.is_empty());
}

/// Ten times as many roots may take ten times as long. If each removal searched all roots, they
/// would take a hundred times as long. The times are processor times, so other programs do not
/// change them.
#[test]
fn adding_and_removing_a_root_takes_constant_time() {
    // 0 on systems that do not report it.
    let cpu_ns = || crate::threads::cpu_ns().unwrap_or(0);
    let took = |number: usize| {
        let began = cpu_ns();
        let mut roots = Roots::default();
        for number in 0..number {
            roots.add(Root::new(&format!("connection {}", number / 2), |_| {}));
        }
        for number in 0..number / 2 {
            assert!(roots.remove(&format!("connection {number}")).is_some());
            assert!(roots.remove(&format!("connection {number} (2)")).is_some());
        }
        assert!(roots.is_empty());
        cpu_ns() - began
    };
    let shortest = |number| (0..3).map(|_| took(number)).min().expect("there are three");
    let (few, many) = (shortest(1_000), shortest(10_000));
    assert!(many <= few * 40, "{few} ns for 1,000 roots, {many} ns for 10,000");
}

#[test]
fn the_largest_roots_are_listed_and_the_others_are_summed() {
    let (mut roots, mut user_code) = (Roots::default(), UserCode::new());
    let number = LISTED + 500;
    for index in 0..number {
        roots.add(Root::new(&index.to_string(), move |walk| walk.value(&vec![0_u8; index])));
    }
    let found = walk_all(&mut roots, 60 * SECOND, 600 * SECOND, &mut user_code);
    let vec_bytes = size_of::<Vec<u8>>();
    let bytes = |indexes: core::ops::Range<usize>| -> usize {
        indexes.map(|index| index + vec_bytes).sum()
    };
    assert_eq!(found.heap_bytes as usize, bytes(0..number) - number * vec_bytes);
    assert!(!found.has_inexact && !found.has_unseen && !found.has_missed);
    let names = found.names([3, LISTED], &roots);
    assert_eq!(names.len(), LISTED + 1);
    assert_eq!(names.get(&3).map(String::as_str), Some("3"));
    let (listed, unlisted) = found.into_readings();
    let names = listed.iter().map(|root| root.name.clone());
    assert!(names.eq((500..number).map(|index| index.to_string())));
    let unlisted = unlisted.expect("there are more roots");
    assert_eq!((unlisted.count, unlisted.total_bytes as usize), (500, bytes(0..500)));
    assert_eq!(unlisted.heap_bytes as usize, bytes(0..500) - 500 * vec_bytes);
    assert!(!unlisted.is_lower_bound);
}
