//! Frames of call stacks, with functions, files and lines, and the place that identifies a stack.

use core::fmt;
use core::hash::{Hash, Hasher};
use memprof_profile::text::{CodeOrigin, CodePlace, current_folder};
use std::hash::DefaultHasher;
use std::sync::Arc;

/// A function on a call stack, and its location in the source.
///
/// Names come from the program's debug information: `debug = "line-tables-only"` in the Cargo
/// profile suffices. Without it, at most functions are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Frame {
    /// The function, if known.
    pub function: Option<Arc<str>>,
    /// The file, as passed to the compiler.
    pub file: Option<Arc<str>>,
    /// The line.
    pub line: Option<u32>,
    /// The address in the function to which the inner function returns.
    pub address: usize,
}

impl Frame {
    /// Returns a frame of which only the address is known.
    pub(crate) fn unnamed(address: usize) -> Self {
        Self { function: None, file: None, line: None, address }
    }

    /// Returns true for code of the program or of a crate. Returns false for the allocator, and for
    /// the standard library and the collections of other crates, which allocate for their callers.
    ///
    /// Also returns true for the frame that represents all stacks without a slot in the table.
    pub fn is_yours(&self) -> bool {
        self.function.as_deref() == Some(FULL_TABLE) || self.origin().is_own()
    }

    /// Returns the origin of the frame's code.
    pub(crate) fn origin(&self) -> CodeOrigin {
        CodeOrigin::of(self.function.as_deref(), self.file.as_deref(), None)
    }

    /// Formats the frame in this number of columns. Files are relative to a folder, and are never
    /// cut.
    pub(crate) fn within(&self, width: usize, folder: Option<&str>) -> String {
        let place = CodePlace::new(self.function.as_deref(), self.file.as_deref(), self.line);
        place.within(width, folder).unwrap_or_else(|| format!("{:#x}", self.address))
    }
}

/// The function of the only frame of a stack for which the table of call sites had no slot.
pub(crate) const FULL_TABLE: &str = "other sites: the table of call sites is full";

impl fmt::Display for Frame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.within(usize::MAX, current_folder().as_deref()))
    }
}

/// Returns the frame that represents a stack: the innermost one of the program.
pub(crate) fn location(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().find(|frame| frame.is_yours())
}

/// The identity of a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A function, a file and a line. Copies of a function differ only in their address.
    Named(Option<Arc<str>>, Option<Arc<str>>, Option<u32>),
    /// The innermost frames of stacks without names, by their hash.
    Unnamed(u64),
    /// All stacks whose frames have names, none of which is the program's own.
    Foreign,
}

/// The number of innermost frames that distinguish places without names. Stacks that are equal in
/// this many frames allocate in the same code; their outer callers may differ.
const UNNAMED_DEPTH: usize = 24;

/// Returns the place of a stack with this [`location`].
pub(crate) fn place(location: Option<&Frame>, frames: &[Frame]) -> Place {
    if let Some(frame) = location {
        return Place::Named(frame.function.clone(), frame.file.clone(), frame.line);
    }
    if frames.iter().any(|frame| frame.function.is_some()) {
        return Place::Foreign;
    }
    let mut hash = DefaultHasher::new();
    for frame in frames.iter().take(UNNAMED_DEPTH) {
        frame.address.hash(&mut hash);
    }
    Place::Unnamed(hash.finish())
}

/// The place that is printed if no frame of a stack is the program's own.
pub(crate) const UNKNOWN_PLACE: &str = if cfg!(all(windows, target_pointer_width = "32")) {
    "unknown: no call stacks on this platform"
} else {
    "unknown: no debug information"
};

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn a_function_without_a_file_is_shown_by_its_name() {
        let is_yours = |function: &str| {
            let function = Some(function.into());
            Frame { function, file: None, line: None, address: 0 }.is_yours()
        };
        for name in [
            "alloc::vec::Vec<T>::push",
            "<alloc::vec::Vec<mine::Type> as core::clone::Clone>::clone",
            "<&str as core::fmt::Display>::fmt",
            "<[T] as alloc::slice::Join<&str>>::join",
            "<&alloc::string::String as core::fmt::Display>::fmt",
        ] {
            assert!(!is_yours(name), "{name}");
        }
        for name in [
            "mine::function",
            "<mine::Type as core::clone::Clone>::clone",
            "<&mine::Type as core::fmt::Display>::fmt",
            "<str as mine::Trait>::function",
        ] {
            assert!(is_yours(name), "{name}");
        }
    }
}
