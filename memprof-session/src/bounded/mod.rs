//! The names of addresses of this process, from the files of its modules, in bounded memory.
//!
//! Only the parts of the files that describe the addresses are read, at most 256 KiB at a time.

mod elf;
mod pages;
mod queue;
mod unit_frames;
mod units;

use elf::ModuleFile;
use memprof_recording::document::{Metadata, Module, Place, StackTable, Summary};
use memprof_recording::symbols::apply::{Named, apply, unnamed};
use memprof_recording::symbols::complete::{Frame, complete};
use memprof_recording::symbols::stacks;
use queue::Waiting;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use units::Units;

/// The time limit of one look-up. Addresses that are not found by then have no names, or only the
/// names of their functions.
const LONGEST: Duration = Duration::from_secs(1);
/// The time limit for the sum of all look-ups. After that, only the tables of symbols are read.
const ALL: Duration = Duration::from_secs(20);

/// Names that were found for the summaries of a session.
#[derive(Debug)]
pub(crate) struct BoundedNames {
    /// The frames of each address of the last summary; empty if they were not found.
    known: Named,
    /// The known addresses with a part that was not done in time. The next look-up continues.
    late: BTreeSet<u64>,
    /// The longest attempts at the parts that were not done in time, by the path of the module.
    tried: BTreeMap<String, Tried>,
    /// The time that look-ups took.
    took: Duration,
    /// The clock.
    now: fn() -> Instant,
}

/// The time limits that attempts at parts exceeded.
type Tried = BTreeMap<Part, Duration>;

impl Default for BoundedNames {
    fn default() -> Self {
        Self::new(Instant::now)
    }
}

/// A part of the look-up in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The tables of symbols.
    Symbols,
    /// The search for the units that contain the addresses.
    Ranges,
    /// The unit at this offset.
    Unit(u64),
}

/// The times after which tables of symbols and debug information are not read any more.
#[derive(Clone, Copy)]
struct Deadlines {
    symbols: Instant,
    /// `None` if the sum of all look-ups took too long.
    lines: Option<Instant>,
}

impl BoundedNames {
    fn new(now: fn() -> Instant) -> Self {
        let (known, late, tried) = (Named::new(), BTreeSet::new(), BTreeMap::new());
        Self { known, late, tried, took: Duration::ZERO, now }
    }

    /// Names the addresses of a summary, and joins the call sites of one place. At most `max`
    /// entries of each joined list are kept.
    pub(crate) fn resolve(&mut self, summary: &mut Summary, max: usize) {
        let unnamed = unnamed(summary);
        self.known.retain(|address, _| unnamed.contains(address));
        self.late.retain(|address| unnamed.contains(address));
        // Of suspects, all frames are printed.
        let leaks =
            summary.leaks.iter().chain(&summary.doubtful_leaks).flat_map(|leak| &leak.stack);
        let mut wanted: Vec<u64> = leaks.filter_map(|place| place.address).collect();
        wanted.extend(&unnamed);
        let mut seen = BTreeSet::new();
        wanted.retain(|address| unnamed.contains(address) && seen.insert(*address));
        self.look_up_all(&summary.modules, &wanted);
        apply(summary, &self.known, &Metadata::program_name(), max);
    }

    /// Names the addresses of stacks, and removes the addresses of memprof's hook. The first stacks
    /// of `order` matter most.
    pub(crate) fn resolve_stacks(&mut self, table: &mut StackTable, order: &[u32]) {
        let mut seen = BTreeSet::new();
        let addresses = order.iter().filter_map(|stack| table.addresses.get(stack)).flatten();
        let wanted: Vec<u64> = addresses.copied().filter(|at| seen.insert(*at)).collect();
        stacks::resolve(table, |all| {
            self.look_up_all(&all.modules, &wanted);
            apply(all, &self.known, "", usize::MAX);
        });
    }

    /// Looks up the names of the addresses whose names are not known. The first addresses matter
    /// most.
    fn look_up_all(&mut self, modules: &[Module], wanted: &[u64]) {
        let began = (self.now)();
        let has_lines = self.took < ALL;
        if !has_lines {
            self.late.clear();
        }
        let end =
            began + if has_lines { LONGEST.min(ALL.saturating_sub(self.took)) } else { LONGEST };
        let missing = |module: &Module| wanted.iter().filter(|at| self.lacks(module, **at)).count();
        let modules = modules.iter().map(|module| (missing(module), module));
        let mut modules: Vec<_> = modules.filter(|(missing, _)| *missing > 0).collect();
        // Modules with few addresses leave most of their time to the others.
        modules.sort_by_key(|(missing, _)| *missing);
        for (index, (_, module)) in modules.iter().enumerate() {
            let now = (self.now)();
            let left = u32::try_from(modules.len() - index).unwrap_or(u32::MAX);
            let until = now + end.saturating_duration_since(now) / left;
            let lines = has_lines.then_some(until);
            self.look_up(module, wanted, Deadlines { symbols: until, lines });
        }
        self.took += (self.now)().saturating_duration_since(began);
    }

    /// Returns `true` if an address is in a module and is not known, or was not found in time.
    fn lacks(&self, module: &Module, address: u64) -> bool {
        let is_missing = !self.known.contains_key(&address) || self.late.contains(&address);
        is_missing && module.contains(address)
    }

    /// Looks up the missing addresses of a module.
    fn look_up(&mut self, module: &Module, wanted: &[u64], deadlines: Deadlines) {
        let missing = wanted.iter().copied().filter(|at| self.lacks(module, *at));
        let wanted: Vec<u64> = missing.collect();
        let file = match ModuleFile::open(module, deadlines.symbols, self.now) {
            Ok(Some(file)) => file,
            Ok(None) => {
                for address in wanted {
                    self.known.entry(address).or_default();
                    self.late.remove(&address);
                }
                return;
            }
            // The addresses are not known, so the next look-up opens the file again.
            Err(elf::Late) => return,
        };
        // A frame's address is that after the call.
        let at = |address: u64| address.wrapping_sub(module.load_bias).wrapping_sub(1);
        let in_file: Vec<u64> = wanted.iter().copied().map(at).collect();
        let tried = self.tried.remove(&module.path).unwrap_or_default();
        let mut look_up = FileLookUp { file: &file, now: self.now, tried, left: Tried::new() };
        let (mut frames, late) = look_up.frames(&in_file, deadlines);
        if !look_up.left.is_empty() {
            self.tried.insert(module.path.clone(), look_up.left);
        }
        for address in wanted {
            let frames = frames.remove(&at(address)).unwrap_or_default();
            let place =
                |(function, file, line)| Place { function, file, line, address: Some(address) };
            if !frames.is_empty() || !self.known.contains_key(&address) {
                self.known.insert(address, frames.into_iter().map(place).collect());
            }
            if late.contains(&at(address)) {
                self.late.insert(address);
            } else {
                self.late.remove(&address);
            }
        }
    }
}

/// The look-up in one file.
struct FileLookUp<'f> {
    file: &'f ModuleFile,
    now: fn() -> Instant,
    /// The attempts of earlier look-ups.
    tried: Tried,
    /// The attempts at parts that are still not done.
    left: Tried,
}

impl FileLookUp<'_> {
    /// Returns the frames at addresses of the file, the innermost first, and the addresses with a
    /// part that was not done in time.
    fn frames(
        &mut self,
        addresses: &[u64],
        deadlines: Deadlines,
    ) -> (BTreeMap<u64, Vec<Frame>>, BTreeSet<u64>) {
        let mut sorted = addresses.to_vec();
        sorted.sort_unstable();
        let mut symbols = BTreeMap::new();
        let left = self.run([Part::Symbols], deadlines.symbols, |file, _| {
            symbols = file.symbols(&sorted);
        });
        let mut late: BTreeSet<u64> =
            if left.is_empty() { BTreeSet::new() } else { sorted.iter().copied().collect() };
        let mut found = BTreeMap::new();
        if let Some(end) = deadlines.lines {
            late.extend(self.lines(addresses, &sorted, end, &mut found));
        }
        for address in sorted {
            complete(found.entry(address).or_default(), symbols.remove(&address));
        }
        (found, late)
    }

    /// Finds frames in the debug information. Returns the addresses with a part that was not done in
    /// time.
    fn lines(
        &mut self,
        addresses: &[u64],
        sorted: &[u64],
        end: Instant,
        found: &mut BTreeMap<u64, Vec<Frame>>,
    ) -> Vec<u64> {
        self.file.pages().set_deadline(end);
        let units = Units::of(self.file);
        if self.file.pages().is_late() {
            return sorted.to_vec();
        }
        let Ok(units) = units else { return Vec::new() };
        let mut by_unit = BTreeMap::new();
        let left = self.run([Part::Ranges], end, |_, _| by_unit = units.containing(sorted));
        let mut late = Vec::new();
        if !left.is_empty() {
            let has_unit: BTreeSet<u64> = by_unit.values().flatten().copied().collect();
            late.extend(sorted.iter().filter(|address| !has_unit.contains(address)));
        }
        let mut parts: Vec<u64> = by_unit.keys().copied().collect();
        parts.sort_by_cached_key(|unit| {
            addresses.iter().position(|address| by_unit[unit].contains(address))
        });
        let left = self.run(parts.into_iter().map(Part::Unit), end, |_, part| {
            if let Part::Unit(unit) = part {
                let of_unit = unit_frames::unit_frames(&units, unit, &by_unit[&unit]);
                found.extend(of_unit.unwrap_or_default());
            }
        });
        for part in left {
            if let Part::Unit(unit) = part {
                late.extend(&by_unit[&unit]);
            }
        }
        late
    }

    /// Attempts parts until a time. Returns those that the next look-up is to continue.
    fn run(
        &mut self,
        parts: impl IntoIterator<Item = Part>,
        end: Instant,
        mut attempt: impl FnMut(&ModuleFile, Part),
    ) -> Vec<Part> {
        let tried = |part| self.tried.get(&part).copied().unwrap_or_default();
        let parts = parts.into_iter().map(|part| Waiting { part, tried: tried(part) }).collect();
        let left = queue::run(parts, end, self.now, |part, until| {
            self.file.pages().set_deadline(until);
            attempt(self.file, *part);
            !self.file.pages().is_late()
        });
        self.left.extend(left.iter().map(|waiting| (waiting.part, waiting.tried)));
        // Parts that need more than the longest look-up are given up.
        let left = left.into_iter().filter(|waiting| waiting.is_worth(LONGEST));
        left.map(|waiting| waiting.part).collect()
    }
}

/// Returns a function's name without mangling.
fn demangled(name: &str) -> String {
    match rustc_demangle::try_demangle(name) {
        Ok(name) => format!("{name:#}"),
        Err(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests;
