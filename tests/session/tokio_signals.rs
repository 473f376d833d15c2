//! A session together with tokio's own Ctrl-C: tokio decides how the program ends, not the session.

use crate::beside;
use crate::child::Child;
use crate::folder::Folder;
use crate::program::{Work, end, often, say, seldom};
use memprof::Session;
use memprof::session::document::Ended;
use memprof_test_support::unix::{self as system, SIGINT};
use std::future::{Future, poll_fn};
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::Poll;
use tokio::runtime::Runtime;

fn runtime() -> Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().expect("the system has threads")
}

type CtrlC = Pin<Box<dyn Future<Output = io::Result<()>>>>;

/// Installs tokio's handler, which happens at the first poll of the future.
async fn ctrl_c() -> CtrlC {
    let mut ctrl_c: CtrlC = Box::pin(tokio::signal::ctrl_c());
    let came = poll_fn(|context| Poll::Ready(ctrl_c.as_mut().poll(context).is_ready())).await;
    assert!(!came, "nobody has pressed it yet");
    ctrl_c
}

/// Works until Ctrl-C comes, and then takes some time to end.
async fn until(ctrl_c: CtrlC, session: Session) {
    Work::begin(&session);
    say("ready");
    ctrl_c.await.expect("tokio has a handler");
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    end(session);
    std::process::exit(5);
}

pub(crate) fn before(folder: &Path) {
    runtime().block_on(async {
        let ctrl_c = ctrl_c().await;
        until(ctrl_c, often(folder).start().expect("the folder can be written")).await;
    });
}

pub(crate) fn after(folder: &Path) {
    let session = often(folder).start().expect("the folder can be written");
    runtime().block_on(async { until(ctrl_c().await, session).await });
}

/// Installs tokio's handler between two sessions. Tokio's handler calls the earlier handler, which
/// is the first session's. The second session's handler calls tokio's.
pub(crate) fn between(folder: &Path) {
    let first = seldom(&folder.join("first")).start().expect("the folder can be written");
    runtime().block_on(async {
        let ctrl_c = ctrl_c().await;
        end(first);
        until(ctrl_c, often(folder).start().expect("the folder can be written")).await;
    });
}

#[test]
fn a_session_does_not_end_a_program_whose_runtime_handles_ctrl_c() {
    let _beside = beside();
    for role in ["tokio before", "tokio after", "tokio between"] {
        let folder = Folder::new();
        let child = Child::ready(role, &folder);
        system::send(child.id(), SIGINT);
        let ended = child.end();
        assert_eq!(ended.status.code(), Some(5), "{role}: {} {}", ended.status, ended.error);
        assert_eq!(ended.warnings, [""; 0], "{role}");
        let recording = folder.recording();
        assert_eq!(recording.metadata.ended, Ended::Finished, "{role}");
        assert!(recording.snapshot("SIGINT").is_some(), "{role}: the session saw it too");
    }
}
