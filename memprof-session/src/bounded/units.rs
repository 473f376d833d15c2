//! The units of the debug information that contain addresses.

use super::elf::ModuleFile;
use super::pages::Part;
use gimli::{Abbreviations, DebugInfoOffset, Dwarf, Result, UnitHeader};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

pub(super) type Unit<'p> = gimli::Unit<Part<'p>>;

/// The number of units that are kept for references from other units.
const KEPT: usize = 4;

/// The debug information of a file.
pub(super) struct Units<'p> {
    pub(super) dwarf: Dwarf<Part<'p>>,
    /// The offsets of all units; read when the first reference leads to another unit.
    offsets: OnceCell<Vec<u64>>,
    referenced: RefCell<Vec<(u64, Rc<Unit<'p>>)>>,
    /// The abbreviations that were read last. Units that were optimised together share them.
    abbreviations: RefCell<Option<(u64, Arc<Abbreviations>)>>,
}

impl<'p> Units<'p> {
    pub(super) fn of(file: &'p ModuleFile) -> Result<Self> {
        Ok(Self {
            dwarf: Dwarf::load(|section| {
                Ok::<_, gimli::Error>(file.debug_section(section.name()))
            })?,
            offsets: OnceCell::new(),
            referenced: RefCell::default(),
            abbreviations: RefCell::default(),
        })
    }

    /// Returns the offsets of the units that contain addresses. The addresses are sorted.
    pub(super) fn containing(&self, addresses: &[u64]) -> BTreeMap<u64, Vec<u64>> {
        let mut by_address = BTreeMap::new();
        let mut described = BTreeSet::new();
        // If the table is damaged, the units found before the damage are valid.
        let _ = self.by_table(addresses, &mut by_address, &mut described);
        let rest: Vec<u64> =
            addresses.iter().copied().filter(|at| !by_address.contains_key(at)).collect();
        if !rest.is_empty() {
            let _ = self.by_units(&rest, &mut by_address, &described);
        }
        let mut by_unit: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (address, unit) in by_address {
            by_unit.entry(unit).or_default().push(address);
        }
        by_unit
    }

    /// Finds units by the section `.debug_aranges`.
    fn by_table(
        &self,
        addresses: &[u64],
        by_address: &mut BTreeMap<u64, u64>,
        described: &mut BTreeSet<u64>,
    ) -> Result<()> {
        let mut headers = self.dwarf.debug_aranges.headers();
        while let Some(header) = headers.next()? {
            let unit = header.debug_info_offset().0;
            described.insert(unit);
            let mut entries = header.entries();
            while let Some(entry) = entries.next()? {
                for address in within(addresses, entry.range()) {
                    by_address.entry(*address).or_insert(unit);
                }
            }
        }
        Ok(())
    }

    /// Finds units by the ranges in their first entries.
    fn by_units(
        &self,
        addresses: &[u64],
        by_address: &mut BTreeMap<u64, u64>,
        described: &BTreeSet<u64>,
    ) -> Result<()> {
        let mut headers = self.dwarf.units();
        while let Some(header) = headers.next()? {
            let Some(DebugInfoOffset(offset)) = header.debug_info_offset() else { continue };
            if described.contains(&offset) {
                continue;
            }
            let Ok(unit) = self.parse(header) else { continue };
            let mut ranges = self.dwarf.unit_ranges(&unit)?;
            while let Ok(Some(range)) = ranges.next() {
                for address in within(addresses, range) {
                    by_address.entry(*address).or_insert(offset);
                }
            }
        }
        Ok(())
    }

    /// Reads the unit at an offset.
    pub(super) fn at(&self, offset: u64) -> Result<Unit<'p>> {
        self.parse(self.dwarf.unit_header(DebugInfoOffset(offset))?)
    }

    fn parse(&self, header: UnitHeader<Part<'p>>) -> Result<Unit<'p>> {
        let at = header.debug_abbrev_offset().0;
        let mut last = self.abbreviations.borrow_mut();
        let abbreviations = match &*last {
            Some((of, abbreviations)) if *of == at => abbreviations.clone(),
            _ => {
                let abbreviations = self.dwarf.abbreviations(&header)?;
                *last = Some((at, abbreviations.clone()));
                abbreviations
            }
        };
        Unit::new_with_abbreviations(&self.dwarf, header, abbreviations)
    }

    /// Returns the unit that contains an offset of `.debug_info`.
    pub(super) fn referenced(&self, offset: u64) -> Result<Rc<Unit<'p>>> {
        let missing = || gimli::Error::NoEntryAtGivenOffset(offset);
        let offsets = self.offsets.get_or_init(|| {
            let (mut offsets, mut headers) = (Vec::new(), self.dwarf.units());
            while let Ok(Some(header)) = headers.next() {
                offsets.extend(header.debug_info_offset().map(|of| of.0));
            }
            offsets
        });
        let index = offsets.partition_point(|of| *of <= offset).checked_sub(1);
        let start = index.map(|index| offsets[index]).ok_or_else(missing)?;
        let mut kept = self.referenced.borrow_mut();
        if let Some((_, unit)) = kept.iter().find(|(of, _)| *of == start) {
            return Ok(unit.clone());
        }
        let unit = Rc::new(self.at(start)?);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((start, unit.clone()));
        Ok(unit)
    }
}

/// Returns the addresses in a range. A range that begins at 0 has no addresses, because it
/// describes code that the linker removed.
pub(super) fn within(addresses: &[u64], range: gimli::Range) -> &[u64] {
    if range.begin == 0 || range.end <= range.begin {
        return &[];
    }
    let first = addresses.partition_point(|address| *address < range.begin);
    let end = addresses.partition_point(|address| *address < range.end);
    &addresses[first..end]
}
