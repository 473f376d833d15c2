//! Observations of the driver: printed lines, and where and when functions ran.

use libc::c_int;
use memprof_test_support::unix as system;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Prints a line that the driver compares or waits for.
pub(crate) fn say(line: &str) {
    println!("{line}");
}

static HANDLED_BY: AtomicUsize = AtomicUsize::new(0);

extern "C" fn note_thread(_: c_int) {
    HANDLED_BY.store(thread_number(), SeqCst);
}

/// Installs a handler that stores the thread on which it runs.
pub(crate) fn handle(signal: c_int) {
    system::handle(signal, note_thread);
}

/// Installs the same handler so that a signal ends a waiting system call early.
pub(crate) fn handle_and_interrupt(signal: c_int) {
    system::handle_and_interrupt(signal, note_thread);
}

/// Returns the thread on which the handler ran last, or 0 if it did not run.
pub(crate) fn handled_by() -> usize {
    HANDLED_BY.load(SeqCst)
}

/// Returns a number that no other live thread has.
pub(crate) fn thread_number() -> usize {
    thread_local! {
        /// The variable has no destructor, so a signal handler may take its address.
        static OF_THREAD: u8 = const { 0 };
    }
    OF_THREAD.with(|place| ptr::from_ref(place).addr())
}

extern "C" fn say_at_exit() {
    say("the program's own function ran at exit");
}

/// Registers a function of the program to run at its exit.
pub(crate) fn on_exit() {
    system::on_exit(say_at_exit);
}
