//! Settings of two parties: the program, and a recorder that runs in it. Each has its own callbacks
//! and switches.

use crate::base::callback::Callback;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The party whose callback or switch is set.
#[derive(Clone, Copy)]
pub(crate) enum Party {
    /// The program, by the functions of [`hooks`](crate::hooks), [`event`](crate::event) and
    /// [`operation`](mod@crate::operation).
    Program,
    /// The recorder, by the functions of [`recorder`](crate::recorder).
    Recorder,
}

/// One value for each party.
pub(crate) struct Parties<T> {
    pub(crate) program: T,
    pub(crate) recorder: T,
}

impl<T> Parties<T> {
    pub(crate) fn of(&self, party: Party) -> &T {
        match party {
            Party::Program => &self.program,
            Party::Recorder => &self.recorder,
        }
    }
}

impl<A: Copy> Parties<Callback<A>> {
    pub(crate) const fn none() -> Self {
        Self { program: Callback::none(), recorder: Callback::none() }
    }

    /// Calls the functions of both parties. The recorder's function runs first, because the
    /// program's function may not return.
    pub(crate) fn call(&self, argument: A) {
        self.recorder.call(argument);
        self.program.call(argument);
    }
}

/// A switch that is on while at least one party has it on.
pub(crate) struct Switch(AtomicU8);

impl Switch {
    pub(crate) const fn off() -> Self {
        Self(AtomicU8::new(0))
    }

    pub(crate) fn set(&self, party: Party, on: bool) {
        let bit = 1 << party as u8;
        if on {
            self.0.fetch_or(bit, Relaxed)
        } else {
            self.0.fetch_and(!bit, Relaxed)
        };
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Relaxed) != 0
    }
}
