//! The names of the addresses of one module.
//!
//! A running program can afford little memory, but [`addr2line::Loader`] keeps what it has read of
//! every unit. For a debug build of 110 MB, the abbreviations alone are 69 MiB, and reading them
//! takes seconds if this code is a debug build too. A recorded program prints a few stacks only. So
//! `.debug_aranges` gives the units of their addresses, and each of these units is read by itself.
//!
//! A function that was inlined from another unit has its name there: cargo's default profile for
//! releases inlines so. Such units are read, too, and each has the offset that it has in the file.
//! With `lto = "fat"`, `.debug_aranges` may lack units. Those few units have few abbreviations, so
//! they are read together.

use super::apply::Named;
use super::files::{Files, MissingNames, Reason};
use super::{Addresses, SymbolSearch};
use crate::document::{CodeLine as Frame, Module, Place};
use addr2line::{Context, FrameIter, Loader, gimli};
use gimli::{DebugInfoOffset, DwarfSections, EndianSlice, NativeEndian, Section};
use memmap2::{Mmap, MmapMut};
use object::read::{Object, ObjectSection, ObjectSymbol, ReadCache};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

/// Looks up addresses of one module. An address without a name is not in the result, and one that
/// was not looked up has no frames there.
pub(super) fn look_up(
    module: &Module,
    addresses: &Addresses,
    search: &SymbolSearch,
) -> (Named, Option<MissingNames>) {
    let missing = |count: usize, reason| {
        (count > 0).then(|| MissingNames::new(module, count, reason, search))
    };
    let files = match Files::of(module, search) {
        Ok(files) => files,
        Err(reason) => return (Named::new(), missing(addresses.len(), reason)),
    };
    // The recorded address is where the call returns to, so the call is before it.
    let in_file = |address: u64| address.wrapping_sub(module.load_bias).wrapping_sub(1);
    let wanted: Addresses = addresses.iter().map(|(&at, &rank)| (in_file(at), rank)).collect();
    // The best file comes first, so its names replace those of the others.
    let symbols = files.all.iter().rev().filter_map(|path| symbols_of(path, &wanted));
    let symbols: BTreeMap<u64, String> = symbols.flatten().collect();
    let found = files.debug.as_deref().map(|path| match search.deadline {
        Some(deadline) => limited_frames(path, &wanted, deadline, FEW_ABBREVIATIONS),
        None => all_frames(path, &wanted),
    });
    let (mut found, reason) = match found {
        None => (None, Reason::Stripped),
        Some(Err(_)) => (None, Reason::Damaged),
        Some(Ok(found)) => (Some(found), Reason::Stripped),
    };
    let mut named = Named::new();
    for &address in addresses.keys() {
        let at = in_file(address);
        let looked_up = found.as_mut().map_or_else(|| Some(Vec::new()), |found| found.remove(&at));
        let Some(mut frames) = looked_up else {
            named.insert(address, Vec::new());
            continue;
        };
        complete(&mut frames, symbols.get(&at).cloned());
        if !frames.is_empty() {
            let place =
                |(function, file, line)| Place { function, file, line, address: Some(address) };
            named.insert(address, frames.into_iter().map(place).collect());
        }
    }
    // If there is debug information, nothing is reported as missing: some functions lack files even
    // then, for example those of the C library.
    let missing = if found.is_some() { None } else { missing(addresses.len(), reason) };
    (named, missing)
}

fn all_frames(
    path: &Path,
    addresses: &Addresses,
) -> Result<BTreeMap<u64, Vec<Frame>>, Box<dyn Error>> {
    let loader = Loader::new(path)?;
    let found = |&at: &u64| (at, loader.find_frames(at).map(frames).unwrap_or_default());
    Ok(addresses.keys().map(found).collect())
}

/// Returns nothing if the debug information describes no frame there, or is damaged.
fn frames<R: gimli::Reader>(mut found: FrameIter<'_, R>) -> Vec<Frame> {
    /// The maximum number of inlined functions at an address; a damaged chain is cut off.
    const MAX: usize = 256;
    let mut frames: Vec<Frame> = Vec::new();
    while let Ok(Some(frame)) = found.next() {
        let function = frame
            .function
            .as_ref()
            .and_then(|function| function.demangle().ok().map(Cow::into_owned));
        let (file, line) = match frame.location {
            Some(location) => (location.file.map(str::to_owned), location.line),
            None => (None, None),
        };
        frames.push((function, file, line));
        if frames.len() == MAX {
            break;
        }
    }
    frames
}

fn symbols_of(path: &Path, wanted: &Addresses) -> Option<BTreeMap<u64, String>> {
    let cache = ReadCache::new(File::open(path).ok()?);
    let object = object::File::parse(&cache).ok()?;
    let mut named = BTreeMap::new();
    for symbol in object.symbols().chain(object.dynamic_symbols()) {
        // Skip a symbol without a size, because it may end before the address.
        if !symbol.is_definition() || symbol.size() == 0 {
            continue;
        }
        let end = symbol.address().saturating_add(symbol.size());
        for (&address, _) in wanted.range(symbol.address()..end) {
            if let Ok(name) = symbol.name() {
                let name = || addr2line::demangle_auto(name.into(), None).into_owned();
                named.entry(address).or_insert_with(name);
            }
        }
    }
    Some(named)
}

/// Completes the frames at an address, innermost first. `symbol` is the function that the code
/// belongs to. The other functions were inlined into it.
///
/// With `debug = "line-tables-only"`, an inlined function has only its own name, without modules. It
/// stays as it is: the path of a file does not determine the module, for example with `#[path]`.
fn complete(frames: &mut Vec<Frame>, symbol: Option<String>) {
    if frames.is_empty() {
        frames.extend(symbol.map(|symbol| (Some(symbol), None, None)));
        return;
    }
    if let Some((function, ..)) = frames.last_mut()
        && let Some(symbol) = symbol
        && !function.as_deref().is_some_and(has_path)
    {
        *function = Some(symbol);
    }
    frames.retain(|frame| frame.0.is_some() || frame.1.is_some());
}

/// Returns `true` if a function's name has modules or a type. Its type arguments do not count.
fn has_path(name: &str) -> bool {
    name.split_once('<').map_or(name, |(own, _)| own).contains("::") || name.starts_with('<')
}

type Reader<'m> = EndianSlice<'m, NativeEndian>;

/// The size of `.debug_abbrev` up to which all units are read. In memory, abbreviations take 250 times
/// as much.
const FEW_ABBREVIATIONS: usize = 64 << 10;

/// Addresses that are not looked up by the deadline are missing from the result. All units are read
/// if `.debug_abbrev` has at most `few_abbreviations` bytes.
///
/// # Errors
/// Returns an error if the file can't be read, or if its debug information is damaged.
#[expect(unsafe_code, reason = "files of hundreds of megabytes are mapped, not read")]
fn limited_frames(
    path: &Path,
    addresses: &Addresses,
    deadline: Instant,
    few_abbreviations: usize,
) -> Result<BTreeMap<u64, Vec<Frame>>, Box<dyn Error>> {
    let file = File::open(path)?;
    // SAFETY: the loader has mapped this file of the running program too, so truncating it would
    // already break the program.
    let bytes = unsafe { Mmap::map(&file) }?;
    let object = object::File::parse(&bytes[..])?;
    let sections = DwarfSections::load(|id| match object.section_by_name(id.name()) {
        Some(section) => section.uncompressed_data(),
        None => Ok(Cow::Borrowed(&[])),
    })?;
    let dwarf = || sections.borrow(|section| EndianSlice::new(section, NativeEndian));
    let give_back = || {
        #[cfg(unix)]
        // SAFETY: the pages have not been changed, so the next access reads them from the file again.
        let _ = unsafe { bytes.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    };
    let whole = dwarf();
    let (units, starts) = if whole.debug_abbrev.reader().len() <= few_abbreviations {
        let inside = addresses.iter().map(|(&address, &rank)| (rank, address)).collect();
        (vec![(None, inside)], BTreeSet::new())
    } else {
        (units_of(&whole, addresses)?, starts_of_units(&whole, give_back)?)
    };
    // An address in no unit has no frames, and each other one is looked up below.
    let no_frames = addresses.keys().map(|&address| (address, Vec::new()));
    let mut found: BTreeMap<u64, Vec<Frame>> = no_frames.collect();
    for (_, address) in units.iter().flat_map(|(_, inside)| inside) {
        found.remove(address);
    }
    for (unit, inside) in units {
        if Instant::now() >= deadline {
            break;
        }
        let copy;
        let mut dwarf = dwarf();
        if let Some(unit) = unit {
            let units = with_origins(&whole, unit, addresses, &starts, deadline)?;
            copy = copied(&whole, &units)?;
            give_back();
            dwarf.debug_info = gimli::DebugInfo::new(&copy, NativeEndian);
            // These are of all units.
            dwarf.debug_aranges = gimli::DebugAranges::new(&[], NativeEndian);
        }
        let context = Context::from_dwarf(dwarf)?;
        for (_, address) in inside.into_iter().take_while(|_| Instant::now() < deadline) {
            let all = context.find_frames(address).skip_all_loads();
            found.insert(address, all.map(frames).unwrap_or_default());
        }
    }
    Ok(found)
}

/// Units with the addresses inside, each with its rank. `None` stands for all units.
type Units = Vec<(Option<DebugInfoOffset>, BTreeSet<(usize, u64)>)>;

/// Returns the units of the lowest ranks first.
fn units_of(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    addresses: &Addresses,
) -> Result<Units, gimli::Error> {
    let mut units = BTreeMap::<_, BTreeSet<_>>::new();
    let mut headers = dwarf.debug_aranges.headers();
    while let Some(header) = headers.next()? {
        let mut entries = header.entries();
        // An entry that overflows is skipped; a damaged table ends.
        while let Some(entry) = entries.next().transpose() {
            let Ok(range) = entry.map(|entry| entry.range()) else { continue };
            let inside = addresses.range(range.begin..range.end.max(range.begin));
            let mut inside = inside.map(|(&address, &rank)| (rank, address)).peekable();
            if inside.peek().is_some() {
                units.entry(Some(header.debug_info_offset())).or_default().extend(inside);
            }
        }
    }
    let mut units: Units = units.into_iter().collect();
    units.sort_by_key(|(_, inside)| inside.first().copied());
    Ok(units)
}

fn starts_of_units(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    give_back: impl Fn(),
) -> Result<BTreeSet<DebugInfoOffset>, gimli::Error> {
    let mut starts = BTreeSet::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        starts.extend(header.debug_info_offset());
        // The system maps 16 pages for each header.
        if starts.len().is_multiple_of(64) {
            give_back();
        }
    }
    Ok(starts)
}

/// Returns a unit, and those from which functions at the addresses were inlined. After the deadline,
/// some may be missing.
fn with_origins(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    unit: DebugInfoOffset,
    addresses: &Addresses,
    starts: &BTreeSet<DebugInfoOffset>,
    deadline: Instant,
) -> Result<BTreeSet<DebugInfoOffset>, gimli::Error> {
    let mut units = BTreeSet::from([unit]);
    let header = dwarf.debug_info.header_from_offset(unit)?;
    let abbreviations = dwarf.abbreviations(&header)?;
    let is_elsewhere = |kind: &gimli::AttributeSpecification| {
        kind.name() == gimli::DW_AT_abstract_origin && kind.form() == gimli::DW_FORM_ref_addr
    };
    let mut kinds = (1..).map_while(|code| abbreviations.get(code));
    // Reading all entries takes long in a debug build, which has no such references.
    if !kinds.any(|kind| kind.attributes().iter().any(is_elsewhere)) {
        return Ok(units);
    }
    let mut entries = header.entries_raw(&abbreviations, None)?;
    // The depth of the entry of a function that contains an address.
    let mut inside: Option<isize> = None;
    while !entries.is_empty() {
        let depth = entries.next_depth();
        let Some(kind) = entries.read_abbreviation()? else { continue };
        inside = inside.filter(|&function| depth > function);
        let is_function = inside.is_none() && kind.tag() == gimli::DW_TAG_subprogram;
        if inside.is_none() && !is_function {
            entries.skip_attributes(kind.attributes())?;
            continue;
        }
        if Instant::now() >= deadline {
            break;
        }
        // An inlined function has no code of its own here.
        let (mut code, mut is_unknown, mut origin) = (0..0, false, None);
        for &attribute in kind.attributes() {
            let attribute = entries.read_attribute(attribute)?;
            match (attribute.name(), attribute.value()) {
                (gimli::DW_AT_low_pc, gimli::AttributeValue::Addr(start)) => code.start = start,
                (gimli::DW_AT_low_pc | gimli::DW_AT_ranges, _) => is_unknown = true,
                (gimli::DW_AT_high_pc, gimli::AttributeValue::Addr(end)) => code.end = end,
                (gimli::DW_AT_high_pc, length) => {
                    let length = length.udata_value().unwrap_or(u64::MAX);
                    code.end = code.start.saturating_add(length);
                }
                (gimli::DW_AT_abstract_origin, gimli::AttributeValue::DebugInfoRef(to)) => {
                    origin = Some(to);
                }
                _ => {}
            }
        }
        let mut inside_code = addresses.range(code.start..code.end.max(code.start));
        if is_function && (is_unknown || inside_code.next().is_some()) {
            inside = Some(depth);
        }
        if inside.is_some() {
            units.extend(origin.and_then(|origin| starts.range(..=origin).next_back()));
        }
    }
    Ok(units)
}

/// Returns a section with these units alone, at their offsets: references between units stay valid.
/// Units without contents fill the gaps.
///
/// # Errors
/// Returns an error if a unit is damaged, if a gap has more than 4 GiB, or without memory.
fn copied(
    dwarf: &gimli::Dwarf<Reader<'_>>,
    units: &BTreeSet<DebugInfoOffset>,
) -> Result<MmapMut, Box<dyn Error>> {
    let section = dwarf.debug_info.reader().slice();
    // Only the pages that are written to take memory.
    let mut copy = MmapMut::map_anon(section.len())?;
    let mut end = 0;
    for &unit in units {
        let length = dwarf.debug_info.header_from_offset(unit)?.length_including_self();
        let unit = unit.0..unit.0.saturating_add(length);
        let its = section.get(unit.clone()).ok_or(gimli::Error::MissingUnitDie)?;
        fill(&mut copy[end..unit.start])?;
        copy[unit.clone()].copy_from_slice(its);
        end = unit.end;
    }
    fill(&mut copy[end..])?;
    Ok(copy)
}

/// Fills a gap between units with a unit whose abbreviations are nowhere, so that it is skipped. Its
/// zeros are entries otherwise, and reading 100 MB of them takes half a second.
fn fill(gap: &mut [u8]) -> Result<(), Box<dyn Error>> {
    /// The version of a header with a length, a version, an offset of abbreviations and the size of
    /// an address.
    const VERSION: u16 = 4;
    if gap.len() < 11 {
        return Ok(());
    }
    let length = u32::try_from(gap.len() - 4)?;
    gap[..4].copy_from_slice(&length.to_ne_bytes());
    gap[4..6].copy_from_slice(&VERSION.to_ne_bytes());
    gap[6..10].fill(0xFF);
    gap[10] = 8;
    Ok(())
}

#[cfg(test)]
mod complete_tests {
    use super::{complete, has_path};

    #[test]
    fn a_path_in_the_type_arguments_is_not_the_function_s() {
        for (name, expected) in [
            ("from_str<serde_json::value::Value>", false),
            ("{async_fn#0}<u64, alloc::sync::Arc<u8>>", false),
            ("app::from_str<u8>", true),
            ("<app::Type as core::clone::Clone>::clone", true),
        ] {
            assert_eq!(has_path(name), expected, "{name}");
        }
    }

    #[test]
    fn no_module_is_made_up_from_a_file() {
        let file = Some("/srv/app/src/bin/leak.rs".to_owned());
        let mut frames = vec![
            (Some("render".to_owned()), file.clone(), Some(4)),
            (Some("main".to_owned()), file.clone(), Some(9)),
        ];
        complete(&mut frames, Some("leak::main".to_owned()));
        let names: Vec<_> = frames.iter().map(|frame| frame.0.as_deref()).collect();
        assert_eq!(names, [Some("render"), Some("leak::main")]);
    }
}

#[cfg(test)]
mod units_tests {
    use super::{Addresses, FEW_ABBREVIATIONS, all_frames, limited_frames, units_of};
    use addr2line::gimli::{Dwarf, EndianSlice, NativeEndian};
    use object::SymbolKind;
    use object::read::{Object, ObjectSection, ObjectSymbol};
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};
    use std::{env, fs};

    /// Compares the names in functions of a program, by all units together and by each one itself.
    fn assert_named_by_each_unit(program: &Path, functions: &str) {
        let bytes = fs::read(program).expect("it can be read");
        let object = object::File::parse(&bytes[..]).expect("it is an executable");
        let is_wanted = |name: &str| name.contains(functions);
        let symbols = object.symbols().filter(|symbol| symbol.name().is_ok_and(is_wanted));
        let code = symbols.filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 8);
        let wanted: Addresses =
            code.map(|one| (one.address() + one.size() / 2, 0)).take(20).collect();
        let deadline = Instant::now() + Duration::from_secs(300);
        let limited = limited_frames(program, &wanted, deadline, 0).expect("it has lines");
        let all = all_frames(program, &wanted).expect("it has lines");
        assert_eq!(limited, all);
        let lines = all.values().flatten().filter(|(_, _, line)| line.is_some()).count();
        assert!(lines > wanted.len() / 2 && !wanted.is_empty(), "{all:?}");
    }

    #[test]
    fn units_by_themselves_name_the_same_frames() {
        let program = env::current_exe().expect("it runs");
        assert_named_by_each_unit(&program, "memprof_recording");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn functions_that_are_inlined_from_another_unit_have_their_names() {
        const PROGRAM: &str = "
            mod near {
                #[inline(never)]
                pub fn near_by(n: u64) -> u64 { crate::far::far_away(std::hint::black_box(n)) }
            }
            mod far {
                use std::hint::black_box;
                pub fn far_away(n: u64) -> u64 { farther(black_box(n)) + farther(black_box(n + 1)) }
                #[inline(never)]
                fn farther(n: u64) -> u64 { black_box(n) + 1 }
            }
            fn main() { println!(\"{}\", near::near_by(1) + far::far_away(3)); }
        ";
        let name = format!("memprof-units-{}", std::process::id());
        let program = env::temp_dir().join(name);
        let source = program.with_extension("rs");
        fs::write(&source, PROGRAM).expect("it can be written");
        let compiled = Command::new("rustc")
            .args(["-O", "-C", "codegen-units=16", "-C", "debuginfo=line-tables-only", "-o"])
            .args([&program, &source])
            .status();
        assert!(compiled.is_ok_and(|status| status.success()));
        assert_named_by_each_unit(&program, "near_by");
        for file in [program, source] {
            fs::remove_file(file).expect("it is there");
        }
    }

    #[test]
    fn the_units_of_the_most_important_addresses_are_read_first() {
        let bytes = fs::read(env::current_exe().expect("it runs")).expect("it can be read");
        let object = object::File::parse(&bytes[..]).expect("it is an executable");
        let dwarf = Dwarf::load(|id| {
            let section = object.section_by_name(id.name()).and_then(|one| one.data().ok());
            Ok::<_, ()>(EndianSlice::new(section.unwrap_or_default(), NativeEndian))
        });
        let code = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
        let ranks = (0..1000).rev();
        let wanted: Addresses = code.map(|symbol| symbol.address()).zip(ranks).collect();
        let units = units_of(&dwarf.expect("it has sections"), &wanted).expect("it is whole");
        let ranks: Vec<_> = units.iter().filter_map(|(_, inside)| inside.first()).collect();
        assert!(ranks.len() > 1 && ranks.is_sorted(), "{ranks:?}");
    }

    #[test]
    fn after_the_deadline_nothing_is_looked_up() {
        let path = env::current_exe().expect("it runs");
        let wanted = Addresses::from([(0x1000, 0)]);
        let found = limited_frames(&path, &wanted, Instant::now(), FEW_ABBREVIATIONS);
        assert!(found.expect("it can be read").is_empty());
    }
}
