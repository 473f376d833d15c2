//! The sources of a session, each read for every snapshot.

use super::time::Deadline;
use super::user_code::{Outcome, Patience, Running, UserCode, forget_panic};
use core::panic::AssertUnwindSafe;
use memprof_profile::source::Source;
use memprof_profile::text::WithCauses;
use memprof_profile::tree::Device;
use memprof_recording::document::SourceReading;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

/// A registered source.
pub(crate) struct Registered {
    /// The name of the source at its last reading.
    name: String,
    source: Place,
}

/// The location of a source.
enum Place {
    Here(Box<dyn Source>),
    /// The source is on the thread that runs the program's code.
    Away {
        running: Running<Box<dyn Source>, SourceReading>,
        /// `true` if the snapshot that requested it has stopped waiting.
        is_late: bool,
    },
    /// The source was lost in a panic that could not be caught.
    Lost,
}

/// All sources, in the order in which they were registered.
#[derive(Default)]
pub(crate) struct Sources {
    sources: Vec<Registered>,
}

const UNNAMED: &str = "unnamed";

impl Sources {
    pub(crate) fn add(&mut self, source: Box<dyn Source>) {
        self.sources.push(Registered { name: UNNAMED.to_owned(), source: Place::Here(source) });
    }

    /// Removes all sources and returns them for the caller to drop.
    pub(crate) fn clear(&mut self) -> Vec<Registered> {
        core::mem::take(&mut self.sources)
    }

    /// Reads all sources. A source that takes longer than `max` is stuck.
    pub(crate) fn read(
        &mut self,
        held: &[(Device, u64)],
        max: Duration,
        deadline: Deadline,
        user_code: &mut UserCode,
    ) -> Vec<SourceReading> {
        let held: Arc<[_]> = held.into();
        for source in &mut self.sources {
            source.take_back();
            source.begin(&held, user_code);
        }
        let patience = Patience::new(max, deadline);
        self.sources.iter_mut().map(|source| source.end(patience, user_code)).collect()
    }
}

impl Registered {
    /// If a job of an earlier snapshot is done by now, takes the source back from it.
    ///
    /// The reading is dropped, because it is of an earlier moment.
    fn take_back(&mut self) {
        let Place::Away { running, is_late: true } = &self.source else { return };
        match UserCode::outcome(running) {
            Outcome::Done((source, reading)) => {
                self.name = reading.name;
                self.source = Place::Here(source);
            }
            Outcome::Gone => self.source = Place::Lost,
            Outcome::Stuck | Outcome::Late => {}
        }
    }

    fn begin(&mut self, held: &Arc<[(Device, u64)]>, user_code: &mut UserCode) {
        let mut source = match core::mem::replace(&mut self.source, Place::Lost) {
            Place::Here(source) => source,
            away_or_lost => {
                self.source = away_or_lost;
                return;
            }
        };
        let held = held.clone();
        let running = user_code.begin(move || {
            let reading = read(source.as_mut(), &held);
            (source, reading)
        });
        self.source = Place::Away { running, is_late: false };
    }

    fn end(&mut self, patience: Patience, user_code: &mut UserCode) -> SourceReading {
        const STUCK: &str = "it has not answered yet; a later snapshot reads it again";
        let Place::Away { running, is_late } = &mut self.source else {
            return self.unread("reading it panicked");
        };
        match user_code.wait_for(running, patience) {
            Outcome::Done((source, reading)) => {
                let was_late = *is_late;
                self.source = Place::Here(source);
                self.name.clone_from(&reading.name);
                if was_late { self.unread(STUCK) } else { reading }
            }
            Outcome::Gone => {
                self.source = Place::Lost;
                self.unread("reading it panicked")
            }
            Outcome::Stuck => {
                *is_late = true;
                self.unread(STUCK)
            }
            Outcome::Late => {
                *is_late = true;
                self.unread("the snapshot's time limit passed before it was read")
            }
        }
    }

    fn unread(&self, why: &str) -> SourceReading {
        unread(self.name.clone(), why.to_owned())
    }
}

fn unread(name: String, why: String) -> SourceReading {
    SourceReading { name, error: Some(why), profile: None, gauges: Vec::new() }
}

fn read(source: &mut dyn Source, held: &[(Device, u64)]) -> SourceReading {
    let name = catch_unwind(AssertUnwindSafe(|| source.name().to_owned()));
    let name = name.unwrap_or_else(|panic| {
        forget_panic(Err(panic));
        UNNAMED.to_owned()
    });
    let read = catch_unwind(AssertUnwindSafe(|| {
        source.set_attributed(held);
        (source.read(), source.gauges())
    }));
    let (reading, gauges) = match read {
        Ok((Ok(profile), gauges)) => (SourceReading::new(name, &profile), gauges),
        Ok((Err(error), gauges)) => (unread(name, WithCauses(&*error).to_string()), gauges),
        Err(panic) => {
            forget_panic(Err(panic));
            (unread(name, "reading it panicked".to_owned()), Vec::new())
        }
    };
    SourceReading { gauges: gauges.into_iter().map(Into::into).collect(), ..reading }
}
