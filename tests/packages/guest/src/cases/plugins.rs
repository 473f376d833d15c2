//! A library that the program loads and that has its own profiler.

use super::{Host, Outcome};
use crate::observed::say;
use memprof_test_support::unix as system;
use std::env;
use std::thread;

pub(super) fn second_copy(host: &Host) -> Outcome {
    let library = env::var_os("GUEST_PLUGIN").ok_or("expected a library in GUEST_PLUGIN")?;
    let recorder = host.start(None)?;
    let held = vec![1_u8; 10 << 20];
    host.work(600);
    recorder.checkpoint();
    // The thread ends after the library was unloaded, and the library counted for the thread.
    let counts = thread::spawn(move || system::call(&library, c"guest_plugin_counts"));
    let bytes = counts.join().map_err(|_| "the library panicked")?;
    say(&format!("the library counts {bytes} bytes"));
    recorder.checkpoint();
    host.work(600);
    recorder.checkpoint();
    drop(held);
    recorder.finish();
    Ok(())
}
