//! The sections and symbols of the files from which the process was loaded.
//!
//! The crate `object` reads these too, but it keeps whole tables of symbols in memory, or maps the
//! file.

use super::demangled;
use super::pages::{Pages, Part};
use crate::document::Module;
use gimli::{Reader, Result};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

/// The program's own file, even if its path leads to another file by now.
const OWN: &str = "/proc/self/exe";

/// The bytes of a pointer. A module of this process has the pointer size and byte order of the
/// process.
const WORD: u8 = size_of::<usize>() as u8;

/// A module's file, of the build that is loaded.
pub(super) struct ModuleFile {
    pages: Pages,
    sections: Vec<Section>,
}

/// A section of the file.
#[derive(Debug)]
struct Section {
    name: Vec<u8>,
    kind: u32,
    start: u64,
    length: u64,
    /// For a table of symbols, the index of the section that has the names of the symbols.
    link: u32,
    is_compressed: bool,
}

impl ModuleFile {
    /// Opens the file of a loaded module. Returns `None` if no file has its build id.
    pub(super) fn open(module: &Module, deadline: Instant) -> Option<Self> {
        let paths = [Path::new(OWN), Path::new(&module.path)];
        paths.into_iter().find_map(|path| {
            // Do not open a pipe, which may block.
            fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
            let pages = Pages::new(File::open(path).ok()?, deadline);
            let sections = sections(pages.all()).ok()?;
            let file = Self { pages, sections };
            let is_right = match (&module.build_id, file.build_id()) {
                (Some(wanted), Some(id)) => *wanted == hexadecimal(&id),
                // Without a build id, only the program's own file is known to be the right one.
                (None, None) => path == Path::new(OWN) && is_own(&module.path),
                _ => false,
            };
            is_right.then_some(file)
        })
    }

    pub(super) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Returns a section of debug information; it is empty if the file has none of that name, or a
    /// compressed one.
    pub(super) fn debug_section(&self, name: &str) -> Part<'_> {
        let section = self.sections.iter().find(|section| section.name == name.as_bytes());
        match section.filter(|section| !section.is_compressed) {
            Some(section) => self.pages.part(section.start, section.length),
            None => self.pages.part(0, 0),
        }
    }

    fn build_id(&self) -> Option<Vec<u8>> {
        const NOTES: u32 = 7;
        let notes = self.sections.iter().filter(|section| section.kind == NOTES);
        let mut parts = notes.map(|section| self.pages.part(section.start, section.length));
        parts.find_map(|part| build_id(part).ok().flatten())
    }

    /// Returns the names of the functions that contain addresses. The addresses are sorted.
    pub(super) fn symbols(&self, addresses: &[u64]) -> BTreeMap<u64, String> {
        const SYMBOLS: u32 = 2;
        const DYNAMIC_SYMBOLS: u32 = 11;
        let mut found = BTreeMap::new();
        for kind in [SYMBOLS, DYNAMIC_SYMBOLS] {
            for table in self.sections.iter().filter(|section| section.kind == kind) {
                let _ = self.find_symbols(table, addresses, &mut found);
            }
        }
        let name = |at: u64| {
            let mut name = self.pages.all();
            name.skip(at).ok()?;
            let name = name.read_null_terminated_slice().ok()?;
            Some(demangled(&name.to_string_lossy().ok()?))
        };
        found.into_iter().filter_map(|(address, at)| Some((address, name(at)?))).collect()
    }

    /// Finds the offsets of the names of functions in the file. Reads the table once.
    fn find_symbols(
        &self,
        table: &Section,
        addresses: &[u64],
        found: &mut BTreeMap<u64, u64>,
    ) -> Option<()> {
        /// The number of symbols that are read at once: 24 KiB.
        const AT_ONCE: u64 = 1024;
        const FUNCTION: u8 = 2;
        let names = self.sections.get(table.link as usize)?;
        let mut buffer = Vec::new();
        let mut at = 0;
        while at + Symbol::SIZE <= table.length {
            let count = ((table.length - at) / Symbol::SIZE).min(AT_ONCE);
            buffer.resize((count * Symbol::SIZE) as usize, 0);
            self.pages.read_exact(&mut buffer, table.start.checked_add(at)?)?;
            at += count * Symbol::SIZE;
            for bytes in buffer.chunks_exact(Symbol::SIZE as usize) {
                let symbol = Symbol::parse(bytes)?;
                // Skip a symbol without a size, because it may end before the address.
                let end = symbol.value.saturating_add(symbol.size);
                if symbol.info & 15 != FUNCTION || symbol.section == 0 || symbol.size == 0 {
                    continue;
                }
                let first = addresses.partition_point(|address| *address < symbol.value);
                for &address in addresses[first..].iter().take_while(|address| **address < end) {
                    let name = names.start.checked_add(symbol.name.into())?;
                    found.entry(address).or_insert(name);
                }
            }
        }
        Some(())
    }
}

/// An entry of a table of symbols.
struct Symbol {
    name: u32,
    info: u8,
    section: u16,
    value: u64,
    size: u64,
}

impl Symbol {
    const SIZE: u64 = if WORD == 8 { 24 } else { 16 };

    fn parse(bytes: &[u8]) -> Option<Self> {
        let short = |at: usize| Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let name = word(0)?;
        Some(if WORD == 8 {
            let (info, section) = (*bytes.get(4)?, short(6)?);
            Self { name, info, section, value: long(8)?, size: long(16)? }
        } else {
            let (value, size) = (word(4)?.into(), word(8)?.into());
            Self { name, info: *bytes.get(12)?, section: short(14)?, value, size }
        })
    }
}

/// Reads the table of sections.
fn sections(file: Part<'_>) -> Result<Vec<Section>> {
    const COMPRESSED: u64 = 1 << 11;
    /// The kind of a section that takes no bytes of the file.
    const NO_BITS: u32 = 8;
    let not_elf = || gimli::Error::Io;
    let mut header = file;
    let mut ident = [0; 16];
    header.read_slice(&mut ident)?;
    let class = if WORD == 8 { 2 } else { 1 };
    if !ident.starts_with(b"\x7fELF") || ident[4] != class {
        return Err(not_elf());
    }
    header.skip(8)?;
    header.skip(u64::from(2 * WORD))?;
    let table = header.read_address(WORD)?;
    header.skip(10)?;
    let (entry_size, count) = (header.read_u16()?, header.read_u16()?);
    let names_index = header.read_u16()?;

    let mut sections = Vec::new();
    let mut names = Vec::new();
    for index in 0..u64::from(count) {
        let mut entry = file;
        entry.skip(table)?;
        entry.skip(index * u64::from(entry_size))?;
        names.push(entry.read_u32()?);
        let kind = entry.read_u32()?;
        let flags = entry.read_address(WORD)?;
        entry.skip(WORD.into())?;
        let (start, length) = (entry.read_address(WORD)?, entry.read_address(WORD)?);
        let link = entry.read_u32()?;
        let length = if kind == NO_BITS { 0 } else { length };
        let is_compressed = flags & COMPRESSED != 0;
        sections.push(Section { name: Vec::new(), kind, start, length, link, is_compressed });
    }
    let texts = sections.get(usize::from(names_index)).ok_or_else(not_elf)?.start;
    for (section, name) in sections.iter_mut().zip(names) {
        let mut text = file;
        text.skip(texts)?;
        text.skip(name.into())?;
        section.name = text.read_null_terminated_slice()?.to_slice()?.into_owned();
    }
    Ok(sections)
}

/// Returns the GNU build id among notes.
fn build_id(mut notes: Part<'_>) -> Result<Option<Vec<u8>>> {
    const GNU_BUILD_ID: u32 = 3;
    while !notes.is_empty() {
        let (name_length, length) = (notes.read_u32()?, notes.read_u32()?);
        let kind = notes.read_u32()?;
        let name = notes.split(u64::from(name_length).next_multiple_of(4))?;
        let mut content = notes.split(u64::from(length).next_multiple_of(4))?;
        if kind == GNU_BUILD_ID && *name.to_slice()? == *b"GNU\0" {
            content.truncate(length.into())?;
            return Ok(Some(content.to_slice()?.into_owned()));
        }
    }
    Ok(None)
}

/// Returns `true` for the path of the program.
fn is_own(path: &str) -> bool {
    fs::read_link(OWN).is_ok_and(|own| {
        let own = own.to_string_lossy();
        own.strip_suffix(" (deleted)").unwrap_or(&own) == path
    })
}

pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    use core::fmt::Write;
    bytes.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a string never fails.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
