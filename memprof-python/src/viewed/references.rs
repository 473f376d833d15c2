//! The references of Python to arrays that values view.

#![expect(unsafe_code, reason = "PyO3 has no safe function that counts references")]

use super::base;
use memprof_profile::MemoryProfile;
use memprof_profile::walk::{Position, Walk};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of handles if they were not counted: this value's and one of Python.
const UNCOUNTED: usize = 2;

/// The wrapped object of a value.
#[derive(Debug)]
pub(super) struct References {
    object: Py<PyAny>,
    /// The address of the memory, which views share.
    address: usize,
    /// True if views of the object's kind have the attribute `base`.
    has_base: bool,
}

/// The way in which the walk on this thread treats references.
enum Mode {
    /// The references are not counted.
    Uncounted,
    /// The memory that values view is left out.
    LeftOut,
    /// The walk collects the references that it visits.
    Collect(Vec<Arc<References>>),
    /// The references were counted directly before the walk, by the address of the memory.
    Counted(HashMap<usize, usize>),
}

thread_local! {
    static MODE: RefCell<Mode> = const { RefCell::new(Mode::Uncounted) };
}

impl References {
    pub(super) fn new(object: &Bound<'_, PyAny>, address: usize, has_base: bool) -> Self {
        Self { object: object.clone().unbind(), address, has_base }
    }

    pub(super) fn object(&self) -> &Py<PyAny> {
        &self.object
    }

    /// Returns the number of handles that keep the memory alive, or `None` if the walk leaves viewed
    /// memory out.
    pub(super) fn met(self: &Arc<Self>) -> Option<usize> {
        MODE.with_borrow_mut(|mode| match mode {
            Mode::LeftOut => None,
            Mode::Uncounted => Some(UNCOUNTED),
            Mode::Collect(met) => {
                met.push(self.clone());
                Some(UNCOUNTED)
            }
            // Memory that only the second walk visits was not counted.
            Mode::Counted(handles) => {
                Some(handles.get(&self.address).copied().unwrap_or(UNCOUNTED))
            }
        })
    }
}

/// Counts the handles that keep the memory at each address alive.
///
/// A handle is a reference to an array of the memory: to the array that owns it, or to a view. A
/// view's own reference to its base is not a handle, because the references to the view count.
fn handles(py: Python<'_>, met: &[Arc<References>]) -> HashMap<usize, usize> {
    // A sum may be negative before all references are added.
    let mut handles: HashMap<usize, isize> = HashMap::new();
    let (mut seen, mut extra) = (HashSet::new(), HashSet::new());
    for references in met {
        let handles = handles.entry(references.address).or_default();
        if !references.has_base && extra.insert(references.address) {
            // Count one handle for the framework, because Python does not count the framework's
            // handles.
            *handles += 1;
        }
        let mut next = Some(references.object.bind(py).clone());
        while let Some(object) = next.filter(|object| seen.insert(object.as_ptr().addr())) {
            // Do not count the local variable `object`, which is a reference too.
            *handles += count(&object) - 1;
            next = if references.has_base { base(&object).ok().flatten() } else { None };
            *handles -= isize::from(next.is_some()) + isize::from(is_mapped(&object));
        }
    }
    let known = |(address, handles)| (address, usize::try_from(handles).unwrap_or(0));
    handles.into_iter().map(known).collect()
}

/// Owns nothing, because the object belongs to Python.
impl MemoryProfile for References {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
}

/// Returns true for an array of the class `numpy.memmap`, which has a second reference to the
/// mapped file. The views of such an array have a second reference too.
fn is_mapped(object: &Bound<'_, PyAny>) -> bool {
    object.getattr_opt("_mmap").is_ok_and(|map| map.is_some_and(|map| !map.is_none()))
}

/// Returns the number of references to the object, including this one. In a free-threaded
/// interpreter, the figure is approximate.
fn count(object: &Bound<'_, PyAny>) -> isize {
    // SAFETY: the pointer is a live object, and the thread is attached to the interpreter.
    let count = unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) };
    count.max(1)
}

/// Runs `walk` without the GIL, after counting Python's references to the memory that values view.
///
/// If the walk visits such a value, this function counts the references with the GIL, and walks
/// again. A walk cannot count them itself: it may hold a lock for which the thread with the GIL
/// waits.
pub(crate) fn with_references<R: Send>(py: Python<'_>, walk: impl Fn() -> R + Sync) -> R {
    let (result, mode) = py.detach(|| in_mode(Mode::Collect(Vec::new()), &walk));
    let Mode::Collect(met) = mode else { return result };
    if met.is_empty() {
        return result;
    }
    drop(result);
    let handles = handles(py, &met);
    drop(met);
    py.detach(|| in_mode(Mode::Counted(handles), &walk)).0
}

/// Walks without the memory that values only view. The walk must be on this thread.
pub(crate) fn left_out<R>(walk: impl FnOnce() -> R) -> R {
    in_mode(Mode::LeftOut, walk).0
}

/// Runs `walk` in a mode, and returns the mode with the references that it collected. A walk within
/// another one has a mode of its own.
fn in_mode<R>(mode: Mode, walk: impl FnOnce() -> R) -> (R, Mode) {
    /// Restores the mode even if the walk panics.
    struct Restore(Option<Mode>);

    impl Restore {
        fn restore(&mut self) -> Option<Mode> {
            self.0.take().map(|before| MODE.replace(before))
        }
    }

    impl Drop for Restore {
        fn drop(&mut self) {
            drop(self.restore());
        }
    }

    let mut restore = Restore(Some(MODE.replace(mode)));
    let result = walk();
    (result, restore.restore().unwrap_or(Mode::Uncounted))
}
