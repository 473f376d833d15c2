//! Threads of the session block the program's signals. The test reads the masks from `/proc`.

use crate::beside;
use crate::child::run;
use crate::folder::Folder;
use crate::program::{end, often, say};
use memprof_test_support::unix::{SIGCHLD, SIGINT, SIGSEGV, SIGTERM, SIGUSR1, SIGXFSZ};
use memprof_test_support::wait_until;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Returns the names of the threads, and the signals that they block.
fn masks_of_threads() -> Vec<String> {
    let mut masks = Vec::new();
    for task in fs::read_dir("/proc/self/task").expect("the system has it") {
        let status = task.expect("it is there").path().join("status");
        let Ok(status) = fs::read_to_string(status) else { continue };
        let field = |name| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let (name, blocked) = (field("Name:").unwrap_or("?"), field("SigBlk:").unwrap_or("?"));
        masks.push(format!("{name} {blocked}"));
    }
    masks
}

/// Prints the session's threads on which a signal of the program may run.
pub(crate) fn masks(folder: &Path) {
    /// A new thread blocks all signals and has its creator's name, until it runs.
    const NEW: &str = " fffffffffffbfeff";
    let session = often(folder).start().expect("the folder can be written");
    session.root("root", Arc::new(1_u8));
    session.checkpoint("looked");
    let threads = ["memprof ", "memprof-roots ", "memprof-signals "];
    let named = |masks: &[String]| {
        let is_there = |name: &&str| masks.iter().any(|mask| mask.starts_with(*name));
        threads.iter().all(is_there) && !masks.iter().any(|mask| mask.ends_with(NEW))
    };
    let mut masks = masks_of_threads();
    wait_until("the session's threads have their masks", || {
        masks = masks_of_threads();
        named(&masks)
    });
    for mask in masks {
        say(&format!("mask {mask}"));
    }
    end(session);
}

#[test]
fn no_handler_of_the_program_runs_on_a_thread_of_the_session() {
    let _beside = beside();
    let ended = run("masks", &Folder::new());
    let masks: Vec<_> = ended.out.lines().filter_map(|line| line.strip_prefix("mask ")).collect();
    let ours: Vec<_> = masks.iter().filter(|mask| mask.starts_with("memprof")).collect();
    assert!(ours.len() >= 3, "{masks:?}");
    for mask in ours {
        let blocked = mask.rsplit(' ').next().and_then(|mask| u64::from_str_radix(mask, 16).ok());
        let blocked = blocked.expect("it is a number");
        for signal in [SIGINT, SIGTERM, SIGUSR1, SIGXFSZ, SIGCHLD] {
            assert_ne!(blocked & (1 << (signal - 1)), 0, "{mask} {signal}");
        }
        assert_eq!(blocked & (1 << (SIGSEGV - 1)), 0, "{mask}");
    }
}
