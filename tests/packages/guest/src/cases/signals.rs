//! Signals: blocked, waited for, handled, and those that end the program while a part is stuck.

use super::{Host, Outcome};
use crate::observed::{self, say};
use crate::parts::FOREVER;
use crate::{Part, Stuck};
use memprof_test_support::unix::{self as system, SIGINT, SIGTERM, SIGUSR2};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub(super) fn blocked(host: &Host) -> Outcome {
    observed::handle(SIGUSR2);
    let recorder = {
        let recorder = host.start(None)?;
        system::block(&[SIGUSR2]);
        recorder
    };
    host.work(600);
    system::send_to_self(SIGUSR2);
    thread::sleep(Duration::from_millis(200));
    say(&format!("handled while it is blocked: {}", observed::handled_by() != 0));
    say(&format!("pending: {}", system::is_pending(SIGUSR2)));
    system::unblock(&[SIGUSR2]);
    let own = observed::handled_by() == observed::thread_number();
    say(&format!("handled by the main thread: {own}"));
    recorder.finish();
    Ok(())
}

pub(super) fn waited(host: &Host) -> Outcome {
    system::block(&[SIGTERM, SIGINT]);
    let recorder = host.start(None)?;
    host.work(600);
    say("ready");
    say(&format!("waited for and got signal {}", system::wait_for_signal(&[SIGTERM, SIGINT])));
    recorder.finish();
    Ok(())
}

pub(super) fn handled(host: &Host) -> Outcome {
    observed::handle(SIGTERM);
    let recorder = host.start(None)?;
    host.work(600);
    say("ready");
    while observed::handled_by() == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    say("the program's handler ran");
    recorder.finish();
    Ok(())
}

/// Runs a service that ends its loop when a system call is interrupted.
pub(super) fn interrupted_call(host: &Host) -> Outcome {
    observed::handle_and_interrupt(SIGTERM);
    let recorder = host.start(None)?;
    host.work(600);
    say("ready");
    say(&format!("the call was interrupted: {}", system::read_until_interrupted()));
    recorder.finish();
    Ok(())
}

/// Runs as the first process of a container, which ignores signals that it does not handle.
pub(super) fn first_process(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    for _ in 0..2 {
        system::send_to_self(SIGTERM);
        thread::sleep(Duration::from_millis(300));
        host.work(600);
        recorder.checkpoint();
    }
    recorder.finish();
    Ok(())
}

pub(super) fn default_after(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    say(&format!(
        "default actions: {} {}",
        system::is_default(SIGTERM),
        system::is_default(SIGINT)
    ));
    say("ready");
    thread::sleep(FOREVER);
    Ok(())
}

pub(super) fn terminated(host: &Host) -> Outcome {
    let _recorder = host.start(None)?;
    host.work(600);
    say("ready");
    thread::sleep(FOREVER);
    Ok(())
}

pub(super) fn terminated_stuck_root(host: &Host) -> Outcome {
    let _recorder = host.start(Some(Part::Stuck(Arc::new(Stuck))))?;
    host.work(600);
    say("ready");
    thread::sleep(FOREVER);
    Ok(())
}

pub(super) fn terminated_stuck_source(host: &Host) -> Outcome {
    let _recorder = host.start(Some(Part::StuckSource))?;
    host.work(600);
    say("ready");
    thread::sleep(FOREVER);
    Ok(())
}

pub(super) fn finish_stuck_root(host: &Host) -> Outcome {
    let recorder = host.start(Some(Part::Stuck(Arc::new(Stuck))))?;
    host.work(600);
    recorder.checkpoint();
    recorder.finish();
    Ok(())
}
