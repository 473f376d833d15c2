//! The sources of a session, each read for every snapshot.

use super::time::Deadline;
use super::user_code::{Answer, Lent, Patience, UserCode, forget_panic};
use core::panic::AssertUnwindSafe;
use memprof_profile::source::Source;
use memprof_profile::text::WithCauses;
use memprof_profile::tree::Device;
use memprof_recording::document::SourceReading;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Registered {
    /// The name of the source at its last reading.
    name: String,
    source: Lent<Box<dyn Source>, SourceReading>,
}

#[derive(Default)]
pub(crate) struct Sources {
    sources: Vec<Registered>,
}

const UNNAMED: &str = "unnamed";

impl Sources {
    pub(crate) fn add(&mut self, source: Box<dyn Source>) {
        self.sources.push(Registered { name: UNNAMED.to_owned(), source: Lent::Here(source) });
    }

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
            // A reading of an earlier moment is dropped.
            if let Some(reading) = source.source.take_back() {
                source.name = reading.name;
            }
            let held = held.clone();
            source.source.begin(user_code, move |source| read(source.as_mut(), &held));
        }
        let patience = Patience::new(max, deadline);
        self.sources.iter_mut().map(|source| source.end(patience, user_code)).collect()
    }
}

impl Registered {
    fn end(&mut self, patience: Patience, user_code: &mut UserCode) -> SourceReading {
        const STUCK: &str = "not read yet; a later snapshot tries again";
        match self.source.end(patience, user_code) {
            Answer::Done(reading) => {
                self.name.clone_from(&reading.name);
                reading
            }
            Answer::Earlier(reading) => {
                self.name = reading.name;
                self.unread(STUCK)
            }
            Answer::Lost => self.unread("panicked while it was read"),
            Answer::Stuck => self.unread(STUCK),
            Answer::Late => self.unread("not read: the snapshot reached its time limit"),
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
            (unread(name, "panicked while it was read".to_owned()), Vec::new())
        }
    };
    SourceReading { gauges: gauges.into_iter().map(Into::into).collect(), ..reading }
}
