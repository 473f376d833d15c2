//! Call sites by their place in the source: names are looked up when they are asked for, once.

use crate::frames::{Frame, Symbols};
use crate::sampling::frames_of;
use crate::sites;
use std::collections::HashMap;

/// What is known of call sites; at most as large as their table.
#[derive(Default)]
pub(crate) struct Places {
    symbols: Symbols,
    located: HashMap<u32, Option<Frame>>,
}

impl Places {
    /// The innermost frame of a call site that is the program's own.
    pub(crate) fn location(&mut self, site: u32) -> Option<Frame> {
        if let Some(known) = self.located.get(&site) {
            return known.clone();
        }
        let frames = self.frames(site);
        let location = sites::location(&frames).cloned();
        // A stack may be half written while it is first sampled.
        if !frames.is_empty() {
            self.located.insert(site, location.clone());
        }
        location
    }

    /// Gives back what looking up names has read.
    pub(crate) fn put_away(&mut self) {
        self.symbols.put_away();
    }

    /// The stack of a call site, from the frame that it is known by outwards.
    pub(crate) fn stack(&mut self, site: u32) -> Vec<Frame> {
        let mut frames = self.frames(site);
        let own = frames.iter().position(Frame::is_yours).unwrap_or_default();
        frames.split_off(own)
    }

    fn frames(&mut self, site: u32) -> Vec<Frame> {
        self.symbols.frames(&frames_of(site))
    }
}

/// What makes two frames one place: the address differs between copies of a function, the place
/// in the source doesn't.
pub(crate) type Place = (Option<std::sync::Arc<str>>, Option<std::sync::Arc<str>>, Option<u32>);

pub(crate) fn place(frame: &Frame) -> Place {
    (frame.function.clone(), frame.file.clone(), frame.line)
}
