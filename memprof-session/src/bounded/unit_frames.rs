//! The frames at addresses of one unit, with inlined functions.

use super::pages::Part;
use super::units::{Unit, Units, within};
use gimli::{
    AttributeValue, DebugInfoOffset, FileEntry, LineProgramHeader, Range, Reader, Result,
    UnitOffset, constants as dw,
};
use memprof_recording::symbols::complete::Frame;
use std::collections::BTreeMap;

/// A function that contains an address: the code's own function, or one that was inlined there.
struct Function {
    entry: UnitOffset<u64>,
    /// The file and line at which the function was inlined.
    call_file: Option<u64>,
    call_line: Option<u32>,
}

/// The maximum number of inlined functions at an address; a damaged chain is cut off.
const MAX: usize = 256;

type Location = (Option<String>, Option<u32>);

/// Returns the frames of each address, the innermost first. The addresses are sorted.
pub(super) fn unit_frames(
    units: &Units<'_>,
    offset: u64,
    addresses: &[u64],
) -> Result<BTreeMap<u64, Vec<Frame>>> {
    let unit = units.at(offset)?;
    let functions = functions(units, &unit, addresses)?;
    let files = Files::of(units, &unit);
    let mut locations = locations(&files, addresses)?;
    let mut frames = BTreeMap::new();
    for &address in addresses {
        let mut location = locations.remove(&address).unwrap_or_default();
        let mut of_address = Vec::new();
        for function in functions.get(&address).into_iter().flatten().rev() {
            // A function without a name is a frame too, because its place is known.
            let name = name(units, &unit, function.entry, 0).ok().flatten();
            let name = name.map(|name| super::demangled(&name));
            let call = (function.call_file.and_then(|file| files.path(file)), function.call_line);
            let (file, line) = core::mem::replace(&mut location, call);
            of_address.push((name, file, line));
        }
        if of_address.is_empty() && location.0.is_some() {
            of_address.push((None, location.0, location.1));
        }
        frames.insert(address, of_address);
    }
    Ok(frames)
}

/// Returns the functions that contain each address, the outermost first.
fn functions(
    units: &Units<'_>,
    unit: &Unit<'_>,
    addresses: &[u64],
) -> Result<BTreeMap<u64, Vec<Function>>> {
    let mut found: BTreeMap<u64, Vec<Function>> = BTreeMap::new();
    // The depth of the outermost function that contains one of the addresses.
    let mut inside: Option<isize> = None;
    let mut entries = unit.entries_raw(None)?;
    while !entries.is_empty() {
        let (entry, depth) = (entries.next_offset(), entries.next_depth());
        let Some(abbreviation) = entries.read_abbreviation()? else { continue };
        inside = inside.filter(|outer| depth > *outer);
        if inside.is_none() && found.len() == addresses.len() {
            break;
        }
        let is_inlined = abbreviation.tag() == dw::DW_TAG_inlined_subroutine && inside.is_some();
        if !is_inlined && abbreviation.tag() != dw::DW_TAG_subprogram {
            entries.skip_attributes(abbreviation.attributes())?;
            continue;
        }
        let mut code = Code::default();
        for attribute in abbreviation.attributes() {
            let attribute = entries.read_attribute(*attribute)?;
            code.add(units, unit, attribute.name(), &attribute.value())?;
        }
        for range in code.ranges(units, unit)? {
            for &address in within(addresses, range) {
                let functions = found.entry(address).or_default();
                if !is_inlined {
                    functions.clear();
                    inside = Some(inside.unwrap_or(depth));
                }
                if functions.len() < MAX && functions.last().is_none_or(|of| of.entry != entry) {
                    let (call_file, call_line) = (code.call_file, code.call_line);
                    functions.push(Function { entry, call_file, call_line });
                }
            }
        }
    }
    Ok(found)
}

/// The attributes of a function's code.
#[derive(Default)]
struct Code {
    low: Option<u64>,
    high: Option<u64>,
    size: Option<u64>,
    ranges: Option<gimli::RangeListsOffset<u64>>,
    call_file: Option<u64>,
    call_line: Option<u32>,
}

impl Code {
    fn add(
        &mut self,
        units: &Units<'_>,
        unit: &Unit<'_>,
        name: gimli::DwAt,
        value: &AttributeValue<Part<'_>>,
    ) -> Result<()> {
        let address = || match *value {
            AttributeValue::Addr(address) => Ok(Some(address)),
            AttributeValue::DebugAddrIndex(index) => units.dwarf.address(unit, index).map(Some),
            _ => Ok(None),
        };
        match name {
            dw::DW_AT_low_pc => self.low = address()?,
            dw::DW_AT_high_pc => match value.udata_value() {
                Some(size) => self.size = Some(size),
                None => self.high = address()?,
            },
            dw::DW_AT_ranges => self.ranges = ranges_offset(units, unit, value)?,
            dw::DW_AT_call_file => {
                if let AttributeValue::FileIndex(index) = *value {
                    // Before DWARF 5, there is no file 0.
                    let is_file = index > 0 || unit.header.version() >= 5;
                    self.call_file = Some(index).filter(|_| is_file);
                }
            }
            dw::DW_AT_call_line => {
                self.call_line = value.udata_value().map(|line| line as u32).filter(|of| *of > 0);
            }
            _ => {}
        }
        Ok(())
    }

    fn ranges(&self, units: &Units<'_>, unit: &Unit<'_>) -> Result<Vec<Range>> {
        if let Some(offset) = self.ranges {
            let mut ranges = units.dwarf.ranges(unit, offset)?;
            let mut all = Vec::new();
            while let Some(range) = ranges.next()? {
                all.push(range);
            }
            return Ok(all);
        }
        let end = |begin: u64| self.high.or_else(|| begin.checked_add(self.size?));
        let range = |begin| Some(Range { begin, end: end(begin)? });
        Ok(self.low.and_then(range).into_iter().collect())
    }
}

fn ranges_offset(
    units: &Units<'_>,
    unit: &Unit<'_>,
    value: &AttributeValue<Part<'_>>,
) -> Result<Option<gimli::RangeListsOffset<u64>>> {
    Ok(match *value {
        AttributeValue::RangeListsRef(offset) => {
            Some(units.dwarf.ranges_offset_from_raw(unit, offset))
        }
        AttributeValue::DebugRngListsIndex(index) => Some(units.dwarf.ranges_offset(unit, index)?),
        _ => None,
    })
}

/// Returns the name of a function's entry, or of the entry that it refers to.
fn name(
    units: &Units<'_>,
    unit: &Unit<'_>,
    entry: UnitOffset<u64>,
    depth: u32,
) -> Result<Option<String>> {
    /// The maximum number of references from entry to entry.
    const DEEPEST: u32 = 16;
    let mut entries = unit.entries_raw(Some(entry))?;
    let Some(abbreviation) = entries.read_abbreviation()? else { return Ok(None) };
    let (mut own, mut origin) = (None, None);
    for attribute in abbreviation.attributes() {
        let attribute = entries.read_attribute(*attribute)?;
        let text = || units.dwarf.attr_string(unit, attribute.value());
        match attribute.name() {
            dw::DW_AT_linkage_name | dw::DW_AT_MIPS_linkage_name => {
                return Ok(Some(text()?.to_string_lossy()?.into_owned()));
            }
            dw::DW_AT_name => own = Some(text()?),
            dw::DW_AT_abstract_origin | dw::DW_AT_specification => origin = Some(attribute.value()),
            _ => {}
        }
    }
    match origin {
        _ if own.is_some() || depth == DEEPEST => {
            own.map(|own| Ok(own.to_string_lossy()?.into_owned())).transpose()
        }
        Some(AttributeValue::UnitRef(entry)) => name(units, unit, entry, depth + 1),
        Some(AttributeValue::DebugInfoRef(DebugInfoOffset(offset))) => {
            let unit = units.referenced(offset)?;
            let entry = DebugInfoOffset(offset).to_unit_offset(&unit.header);
            entry.map_or(Ok(None), |entry| name(units, &unit, entry, depth + 1))
        }
        _ => Ok(None),
    }
}

/// Returns the file and line of each address. The addresses are sorted.
fn locations(files: &Files<'_, '_>, addresses: &[u64]) -> Result<BTreeMap<u64, Location>> {
    let mut found: BTreeMap<u64, (u64, Option<u32>)> = BTreeMap::new();
    let Some(program) = files.unit.line_program.clone() else { return Ok(BTreeMap::new()) };
    let mut rows = program.rows();
    // The address, file and line of the row before in the same sequence.
    let mut last: Option<(u64, u64, Option<u32>)> = None;
    while let Some((_, row)) = rows.next_row()? {
        let address = row.address();
        if let Some((begin, file, line)) = last.filter(|(begin, ..)| *begin < address) {
            for &at in within(addresses, Range { begin, end: address }) {
                found.entry(at).or_insert((file, line));
            }
        }
        let line = row.line().map(|line| line.get() as u32);
        last = (!row.end_sequence()).then_some((address, row.file_index(), line));
        if last.is_none() && found.len() == addresses.len() {
            break;
        }
    }
    let location = |(at, (file, line))| (at, (files.path(file), line));
    Ok(found.into_iter().map(location).collect())
}

/// The paths of a unit's files.
struct Files<'u, 'p> {
    units: &'u Units<'p>,
    unit: &'u Unit<'p>,
}

impl<'u, 'p> Files<'u, 'p> {
    fn of(units: &'u Units<'p>, unit: &'u Unit<'p>) -> Self {
        Self { units, unit }
    }

    fn path(&self, index: u64) -> Option<String> {
        let header = self.unit.line_program.as_ref()?.header();
        self.path_of(header.file(index)?, header).ok()
    }

    fn path_of(
        &self,
        file: &FileEntry<Part<'p>, u64>,
        header: &LineProgramHeader<Part<'p>, u64>,
    ) -> Result<String> {
        let text = |value| -> Result<String> {
            let text = self.units.dwarf.attr_string(self.unit, value)?;
            Ok(text.to_string_lossy()?.into_owned())
        };
        let mut path = match &self.unit.comp_dir {
            Some(folder) => folder.to_string_lossy()?.into_owned(),
            None => String::new(),
        };
        // Folder 0 is the unit's own folder.
        if file.directory_index() != 0
            && let Some(folder) = file.directory(header)
        {
            push(&mut path, &text(folder)?);
        }
        push(&mut path, &text(file.path_name())?);
        Ok(path)
    }
}

/// Adds the parts of a path, or replaces it by an absolute one.
fn push(path: &mut String, part: &str) {
    if part.starts_with('/') {
        path.clear();
    } else if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(part);
}
