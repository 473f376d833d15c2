//! Frames of call stacks: functions, files and lines.

use core::ffi::c_void;
use core::fmt;
use memprof_core::__private::shown;
use std::collections::HashMap;
use std::sync::Arc;

/// A function on a call stack, and where it was.
///
/// Names come from the program's debug information: `debug = "line-tables-only"` in the profile
/// suffices. Without it there are functions at best.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Frame {
    /// The function, if known.
    pub function: Option<Arc<str>>,
    /// The file, as the compiler was given it.
    pub file: Option<Arc<str>>,
    /// The line.
    pub line: Option<u32>,
    /// The address that the function would have returned to.
    pub address: usize,
}

impl Frame {
    /// Whether the program's own code is here, or that of a crate: not the standard library, which
    /// allocates on somebody's behalf, nor the allocator.
    pub fn is_yours(&self) -> bool {
        const FOREIGN: [&str; 9] = [
            "__rust",
            "_R",
            "memprof_heap::",
            "backtrace::",
            "alloc::",
            "core::",
            "std::",
            "hashbrown::",
            "<",
        ];
        let foreign_file = self.file.as_deref().is_some_and(|file| {
            // The standard library and what it is made of, as compiled into std and from its source.
            ["/rustc/", "/rust/deps/"].iter().any(|folder| file.starts_with(folder))
                || file.contains("/lib/rustlib/src/rust/")
        });
        let foreign_function = self.function.as_deref().is_none_or(|function| {
            let function = function.trim_start_matches('<');
            FOREIGN.iter().any(|prefix| function.starts_with(prefix))
        });
        !foreign_file && !foreign_function
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(out, "{}", shown(function))?,
            None => write!(out, "{:#x}", self.address)?,
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(out, " ({}:{line})", shown(shortened(file))),
            (Some(file), None) => write!(out, " ({})", shown(shortened(file))),
            _ => Ok(()),
        }
    }
}

/// A file below the folder that the program runs in, if it is.
fn shortened(file: &str) -> &str {
    let folder = std::env::current_dir().ok();
    let below = folder.as_ref().and_then(|folder| file.strip_prefix(folder.to_str()?));
    below.map_or(file, |file| file.trim_start_matches(['/', '\\']))
}

/// Finds the frames of addresses, each once.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    known: HashMap<usize, Vec<Frame>>,
}

impl Symbols {
    /// The frames of a stack, the innermost first, inlined functions as frames of their own; those
    /// of the allocator itself left out.
    pub(crate) fn frames(&mut self, addresses: &[usize]) -> Vec<Frame> {
        let mut frames = Vec::new();
        for address in addresses {
            frames.extend_from_slice(self.known.entry(*address).or_insert_with(|| find(*address)));
        }
        let hook = frames.iter().rposition(|frame| {
            frame.function.as_deref().is_some_and(|function| {
                function.contains("__rust_alloc") || function.contains("__rust_realloc")
            })
        });
        frames.split_off(hook.map_or(0, |hook| hook + 1))
    }
}

fn find(address: usize) -> Vec<Frame> {
    let mut frames = Vec::new();
    backtrace::resolve(core::ptr::without_provenance_mut::<c_void>(address), |symbol| {
        frames.push(Frame {
            // Without the hash at the end.
            function: symbol.name().map(|name| format!("{name:#}").into()),
            file: symbol.filename().map(|file| file.to_string_lossy().into()),
            line: symbol.lineno(),
            address,
        });
    });
    if frames.is_empty() {
        frames.push(Frame { function: None, file: None, line: None, address });
    }
    frames
}
