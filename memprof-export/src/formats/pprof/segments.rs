//! The loaded segments of the recorded program. Each becomes a mapping in which readers look up the
//! frames without a name.

use memprof_recording::document::Module;
use std::collections::BTreeMap;
use std::path::Path;

/// The segments of all modules by the address at which they begin.
#[derive(Default)]
pub(super) struct Segments<'m>(BTreeMap<u64, Segment<'m>>);

/// A loaded segment of a module.
#[derive(Clone, Copy)]
pub(super) struct Segment<'m> {
    pub(super) start: u64,
    pub(super) limit: u64,
    pub(super) file_offset: u64,
    pub(super) module: &'m Module,
}

impl<'m> Segments<'m> {
    /// Collects the segments whose offset in the file is known.
    pub(super) fn of(modules: &'m [Module]) -> Self {
        let mut segments = BTreeMap::new();
        for module in modules {
            for (&[start, limit], &file_offset) in module.ranges.iter().zip(&module.file_offsets) {
                segments.entry(start).or_insert(Segment { start, limit, file_offset, module });
            }
        }
        Self(segments)
    }

    /// Returns the segment that contains an address.
    pub(super) fn containing(&self, address: u64) -> Option<Segment<'m>> {
        let (_, segment) = self.0.range(..=address).next_back()?;
        (address < segment.limit).then_some(*segment)
    }
}

impl Segment<'_> {
    /// Returns the build id in hexadecimal digits, or an empty text if the module has no valid one.
    /// `go tool pprof` accesses the first two digits and panics if they are missing.
    pub(super) fn build_id(&self) -> &str {
        let build_id = self.module.build_id.as_deref().unwrap_or_default();
        let is_valid = build_id.len() > 2 && build_id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_valid { build_id } else { "" }
    }

    /// Returns `true` if the segment is of the program itself and not of a library.
    pub(super) fn is_of(&self, program: &str) -> bool {
        // The system adds this to the name of a file that was replaced while the program ran.
        let program = program.strip_suffix(" (deleted)").unwrap_or(program);
        Path::new(&self.module.path).file_name().is_some_and(|name| name == program)
    }
}
