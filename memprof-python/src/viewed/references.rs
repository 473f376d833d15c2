//! The references of Python to arrays that values view.

#![expect(unsafe_code, reason = "PyO3 has no safe function that counts references")]

use super::{MOST_BASES, base};
use memprof_profile::MemoryProfile;
use memprof_profile::walk::{Position, Walk};
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of handles if they were not counted: this value's and one of Python.
const UNCOUNTED: usize = 2;

/// The wrapped object of a value, and the number of handles that keep its memory alive.
#[derive(Debug)]
pub(super) struct References {
    object: Py<PyAny>,
    /// True if views of the object's kind have the attribute `base`.
    has_base: bool,
    /// The number of handles when [`with_references`] last counted them.
    handles: AtomicUsize,
}

/// The walk on this thread, as far as it concerns references.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// The references are not counted.
    Uncounted,
    /// The memory that values view is left out.
    LeftOut,
    /// The walk collects the references that it meets.
    Collect,
    /// The references were counted right before the walk.
    Counted,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Uncounted) };
    /// The references that a walk met in the mode [`Mode::Collect`].
    static MET: RefCell<Vec<Arc<References>>> = const { RefCell::new(Vec::new()) };
}

impl References {
    pub(super) fn new(object: &Bound<'_, PyAny>, has_base: bool) -> Self {
        let object = object.clone().unbind();
        Self { object, has_base, handles: AtomicUsize::new(UNCOUNTED) }
    }

    pub(super) fn object(&self) -> &Py<PyAny> {
        &self.object
    }

    /// Returns the number of handles, or `None` if the walk leaves viewed memory out.
    pub(super) fn met(self: &Arc<Self>) -> Option<usize> {
        match MODE.get() {
            Mode::LeftOut => return None,
            Mode::Uncounted => return Some(UNCOUNTED),
            Mode::Collect => MET.with_borrow_mut(|met| met.push(self.clone())),
            Mode::Counted => {}
        }
        Some(self.handles.load(Ordering::Relaxed))
    }

    /// Counts the handles that keep the memory alive.
    fn count(&self, py: Python<'_>) {
        let object = self.object.bind(py);
        let of_object = count(object);
        let handles = if !self.has_base {
            // The framework has handles that Python does not count.
            of_object.saturating_add(1)
        } else if let Some(owner) = owner(object) {
            // Each view has one reference to the owner, and `owner` is another one. This value has one
            // reference to its view, which the view's reference to the owner already counts.
            (count(&owner) - 1).saturating_add(of_object - 1)
        } else {
            of_object
        };
        self.handles.store(handles, Ordering::Relaxed);
    }
}

/// The object belongs to Python.
impl MemoryProfile for References {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
}

/// Returns the array with the memory that a view of NumPy views, or `None` if the array has memory of
/// its own.
fn owner<'py>(array: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let mut owner = base(array).ok()??;
    for _ in 1..MOST_BASES {
        let Ok(Some(base)) = base(&owner) else { break };
        owner = base;
    }
    Some(owner)
}

/// Returns the number of references to the object, including this one. In a free-threaded
/// interpreter, the figure is approximate.
fn count(object: &Bound<'_, PyAny>) -> usize {
    // SAFETY: the pointer is a live object, and the thread is attached to the interpreter.
    let count = unsafe { pyo3::ffi::Py_REFCNT(object.as_ptr()) };
    usize::try_from(count).unwrap_or(0).max(1)
}

/// Walks, without the GIL, with the references of Python to the memory that values view.
///
/// If the walk meets such a value, the references are counted with the GIL, and the walk is made
/// again. A walk cannot count them itself: it may hold a lock for which the thread with the GIL waits.
pub(crate) fn with_references<R: Send>(py: Python<'_>, walk: impl Fn() -> R + Sync) -> R {
    let (result, met) = py.detach(|| {
        let result = in_mode(Mode::Collect, &walk);
        (result, MET.take())
    });
    if met.is_empty() {
        return result;
    }
    drop(result);
    for references in &met {
        references.count(py);
    }
    drop(met);
    py.detach(|| in_mode(Mode::Counted, &walk))
}

/// Walks without the memory that values only view. The walk must be on this thread.
pub(crate) fn left_out<R>(walk: impl FnOnce() -> R) -> R {
    in_mode(Mode::LeftOut, walk)
}

fn in_mode<R>(mode: Mode, walk: impl FnOnce() -> R) -> R {
    /// Restores the mode even if the walk panics.
    struct Restore(Mode);

    impl Drop for Restore {
        fn drop(&mut self) {
            if MODE.replace(self.0) == Mode::Collect && std::thread::panicking() {
                drop(MET.take());
            }
        }
    }

    let _restore = Restore(MODE.replace(mode));
    walk()
}
