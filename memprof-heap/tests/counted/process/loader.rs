//! Threads that allocate while the loader holds its lock.
#![expect(unsafe_code, reason = "libraries are loaded by calls of C")]

use super::{block, set};
use crate::own_process::{role, run_as};
use memprof_heap::{Level, totals};
use memprof_test_support::skip;
use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

/// The block that stays. Checkers for leaks find it here.
static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A library whose constructor starts a thread and waits until it ends. The thread calls the
/// function whose address is in the environment.
const PLUGIN: &str = r#"
#include <pthread.h>
#include <stdlib.h>

static void *work(void *host) {
    ((void (*)(void))host)();
    return 0;
}

__attribute__((constructor)) static void start(void) {
    pthread_t thread;
    void *host = (void *)strtoull(getenv("HOST"), 0, 10);
    if (pthread_create(&thread, 0, work, host) == 0) {
        pthread_join(thread, 0);
    }
}
"#;

/// The function of the program that a thread of the plugin calls.
extern "C" fn host() {
    for _ in 0..100 {
        drop(block(10_000));
    }
    *KEPT.lock().expect("no panic") = block(50_000_000);
}

/// Compiles the plugin. Returns `None` if the machine has no C compiler.
fn compile() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [source, library] = ["c", "so"].map(|ending| folder.join(format!("plugin.{ending}")));
    std::fs::write(&source, PLUGIN).expect("the folder can be written");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-pthread", "-o"]).arg(&library).arg(&source);
    let status = compiler.status().ok()?;
    assert!(status.success(), "the plugin can be compiled");
    Some(library)
}

#[test]
fn a_constructor_may_wait_for_a_thread_that_allocates() {
    let Some(role) = role() else {
        if compile().is_none() {
            return skip("no C compiler");
        }
        for role in ["counters", "sampled"] {
            assert!(run_as(role).success(), "{role}");
        }
        return;
    };
    set(if role == "sampled" { Level::Sampled } else { Level::Counters });
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("plugin.so");
    let path = CString::new(path.into_os_string().into_encoded_bytes()).expect("it has no zero");
    let host = format!("{}\0", host as extern "C" fn() as usize);
    // SAFETY: the strings end with a zero. No other thread reads the environment.
    unsafe { libc::setenv(c"HOST".as_ptr(), host.as_ptr().cast(), 1) };
    let before = totals().expect("it counts").live_bytes();
    // SAFETY: the path ends with a zero.
    let library: *mut c_void = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null(), "the plugin can be loaded");
    let after = totals().expect("it counts").live_bytes();
    assert!((50_000_000..51_000_000).contains(&(after - before)), "{}", after - before);
    if role == "sampled" {
        let sites = memprof_heap::__private::estimates();
        assert!(sites.live.value >= 50_000_000.0, "the block of the plugin's thread is sampled");
    }
}
