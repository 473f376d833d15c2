//! Names of threads in the files. The files have the names of the threads whose calls they have.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::operation;
use memprof::session::Recording;
use std::thread::Builder;

/// Returns the label of each thread that ended a call.
fn labels(recording: &Recording) -> Vec<String> {
    recording.operation_events.iter().map(|event| recording.thread_label(event.thread)).collect()
}

#[test]
fn each_session_has_the_names_of_threads_that_run_and_of_threads_that_ended() {
    let _alone = alone();
    for _ in 0..2 {
        let folder = Folder::new();
        let session = seldom(folder.path()).start().expect("the folder can be written");
        for name in ["worker-1", "\u{1b}[31m\"\n</b>"] {
            let thread = Builder::new().name(name.to_owned());
            let thread = thread.spawn(|| drop(operation!("in_thread"))).expect("it starts");
            thread.join().expect("it ends");
        }
        // This thread was named before the first session, and runs in both.
        drop(operation!("in_thread"));
        end(session);
        let labels = labels(&folder.recording());
        // The calls of threads are in no order.
        for name in ["worker-1 (thread ", "\u{1b}[31m\"\n</b> (thread "] {
            assert!(labels.iter().any(|label| label.starts_with(name)), "{labels:?}");
        }
        let is_named = |label: &String| !label.starts_with("thread ");
        assert!(labels.len() == 3 && labels.iter().all(is_named), "{labels:?}");
    }
}
