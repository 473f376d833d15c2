//! Tasks of a runtime whose threads steal them from each other.

use super::{block, find, flow};
use memprof_heap::operation::{OperationSite, TrackFuture};
use std::collections::HashSet;
use std::future::poll_fn;
use std::task::Poll;
use std::thread::{self, ThreadId};
use std::time::Duration;

const TASKS: u64 = 200;
const ROUNDS: u64 = 50;

/// Lets another task run. Unlike the runtime's own function, it does not allocate.
async fn pause() {
    let mut polled = false;
    poll_fn(|context| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Works, and returns the threads on which it ran.
async fn work() -> [Option<ThreadId>; ROUNDS as usize] {
    let mut threads = [None; ROUNDS as usize];
    for (round, id) in threads.iter_mut().enumerate() {
        let held = block(1000);
        *id = Some(thread::current().id());
        if round == 0 {
            // While this thread sleeps, other threads take its tasks.
            thread::sleep(Duration::from_millis(1));
        }
        pause().await;
        drop(held);
    }
    threads
}

#[test]
fn tasks_that_are_stolen_add_up() {
    static TASK: OperationSite = OperationSite::new("task", file!(), line!());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build();
    let runtime = runtime.expect("the system has threads");
    let tasks: Vec<_> = (0..TASKS).map(|_| runtime.spawn(work().track(&TASK))).collect();
    let mut moved = 0;
    for task in tasks {
        let threads = runtime.block_on(task).expect("it does not panic");
        moved += u32::from(threads.iter().collect::<HashSet<_>>().len() > 1);
    }
    drop(runtime);
    assert!(moved > 0, "none was stolen");
    let task = find("task");
    assert_eq!(task.calls, TASKS);
    let [bytes, blocks] = [TASKS * ROUNDS * 1000, TASKS * ROUNDS];
    assert_eq!((flow(&task), task.peak), ([bytes, blocks, bytes, blocks], 1000));
}
