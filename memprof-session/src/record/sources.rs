//! The sources of a session, each read for every snapshot.

use super::deadline::Deadline;
use super::user_code::{Outcome, Running, UserCode, forget_panic};
use crate::document::SourceReading;
use core::panic::AssertUnwindSafe;
use memprof_core::{Device, Source};
use std::error::Error;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

/// A source that was registered.
pub(crate) struct Registered {
    /// As it was last read.
    name: String,
    source: Place,
}

/// Where a source is.
enum Place {
    Here(Box<dyn Source>),
    /// The thread for the program's code has it.
    Away {
        running: Running<(Box<dyn Source>, SourceReading)>,
        /// The thread was given up for it.
        is_stuck: bool,
    },
    /// It is lost with a panic that could not be caught.
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

    /// Takes all of them away, for the caller to drop.
    pub(crate) fn clear(&mut self) -> Vec<Registered> {
        core::mem::take(&mut self.sources)
    }

    /// Reads all of them. One that takes longer than `most` is stuck.
    pub(crate) fn read(
        &mut self,
        held: &[(Device, u64)],
        most: Duration,
        deadline: Deadline,
        user_code: &mut UserCode,
    ) -> Vec<SourceReading> {
        let held: Arc<[_]> = held.into();
        for source in &mut self.sources {
            source.begin(&held, user_code);
        }
        self.sources.iter_mut().map(|source| source.end(most, deadline, user_code)).collect()
    }
}

impl Registered {
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
        self.source = Place::Away { running, is_stuck: false };
    }

    fn end(
        &mut self,
        most: Duration,
        deadline: Deadline,
        user_code: &mut UserCode,
    ) -> SourceReading {
        let Place::Away { running, is_stuck } = &mut self.source else {
            return self.unread("reading it panicked");
        };
        // A stuck source is not waited for a second time.
        let most = if *is_stuck { Duration::ZERO } else { most };
        let has_all = deadline.left() >= most;
        match user_code.wait(running, deadline.within(most)) {
            Outcome::Done((source, reading)) => {
                self.source = Place::Here(source);
                self.name.clone_from(&reading.name);
                reading
            }
            Outcome::Gone => {
                self.source = Place::Lost;
                self.unread("reading it panicked")
            }
            Outcome::Late if *is_stuck || has_all => {
                if !core::mem::replace(is_stuck, true) {
                    user_code.give_up();
                }
                self.unread("it has not answered yet; it is read again once it has")
            }
            Outcome::Late => self.unread("the time of the snapshot was over before its turn"),
        }
    }

    fn unread(&self, why: &str) -> SourceReading {
        SourceReading {
            name: self.name.clone(),
            error: Some(why.to_owned()),
            profile: None,
            gauges: Vec::new(),
        }
    }
}

fn read(source: &mut dyn Source, held: &[(Device, u64)]) -> SourceReading {
    let name = catch_unwind(AssertUnwindSafe(|| source.name().to_owned()));
    let name = name.unwrap_or_else(|panic| {
        forget_panic(Err(panic));
        UNNAMED.to_owned()
    });
    let read = catch_unwind(AssertUnwindSafe(|| {
        source.beside_roots(held);
        (source.read(), source.gauges())
    }));
    let (profile, error, gauges) = match read {
        Ok((Ok(profile), gauges)) => (super::recorder::json(&profile), None, gauges),
        Ok((Err(error), gauges)) => (None, Some(with_causes(&*error)), gauges),
        Err(panic) => {
            forget_panic(Err(panic));
            (None, Some("reading it panicked".to_owned()), Vec::new())
        }
    };
    SourceReading { name, error, profile, gauges: gauges.into_iter().map(Into::into).collect() }
}

/// An error with what caused it, which alone tells two failures of one driver apart.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    /// More are no help; an error may be its own cause.
    const MOST: usize = 8;
    let mut said = error.to_string();
    let mut cause = error.source();
    for _ in 1..MOST {
        let Some(error) = cause else { break };
        said.push_str(": ");
        said.push_str(&error.to_string());
        cause = error.source();
    }
    said
}
