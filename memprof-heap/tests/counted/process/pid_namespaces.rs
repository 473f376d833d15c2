//! A parent and a child that are both process 1, each in a PID namespace of its own.
#![expect(unsafe_code, reason = "a child is created by a call of the system")]

use super::fork::status_of;
use super::set;
use crate::own_process::{role, run_under};
use memprof_heap::Level;
use memprof_test_support::{rounds, skip};
use std::process::{Command, id};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

/// Runs a program as process 1 of a new namespace, in which it has the rights of root.
const UNSHARE: [&str; 6] =
    ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"];

/// Creates a child in a namespace of its own, without the functions that run at a fork.
fn clone_into_namespace() -> libc::pid_t {
    let flags = libc::CLONE_NEWPID | libc::SIGCHLD;
    // SAFETY: without an address for its stack, the child has a copy of this thread's, as after a
    // fork. It only switches levels, which takes no lock of the system, and exits.
    unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t }
}

#[test]
fn a_child_with_its_parents_process_id_takes_over_its_locks() {
    if role().is_none() {
        let has_namespaces = Command::new(UNSHARE[0]).args(&UNSHARE[1..]).arg("true").output();
        if !has_namespaces.is_ok_and(|output| output.status.success()) {
            return skip("no PID namespaces for this user");
        }
        assert!(run_under(&UNSHARE, "process 1").success());
        return;
    }
    assert_eq!(id(), 1);
    set(Level::Counters);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                set(Level::Off);
                set(Level::Counters);
            }
        });
        let hangs = (0..rounds(50, 200)).find(|_| {
            let child = clone_into_namespace();
            if child == 0 {
                set(Level::Counters);
                // SAFETY: this only ends the child.
                unsafe { libc::_exit(i32::from(id() != 1)) };
            }
            assert!(child > 0, "the child is created");
            status_of(child) != Some(0)
        });
        done.store(true, Relaxed);
        assert_eq!(hangs, None, "a child waits for a lock of its parent");
    });
}
