//! A service publishes events to subscribers that leave without reading them.
//!
//! crossbeam-channel 0.5.0 keeps the unread messages of a channel without receivers:
//! crossbeam-rs/crossbeam#669.

use crossbeam_channel::{Sender, unbounded};
use std::error::Error;
use std::path::PathBuf;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let subscribers: Vec<_> = (0..100).map(|_| unbounded()).collect();
    for (subscriber, _) in &subscribers {
        (0..1_000).for_each(|number| publish(subscriber, number));
    }
    let senders: Vec<_> = subscribers.into_iter().map(|(sender, _)| sender).collect();
    session.checkpoint("held");
    drop(senders);
    println!("{}", session.finish()?);
    Ok(())
}

fn publish(subscriber: &Sender<[u64; 16]>, number: u64) {
    let _ = subscriber.send([number; 16]); // the bloat
}
