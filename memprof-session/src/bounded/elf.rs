//! The sections and symbols of the files from which the process was loaded.
//!
//! The crate `object` reads these too, but it keeps whole tables of symbols in memory, or maps the
//! file.

use super::demangled;
use super::pages::{Pages, Part};
use gimli::Reader;
use memprof_recording::document::Module;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
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
    /// The offset of the names of sections in the file.
    names: u64,
}

/// The deadline of a look-up was exceeded.
#[derive(Debug)]
pub(super) struct Late;

/// A section of the file. Its name is not in memory: a file of another build, which is tested too,
/// may have many and long ones.
#[derive(Debug)]
struct Section {
    /// The offset of the name among the names of sections.
    name: u32,
    kind: u32,
    start: u64,
    length: u64,
    /// For a table of symbols, the index of the section that has the names of the symbols.
    link: u32,
    is_compressed: bool,
}

impl ModuleFile {
    /// Opens the file of a loaded module. Returns `None` if no file has its build id.
    pub(super) fn open(
        module: &Module,
        deadline: Instant,
        now: fn() -> Instant,
    ) -> Result<Option<Self>, Late> {
        for path in [Path::new(OWN), Path::new(&module.path)] {
            // Without the flag, a pipe at the path of a replaced library would block this thread.
            let mut options = File::options();
            let Ok(file) = options.read(true).custom_flags(libc::O_NONBLOCK).open(path) else {
                continue;
            };
            if !file.metadata().is_ok_and(|file| file.is_file()) {
                continue;
            }
            let file = Self::read(Pages::new(file, deadline, now));
            let id = file.build_id();
            if file.pages.is_late() {
                return Err(Late);
            }
            let is_right = match (&module.build_id, id) {
                (Some(wanted), Some(id)) => *wanted == hexadecimal(&id),
                // Without a build id, only the program's own file is known to be the right one.
                (None, None) => path == Path::new(OWN) && is_own(&module.path),
                _ => false,
            };
            if is_right {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    /// Reads the table of sections. A file of another format has none.
    fn read(pages: Pages) -> Self {
        let (sections, names) = sections(pages.all()).unwrap_or_default();
        Self { pages, sections, names }
    }

    pub(super) fn pages(&self) -> &Pages {
        &self.pages
    }

    /// Returns a section of debug information; it is empty if the file has none of that name, or a
    /// compressed one.
    pub(super) fn debug_section(&self, name: &str) -> Part<'_> {
        let section = self.sections.iter().find(|section| self.has_name(section, name));
        match section.filter(|section| !section.is_compressed) {
            Some(section) => self.pages.part(section.start, section.length),
            None => self.pages.part(0, 0),
        }
    }

    /// Returns `true` if a section has this name.
    fn has_name(&self, section: &Section, name: &str) -> bool {
        /// More than the longest name of a section of debug information.
        const LONGEST: usize = 32;
        let mut buffer = [0; LONGEST];
        let Some(read) = buffer.get_mut(..=name.len()) else { return false };
        let mut text = self.pages.all();
        let at = self.names.saturating_add(section.name.into());
        text.skip(at).and_then(|()| text.read_slice(read)).is_ok()
            && read.strip_suffix(b"\0") == Some(name.as_bytes())
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

/// Reads the table of sections. Returns it with the offset of their names in the file.
fn sections(file: Part<'_>) -> gimli::Result<(Vec<Section>, u64)> {
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
    for index in 0..u64::from(count) {
        let mut entry = file;
        entry.skip(table)?;
        entry.skip(index * u64::from(entry_size))?;
        let name = entry.read_u32()?;
        let kind = entry.read_u32()?;
        let flags = entry.read_address(WORD)?;
        entry.skip(WORD.into())?;
        let (start, length) = (entry.read_address(WORD)?, entry.read_address(WORD)?);
        let link = entry.read_u32()?;
        let length = if kind == NO_BITS { 0 } else { length };
        let is_compressed = flags & COMPRESSED != 0;
        sections.push(Section { name, kind, start, length, link, is_compressed });
    }
    let names = sections.get(usize::from(names_index)).ok_or_else(not_elf)?.start;
    Ok((sections, names))
}

/// Returns the GNU build id among notes.
fn build_id(mut notes: Part<'_>) -> gimli::Result<Option<Vec<u8>>> {
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
