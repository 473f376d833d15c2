//! Panics: an impl, a source and a panic hook that exits.

use super::{Host, Outcome};
use crate::observed::{on_exit, say};
use crate::{Frail, Part};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{panic, thread};

pub(super) fn frail_impl(host: &Host) -> Outcome {
    // The default hook would print the panic, which does not occur in the plain program.
    panic::set_hook(Box::new(|_| {}));
    let frail = Arc::new(Mutex::new(Frail::default()));
    let recorder = host.start(Some(Part::Frail(frail.clone())))?;
    host.work(600);
    for _ in 0..3 {
        recorder.checkpoint();
    }
    match frail.lock() {
        Ok(mut value) => value.0 += 1,
        Err(_) => say("the program's lock is poisoned"),
    }
    recorder.finish();
    say(&format!("changed {} times", frail.lock().map_or(0, |value| value.0)));
    Ok(())
}

pub(super) fn frail_source(host: &Host) -> Outcome {
    panic::set_hook(Box::new(|_| {}));
    let recorder = host.start(Some(Part::FrailSource))?;
    host.work(600);
    recorder.checkpoint();
    recorder.finish();
    Ok(())
}

/// Programs that abort on panics of any thread install such a hook.
pub(super) fn hook_that_exits(host: &Host) -> Outcome {
    on_exit();
    panic::set_hook(Box::new(|_| std::process::exit(7)));
    let frail = Arc::new(Mutex::new(Frail::default()));
    let _recorder = host.start(Some(Part::Frail(frail.clone())))?;
    host.work(600);
    // In the plain program, only the new thread measures the value and panics.
    let measured = thread::spawn(move || {
        thread::sleep(Duration::from_millis(500));
        memprof::total_bytes(&frail)
    });
    // In the recorded program, the profiler's thread may panic first.
    drop(measured.join());
    thread::sleep(Duration::from_secs(1));
    Ok(())
}
