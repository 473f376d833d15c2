//! The names of addresses of this process, from the files of its modules, in bounded memory.
//!
//! Only the parts of the files that describe the addresses are read, at most 256 KiB at a time.

mod elf;
mod pages;
mod unit_frames;
mod units;

use crate::document::{Module, Place, Summary};
use crate::symbols::apply::{Named, apply, unnamed};
use crate::symbols::complete::{Frame, complete};
use elf::ModuleFile;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use units::Units;

/// The time limit of one look-up. Addresses that are not found by then have no names, or only the
/// names of their functions.
const LONGEST: Duration = Duration::from_secs(1);
/// The time limit of all look-ups together. After that, only the tables of symbols are read.
const ALL: Duration = Duration::from_secs(20);

/// Names that were found for the summaries of a session.
#[derive(Debug, Default)]
pub(crate) struct BoundedNames {
    /// The frames of each address of the last summary; empty if they were not found.
    known: Named,
    /// The time that look-ups took.
    took: Duration,
}

impl BoundedNames {
    /// Names the addresses of a summary, and joins the call sites of one place. At most `most`
    /// entries of each joined list are kept.
    pub(crate) fn resolve(&mut self, summary: &mut Summary, most: usize) {
        let unnamed = unnamed(summary);
        self.known.retain(|address, _| unnamed.contains(address));
        // All frames of suspects are printed, so look them up first.
        let leaks = summary.leaks.iter().flat_map(|leak| &leak.stack);
        let mut wanted: Vec<u64> = leaks.filter_map(|place| place.address).collect();
        wanted.extend(&unnamed);
        let mut seen = BTreeSet::new();
        wanted.retain(|address| {
            unnamed.contains(address) && !self.known.contains_key(address) && seen.insert(*address)
        });
        let began = Instant::now();
        let deadlines = Deadlines {
            symbols: began + LONGEST,
            lines: began + LONGEST.min(ALL.saturating_sub(self.took)),
        };
        let mut is_late = false;
        for module in &summary.modules {
            self.known.extend(look_up(module, &wanted, deadlines, &mut is_late));
        }
        self.took += began.elapsed();
        apply(summary, &self.known, most);
        if is_late && self.took < ALL {
            // Forget addresses without a file, so that the next summary looks them up again.
            self.known.retain(|_, frames| frames.iter().any(|frame| frame.file.is_some()));
        }
    }
}

/// The time after which no table of symbols is read, and the time after which no debug information
/// is read.
#[derive(Clone, Copy)]
struct Deadlines {
    symbols: Instant,
    lines: Instant,
}

/// Looks up the addresses that are in a module. The first addresses matter most.
fn look_up(module: &Module, addresses: &[u64], deadlines: Deadlines, is_late: &mut bool) -> Named {
    let is_inside =
        |address: &u64| module.ranges.iter().any(|[start, end]| (*start..*end).contains(address));
    // The address of a frame is the return address; the byte before it belongs to the call.
    let at = |address: u64| address.wrapping_sub(module.load_bias).wrapping_sub(1);
    let wanted: Vec<u64> = addresses.iter().copied().filter(is_inside).collect();
    if wanted.is_empty() {
        return Named::new();
    }
    let Some(file) = ModuleFile::open(module, deadlines.symbols) else {
        return wanted.into_iter().map(|address| (address, Vec::new())).collect();
    };
    let in_file: Vec<u64> = wanted.iter().copied().map(at).collect();
    let mut frames = frames(&file, &in_file, deadlines.lines);
    *is_late |= file.pages().is_late();
    let mut named = Named::new();
    for address in wanted {
        let frames = frames.remove(&at(address)).unwrap_or_default();
        let place = |(function, file, line)| Place { function, file, line, address: Some(address) };
        named.insert(address, frames.into_iter().map(place).collect());
    }
    named
}

/// Returns the frames at addresses of a file, the innermost first.
fn frames(file: &ModuleFile, addresses: &[u64], deadline: Instant) -> BTreeMap<u64, Vec<Frame>> {
    let mut sorted = addresses.to_vec();
    sorted.sort_unstable();
    let mut symbols = file.symbols(&sorted);
    file.pages().set_deadline(deadline);
    let mut found = BTreeMap::new();
    if let Ok(units) = Units::of(file) {
        let mut by_unit: Vec<_> = units.containing(&sorted).into_iter().collect();
        by_unit.sort_by_cached_key(|(_, inside)| {
            addresses.iter().position(|address| inside.contains(address))
        });
        for (unit, inside) in by_unit {
            found.extend(unit_frames::unit_frames(&units, unit, &inside).unwrap_or_default());
            if file.pages().is_late() {
                break;
            }
        }
    }
    for address in sorted {
        complete(found.entry(address).or_default(), symbols.remove(&address));
    }
    found
}

/// Returns a function's name without mangling.
fn demangled(name: &str) -> String {
    match rustc_demangle::try_demangle(name) {
        Ok(name) => format!("{name:#}"),
        Err(_) => name.to_owned(),
    }
}

#[cfg(all(test, feature = "symbols"))]
mod tests;
