//! Frames of call stacks: functions, files and lines.

use crate::hook::profilers;
use core::ffi::c_void;
use core::fmt;
use memprof_core::__private::shown;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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

/// Finds the frames of addresses, each once in the program's life.
///
/// What the look-up reads of the debug information is tens of megabytes, so it is given back when
/// this is dropped; the next address that nobody knows takes some 0.1 s again.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    looked_up: bool,
}

/// Frames that were found. More than a program has, as a rule: they take some 200 bytes each.
static KNOWN: Mutex<BTreeMap<usize, Vec<Frame>>> = Mutex::new(BTreeMap::new());
const MOST: usize = 1 << 16;

impl Drop for Symbols {
    fn drop(&mut self) {
        self.put_away();
    }
}

impl Symbols {
    /// The frames of a stack, the innermost first, inlined functions as frames of their own; those
    /// of the allocator itself left out.
    pub(crate) fn frames(&mut self, addresses: &[usize]) -> Vec<Frame> {
        let mut frames = Vec::new();
        for address in addresses {
            self.add(*address, &mut frames);
        }
        let hook = frames.iter().rposition(|frame| {
            let of_rust = |function: &str| {
                function.contains("__rust_alloc") || function.contains("__rust_realloc")
            };
            frame.function.as_deref().is_some_and(of_rust)
                || frame.file.as_deref().is_some_and(is_of_hook)
        });
        frames.split_off(hook.map_or(0, |hook| hook + 1))
    }

    /// Gives back what the look-up has read.
    pub(crate) fn put_away(&mut self) {
        if core::mem::take(&mut self.looked_up) {
            profilers::run(backtrace::clear_symbol_cache);
        }
    }

    /// What is remembered is memprof's own memory, what is handed out the caller's.
    fn add(&mut self, address: usize, frames: &mut Vec<Frame>) {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let add_known = |frames: &mut Vec<Frame>| {
            known().get(&address).map(|found| frames.extend_from_slice(found)).is_some()
        };
        if add_known(frames) {
            return;
        }
        self.looked_up = true;
        profilers::run(|| {
            // Others may look for theirs meanwhile.
            let found = find(address);
            let mut known = known();
            if known.len() < MOST {
                known.insert(address, found);
            }
        });
        if !add_known(frames) {
            frames.extend(find(address));
        }
    }
}

/// Whether a file is one of those that run in each allocation.
///
/// Where only lines are known, functions that are inlined have no crate in their name; and Rust's
/// own, that call an allocator, may be inlined as well.
fn is_of_hook(file: &str) -> bool {
    let Some(folder) = file!().strip_suffix("frames.rs") else { return false };
    let Some((_, file)) = file.rsplit_once(folder) else { return false };
    ["allocator.rs", "hook/", "sampling/"].iter().any(|begin| file.starts_with(begin))
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

#[cfg(test)]
mod tests {
    use super::is_of_hook;

    #[test]
    fn what_runs_in_each_allocation_is_known_by_its_file() {
        let folder = file!().strip_suffix("frames.rs").expect("it is this file");
        for (file, expected) in [
            ("allocator.rs", true),
            ("sampling/stack.rs", true),
            ("hook/slow.rs", true),
            ("operations/track.rs", false),
            ("frames.rs", false),
        ] {
            assert_eq!(is_of_hook(&format!("/somewhere/{folder}{file}")), expected, "{file}");
        }
        assert!(!is_of_hook("/program/src/sampling/stack.rs"));
    }
}
