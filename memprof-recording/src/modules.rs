//! The modules of this process: the program and its shared libraries, with their build ids. On Linux,
//! `dl_iterate_phdr` reports them. On other systems, the list is empty.
//!
//! The loader holds its lock while it reports the modules. Nothing is allocated during that time,
//! because an inner allocator that walks stacks may wait for that lock.
#![expect(unsafe_code, reason = "the loader passes pointers to its tables")]

use crate::document::Module;
use crate::symbols::hexadecimal;
use core::ffi::{CStr, c_int, c_void};
use core::ops::Range;
use libc::{PT_LOAD, PT_NOTE, dl_phdr_info, size_t};

#[cfg(target_pointer_width = "64")]
type Header = libc::Elf64_Phdr;
#[cfg(not(target_pointer_width = "64"))]
type Header = libc::Elf32_Phdr;

/// The maximum number of bytes of a segment of notes. Larger segments are not read.
const MAX_NOTES: usize = 1 << 16;

/// The modules that the loader reported, in buffers that do not grow while they are filled.
struct Reported {
    entries: Vec<Entry>,
    segments: Vec<Segment>,
    bytes: Vec<u8>,
    /// True if a buffer was too small for all modules.
    lacks_room: bool,
}

struct Entry {
    load_bias: usize,
    segments_end: usize,
    path_end: usize,
    build_id_end: usize,
}

struct Segment {
    range: [u64; 2],
    file_offset: u64,
}

/// Returns the modules that are loaded now, the program first.
///
/// `fork` does not release the loader's lock, so a child that is forked while this thread holds it
/// would wait for it forever: one in 2,000 children of a program that wrote documents in a loop did,
/// even where it only printed a backtrace. So `hold` returns a guard that delays forks, or `None` if
/// the loader must not be called. The result is then empty.
pub fn loaded_modules<H>(hold: impl Fn() -> Option<H>) -> Vec<Module> {
    /// In modules. Each further attempt has four times the capacity of the one before.
    const FIRST: usize = 64;
    const ATTEMPTS: u32 = 5;
    let mut reported = Reported::with_room_for(FIRST);
    for attempt in 1..=ATTEMPTS {
        let Some(_no_fork) = hold() else { break };
        // SAFETY: `add` has the signature that the loader calls. The pointer is to a value that
        // outlives the call and that nothing else uses during the call.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut reported).cast()) };
        if !reported.lacks_room || attempt == ATTEMPTS {
            break;
        }
        reported = Reported::with_room_for(FIRST << (2 * attempt));
    }
    reported.modules()
}

/// Adds the module that the loader reports. Returns 0, so that the loader reports the next one.
unsafe extern "C" fn add(info: *mut dl_phdr_info, _: size_t, reported: *mut c_void) -> c_int {
    // SAFETY: `loaded_modules` passed this pointer, and uses the value only after the iteration.
    let reported = unsafe { &mut *reported.cast::<Reported>() };
    // SAFETY: the loader passes a valid entry.
    let info = unsafe { &*info };
    if info.dlpi_phdr.is_null() || info.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: the entry has this number of program headers, which do not change while the loader's
    // lock is held.
    let headers = unsafe { core::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    // SAFETY: the name is a C string of the loader, which stays while the lock is held.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) };
    let load_bias = info.dlpi_addr as usize;
    let mut notes = headers.iter().filter(|header| header.p_type == PT_NOTE);
    let build_id = notes.find_map(|header| {
        let notes = range(load_bias, header);
        let is_loaded = |of: &Header| {
            let segment = range(load_bias, of);
            of.p_type == PT_LOAD && segment.start <= notes.start && notes.end <= segment.end
        };
        if notes.len() > MAX_NOTES || !headers.iter().any(is_loaded) {
            return None;
        }
        let start = core::ptr::with_exposed_provenance::<u8>(notes.start);
        // SAFETY: these bytes are in a loaded segment. The linker puts notes into memory that can
        // be read, and no code writes to them.
        let bytes = unsafe { core::slice::from_raw_parts(start, notes.len()) };
        build_id(bytes, header.p_align as usize)
    });
    reported.add(load_bias, name.to_bytes(), build_id.unwrap_or_default(), headers);
    0
}

fn range(load_bias: usize, header: &Header) -> Range<usize> {
    let start = load_bias.wrapping_add(header.p_vaddr as usize);
    start..start.saturating_add(header.p_memsz as usize)
}

impl Reported {
    fn with_room_for(modules: usize) -> Self {
        Self {
            entries: Vec::with_capacity(modules),
            segments: Vec::with_capacity(8 * modules),
            bytes: Vec::with_capacity(256 * modules),
            lacks_room: false,
        }
    }

    /// Adds a module if the buffers have capacity for it. Allocates nothing.
    fn add(&mut self, load_bias: usize, path: &[u8], build_id: &[u8], headers: &[Header]) {
        let loaded = || headers.iter().filter(|header| header.p_type == PT_LOAD);
        let has_room = self.entries.len() < self.entries.capacity()
            && loaded().count() <= self.segments.capacity() - self.segments.len()
            && path.len() + build_id.len() <= self.bytes.capacity() - self.bytes.len();
        if !has_room {
            self.lacks_room = true;
            return;
        }
        for header in loaded() {
            let range = range(load_bias, header);
            let range = [range.start as u64, range.end as u64];
            #[allow(
                clippy::unnecessary_cast,
                clippy::cast_lossless,
                reason = "it has 32 bits on some platforms, and 64 on others"
            )]
            let file_offset = header.p_offset as u64;
            self.segments.push(Segment { range, file_offset });
        }
        self.bytes.extend_from_slice(path);
        let path_end = self.bytes.len();
        self.bytes.extend_from_slice(build_id);
        self.entries.push(Entry {
            load_bias,
            segments_end: self.segments.len(),
            path_end,
            build_id_end: self.bytes.len(),
        });
    }

    fn modules(&self) -> Vec<Module> {
        let (mut segments_start, mut path_start) = (0, 0);
        let mut modules = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let build_id = &self.bytes[entry.path_end..entry.build_id_end];
            let segments = &self.segments[segments_start..entry.segments_end];
            let path = path(&self.bytes[path_start..entry.path_end], modules.is_empty());
            let build_id = (!build_id.is_empty()).then(|| hexadecimal(build_id));
            let ranges = segments.iter().map(|segment| segment.range).collect();
            let offsets = segments.iter().map(|segment| segment.file_offset).collect();
            let module = Module::new(path, build_id, entry.load_bias as u64, ranges);
            modules.push(module.with_file_offsets(offsets));
            (segments_start, path_start) = (entry.segments_end, entry.build_id_end);
        }
        modules
    }
}

fn path(name: &[u8], is_first: bool) -> String {
    if !name.is_empty() || !is_first {
        return String::from_utf8_lossy(name).into_owned();
    }
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.to_string_lossy();
    // The system adds this if the file was replaced while the program runs.
    program.strip_suffix(" (deleted)").unwrap_or(&program).to_owned()
}

/// Returns the GNU build id among notes, if it is complete.
fn build_id(mut notes: &[u8], align: usize) -> Option<&[u8]> {
    const GNU_BUILD_ID: u32 = 3;
    // Each part of a note is padded to 4 bytes, or to 8 in a segment with that alignment.
    let padded = |length: usize| length.checked_next_multiple_of(if align == 8 { 8 } else { 4 });
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at.checked_add(4)?)?;
        Some(u32::from_ne_bytes(word.try_into().ok()?))
    };
    while !notes.is_empty() {
        let name_length = word(notes, 0)? as usize;
        let length = word(notes, 4)? as usize;
        let kind = word(notes, 8)?;
        let name_end = 12_usize.checked_add(name_length)?;
        let start = padded(name_end)?;
        let end = start.checked_add(length)?;
        if kind == GNU_BUILD_ID && notes.get(12..name_end)? == b"GNU\0" {
            return notes.get(start..end).filter(|id| !id.is_empty());
        }
        notes = notes.get(padded(end)?..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Reported, add, build_id};
    use crate::document::Module;
    use core::sync::atomic::AtomicU64;
    use core::sync::atomic::Ordering::Relaxed;

    fn loaded() -> Vec<Module> {
        super::loaded_modules(|| Some(()))
    }

    fn note(name: &[u8], kind: u32, content: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for word in [name.len() as u32, content.len() as u32, kind] {
            note.extend(word.to_ne_bytes());
        }
        for part in [name, content] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_program_comes_first_and_contains_its_functions() {
        let modules = loaded();
        let address = note as *const () as u64;
        assert!(modules[0].contains(address), "{modules:?}");
        assert_eq!(modules[0].path, std::env::current_exe().expect("it runs").to_string_lossy());
        assert_eq!(modules.iter().filter(|module| module.contains(address)).count(), 1);
    }

    #[test]
    fn the_bytes_of_an_address_are_at_its_offset_in_the_file() {
        // Linkers place writable data at other addresses than offsets, some of them also code.
        static DATA: AtomicU64 = AtomicU64::new(0x6d65_6d70_726f_6601);
        let file = std::fs::read("/proc/self/exe").expect("the program has a file");
        let program = &loaded()[0];
        let at = |address: usize| {
            let segments = program.ranges.iter().zip(&program.file_offsets);
            let mut segments =
                segments.filter(|([start, end], _)| (*start..*end).contains(&(address as u64)));
            let ([start, _], offset) = segments.next().expect("a segment has the address");
            usize::try_from(offset + (address as u64 - start)).expect("it is in the file")
        };
        assert_eq!(program.ranges.len(), program.file_offsets.len());
        let data = at((&raw const DATA).expose_provenance());
        assert_eq!(file[data..data + 8], DATA.load(Relaxed).to_ne_bytes());
        let function = note as *const u8;
        let code = at(function.expose_provenance());
        // SAFETY: the function is longer than these bytes, and no code writes to it.
        let bytes = unsafe { core::slice::from_raw_parts(function, 16) };
        assert_eq!(file[code..code + 16], *bytes);
    }

    #[test]
    fn a_segment_may_have_another_address_than_offset() {
        // SAFETY: a header of zeros is valid.
        let mut header: super::Header = unsafe { core::mem::zeroed() };
        (header.p_type, header.p_offset) = (libc::PT_LOAD, 0x1_0b40);
        (header.p_vaddr, header.p_memsz) = (0x1_1b40, 0x500);
        let mut reported = Reported::with_room_for(1);
        reported.add(0x7f00_0000, b"lib.so", b"", &[header]);
        let module = &reported.modules()[0];
        assert_eq!(
            (&module.ranges[0], module.file_offsets[0]),
            (&[0x7f01_1b40, 0x7f01_2040], 0x1_0b40)
        );
    }

    #[test]
    fn modules_without_room_are_noticed_and_not_stored() {
        let mut reported = Reported::with_room_for(1);
        // SAFETY: as in `loaded_modules`.
        unsafe { libc::dl_iterate_phdr(Some(add), (&raw mut reported).cast()) };
        assert!(reported.lacks_room, "a program has several modules");
        assert_eq!(reported.modules()[0], loaded()[0]);
    }

    #[test]
    fn a_build_id_is_found_behind_other_notes() {
        let notes = [note(b"GNU\0", 1, &[1; 16]), note(b"stapsdt\0", 3, &[2; 5])].concat();
        assert_eq!(build_id(&notes, 4), None);
        let notes = [notes, note(b"GNU\0", 3, &[7; 20])].concat();
        assert_eq!(build_id(&notes, 4), Some(&[7; 20][..]));
    }

    #[test]
    fn notes_that_are_cut_off_have_no_build_id() {
        let notes = note(b"GNU\0", 3, &[7; 20]);
        for end in 0..notes.len() {
            assert_eq!(build_id(&notes[..end], 4), None, "{end}");
        }
        let huge = [u32::MAX, u32::MAX, 3].map(u32::to_ne_bytes).concat();
        assert_eq!(build_id(&huge, 4), None);
    }
}
