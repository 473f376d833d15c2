//! A look-up that a running program can afford: few units of its debug information, little memory.
//!
//! [`addr2line::Loader`] keeps the abbreviations of every unit. For a debug build of 110 MB these
//! are 69 MiB, and reading them takes seconds if this code is a debug build too. A recorded program
//! prints a few stacks only. So `.debug_aranges` gives the units of their addresses, and a context
//! is made of a copy of these units alone: 26 MiB, and a fifth of the time.
//!
//! A copy breaks references from one unit to another, and `.debug_aranges` may lack units. Both
//! come from link-time optimisation, whose few units have few abbreviations, so they are all read.

use super::lookup::frames;
use crate::symbols::complete::Frame;
use addr2line::{Context, gimli};
use gimli::{DebugInfoOffset, DwarfSections, EndianSlice, RunTimeEndian, Section};
use memmap2::Mmap;
use object::read::{Object, ObjectSection};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

type Reader<'m> = EndianSlice<'m, RunTimeEndian>;

/// The size of `.debug_abbrev` up to which all units are read. In memory, abbreviations take 250 times
/// as much.
const FEW_ABBREVIATIONS: usize = 64 << 10;

/// Returns the frames of addresses of a file, by address. Those that are not found by the deadline
/// are missing.
///
/// # Errors
/// Returns an error if the file can't be read, or if its debug information is damaged.
#[expect(unsafe_code, reason = "files of hundreds of megabytes are mapped, not read")]
pub(super) fn limited_frames(
    path: &Path,
    addresses: &BTreeSet<u64>,
    deadline: Instant,
) -> Result<BTreeMap<u64, Vec<Frame>>, Box<dyn Error>> {
    let file = File::open(path)?;
    // SAFETY: the loader has mapped this file of the running program too, so truncating it would
    // already break the program.
    let bytes = unsafe { Mmap::map(&file) }?;
    let object = object::File::parse(&bytes[..])?;
    let endian = if object.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let sections = DwarfSections::load(|id| match object.section_by_name(id.name()) {
        Some(section) => section.uncompressed_data(),
        None => Ok(Cow::Borrowed(&[])),
    })?;
    let mut dwarf = sections.borrow(|section| EndianSlice::new(section, endian));
    let copy;
    if dwarf.debug_abbrev.reader().len() > FEW_ABBREVIATIONS {
        copy = copied(&dwarf, &units_of(&dwarf, addresses)?)?;
        dwarf.debug_info = gimli::DebugInfo::new(&copy, endian);
        // Its offsets are those of the whole section.
        dwarf.debug_aranges = gimli::DebugAranges::new(&[], endian);
    }
    let context = Context::from_dwarf(dwarf)?;
    let mut found = BTreeMap::new();
    for &address in addresses {
        if Instant::now() >= deadline {
            break;
        }
        if let Ok(all) = context.find_frames(address).skip_all_loads() {
            found.insert(address, frames(all));
        }
    }
    Ok(found)
}

/// Returns the units that contain the addresses.
fn units_of(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    addresses: &BTreeSet<u64>,
) -> Result<BTreeSet<DebugInfoOffset>, gimli::Error> {
    let mut units = BTreeSet::new();
    let mut headers = dwarf.debug_aranges.headers();
    while let Some(header) = headers.next()? {
        let mut entries = header.entries();
        // An entry that overflows is skipped; a damaged table ends.
        while let Some(entry) = entries.next().transpose() {
            let Ok(range) = entry.map(|entry| entry.range()) else { continue };
            if range.begin < range.end && addresses.range(range.begin..range.end).next().is_some() {
                units.insert(header.debug_info_offset());
                break;
            }
        }
    }
    Ok(units)
}

/// Returns these units, one after the other. Their references to other sections stay valid, and so
/// do those within a unit.
fn copied(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    units: &BTreeSet<DebugInfoOffset>,
) -> Result<Vec<u8>, gimli::Error> {
    let mut info = Vec::new();
    for &unit in units {
        let length = dwarf.debug_info.header_from_offset(unit)?.length_including_self();
        let bytes = dwarf.debug_info.reader().slice();
        info.extend(bytes.get(unit.0..unit.0.saturating_add(length)).unwrap_or_default());
    }
    Ok(info)
}

#[cfg(test)]
mod tests {
    use super::limited_frames;
    use crate::symbols::search::lookup::all_frames;
    use object::SymbolKind;
    use object::read::{Object, ObjectSymbol};
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};
    use std::{env, fs};

    #[test]
    fn a_copy_of_few_units_names_the_same_frames() {
        let path = env::current_exe().expect("it runs");
        let bytes = fs::read(&path).expect("it can be read");
        let object = object::File::parse(&bytes[..]).expect("it is an executable");
        let is_ours = |name: &str| name.contains("memprof_recording");
        let symbols = object.symbols().filter(|symbol| symbol.name().is_ok_and(is_ours));
        let code = symbols.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 8);
        let wanted: BTreeSet<u64> = code.map(|symbol| symbol.address() + 4).take(20).collect();
        assert_eq!(wanted.len(), 20);
        let deadline = Instant::now() + Duration::from_mins(5);
        let limited = limited_frames(&path, &wanted, deadline).expect("it has debug information");
        let all = all_frames(&path, &wanted).expect("it has debug information");
        assert_eq!(limited, all);
        assert!(all.values().flatten().filter(|(_, _, line)| line.is_some()).count() > 10);
    }

    #[test]
    fn after_the_deadline_nothing_is_looked_up() {
        let path = env::current_exe().expect("it runs");
        let wanted = BTreeSet::from([0x1000]);
        let found = limited_frames(&path, &wanted, Instant::now()).expect("it can be read");
        assert!(found.is_empty());
    }
}
