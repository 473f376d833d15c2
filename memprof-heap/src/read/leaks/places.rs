//! Call sites by their place in the source. Names are looked up on demand, once.

use crate::read::frame::{Frame, Place, location, place};
use crate::read::names::Names;
use crate::read::symbols::Symbols;
use std::collections::{HashMap, HashSet};

/// The locations of call sites that were looked up. With all sites that the table of call sites can
/// have, they take 8 MiB.
#[derive(Default)]
pub(crate) struct Places {
    symbols: Symbols,
    located: HashMap<u32, (Place, Option<Frame>)>,
    /// For each call site, true if it grows the buffer of output that a test harness captures.
    captures: HashMap<u32, bool>,
}

impl Places {
    /// Returns places whose frames are named as `names` selects.
    pub(crate) fn new(names: Names) -> Self {
        Self { symbols: Symbols::new(names), ..Self::default() }
    }

    /// Returns the place of a call site, and the innermost frame that is the program's own.
    pub(crate) fn place(&mut self, site: u32) -> (Place, Option<Frame>) {
        if let Some(known) = self.located.get(&site) {
            return known.clone();
        }
        let frames = self.frames(site);
        let location = location(&frames);
        let location = (place(location, &frames), location.cloned());
        if matches!(location.0, Place::Unnamed(_)) {
            // Without names there is nothing to look up, and each stack may have its own place.
            return location;
        }
        // Don't keep an empty result: a stack may be half written while it is first sampled.
        if !frames.is_empty() {
            self.located.insert(site, location.clone());
        }
        location
    }

    /// Returns true if a call site grows the buffer in which the test harness captures printed
    /// output.
    pub(crate) fn captures_output(&mut self, site: u32) -> bool {
        if let Some(known) = self.captures.get(&site) {
            return *known;
        }
        let frames = self.frames(site);
        let captures = captures_output(&frames);
        if !frames.is_empty() {
            self.captures.insert(site, captures);
        }
        captures
    }

    /// Discards all call sites but these.
    pub(crate) fn keep_only(&mut self, sites: &HashSet<u32>) {
        self.located.retain(|site, _| sites.contains(site));
        self.captures.retain(|site, _| sites.contains(site));
        self.located.shrink_to_fit();
        self.captures.shrink_to_fit();
    }

    /// Frees the data that was read to look up names.
    pub(crate) fn release_cache(&mut self) {
        self.symbols.release_cache();
    }

    /// Returns the stack of a call site, from the frame of its place outwards.
    pub(crate) fn stack(&mut self, site: u32) -> Vec<Frame> {
        let mut frames = self.frames(site);
        let own = frames.iter().position(Frame::is_yours).unwrap_or_default();
        frames.split_off(own)
    }

    fn frames(&mut self, site: u32) -> Vec<Frame> {
        self.symbols.of_site(site)
    }
}

/// Returns true if an allocation with this stack grew the buffer of captured output. `frames`
/// begins with the innermost frame.
///
/// The result is true if `print!` or the panic hook is on the stack, and `std::io` allocates, not a
/// function of the program.
///
/// A `Display` implementation of the program may be between the two: `print!` calls this
/// implementation, which calls the writer.
fn captures_output(frames: &[Frame]) -> bool {
    let is_named = |frame: &Frame, names: &[&str]| {
        let function = frame.function.as_deref().unwrap_or_default();
        names.iter().any(|name| function.contains(name))
    };
    let inner = frames.iter().position(Frame::is_yours).unwrap_or(frames.len());
    let prints = ["std::io::stdio::", "std::panicking::default_hook"];
    frames[..inner].iter().any(|frame| is_named(frame, &["std::io::"]))
        && frames.iter().any(|frame| is_named(frame, &prints))
}

#[cfg(test)]
mod tests {
    use super::Places;
    use crate::record::stacks::OTHER;
    use std::collections::HashSet;

    #[test]
    fn call_sites_that_no_observation_has_are_forgotten() {
        let mut places = Places::default();
        assert!(places.place(OTHER).1.is_some());
        places.keep_only(&HashSet::from([OTHER]));
        assert_eq!(places.located.len(), 1);
        places.keep_only(&HashSet::new());
        assert_eq!((places.located.len(), places.located.capacity()), (0, 0));
    }
}
