//! The activations: tensors between two operations, registered for as long as they live.
//!
//! Each operation runs in here: what it made is registered, what it took goes into the books, and
//! its call is reported to the framework operations of the process.

use super::activation::{Activation, Input};
use super::books::Books;
use super::live::{Live, Slot, Stage};
use candle_core::{Error, Result, Tensor};
use memprof::heap::framework::{self, FrameworkCall};
use memprof::heap::{Measured, measure};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The activations of one thread's forward passes; clones are handles of the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activations(Arc<Registry>);

#[derive(Debug, Default)]
struct Registry {
    live: Arc<Mutex<Live>>,
    books: Mutex<Books>,
    watch: Mutex<Option<Watch>>,
}

/// Something to do once, when so many bytes of elements are live.
struct Watch {
    bytes: u64,
    then: Box<dyn FnOnce() + Send>,
}

impl Activations {
    /// What is live, for a session to profile.
    pub(crate) fn live(&self) -> Arc<Mutex<Live>> {
        self.0.live.clone()
    }

    /// Begins anew: peaks are forgotten, and what operations keep for good, as candle's products
    /// keep a buffer for each thread.
    pub(crate) fn open_books(&self) {
        let mut books = lock(&self.0.books);
        *books = Books::opened_after(&books);
    }

    pub(crate) fn books(&self) -> Books {
        *lock(&self.0.books)
    }

    /// Calls `then` once, as soon as exactly so many bytes of elements are live.
    pub(crate) fn when_live(&self, bytes: u64, then: impl FnOnce() + Send + 'static) {
        *lock(&self.0.watch) = Some(Watch { bytes, then: Box::new(then) });
    }

    /// Runs an operation that makes a tensor of these inputs, or a view of one of them.
    pub(super) fn run(
        &self,
        stage: Stage,
        operation: &str,
        inputs: &[Input<'_>],
        work: impl FnOnce() -> Result<Tensor>,
    ) -> Result<Activation> {
        let (tensor, measured, time) = timed(work)?;
        let viewed = inputs.iter().find(|input| input.shares_storage_with(&tensor));
        let (slot, made) = if let Some(input) = viewed {
            input.slot.inspect(|slot| self.add_handle(*slot));
            (input.slot, 0)
        } else {
            let slot = lock(&self.0.live).add(stage, &tensor);
            (Some(slot), slot.bytes)
        };
        let on_device = (!tensor.device().is_cpu()).then_some(made);
        report(operation, inputs, &measured, time, on_device);
        self.count(made, &measured);
        Ok(Activation::new(tensor, slot, stage, self))
    }

    /// Runs an operation that writes into a tensor that was there before.
    pub(super) fn run_in_place(
        &self,
        operation: &str,
        inputs: &[Input<'_>],
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let ((), measured, time) = timed(work)?;
        let on_device = inputs.iter().any(|input| !input.tensor.device().is_cpu()).then_some(0);
        report(operation, inputs, &measured, time, on_device);
        self.count(0, &measured);
        Ok(())
    }

    pub(super) fn add_handle(&self, slot: Slot) {
        lock(&self.0.live).add_handle(slot);
    }

    /// Drops a handle, and the registered tensor with the last one.
    pub(super) fn remove(&self, tensor: Tensor, slot: Option<Slot>) {
        let last = slot.and_then(|slot| lock(&self.0.live).remove_handle(slot));
        let freed = slot.filter(|_| last.is_some()).map_or(0, |slot| slot.bytes);
        let measured = measure(|| drop((tensor, last)))
            .map_or_else(|_| Measured::default(), |((), measured)| measured);
        framework::tensor_dropped(freed);
        lock(&self.0.books).remove(freed, &measured);
    }

    fn count(&self, made: u64, measured: &Measured) {
        let reached = {
            let mut books = lock(&self.0.books);
            books.add(made, measured);
            books.bytes
        };
        framework::tensor_created(made);
        let due = lock(&self.0.watch).take_if(|watch| watch.bytes == reached);
        // No lock is held: whoever is called looks at what is live.
        if let Some(watch) = due {
            (watch.then)();
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Watch").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Runs an operation: what it returns, what it asked of the host's memory, and how long it took.
fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, Measured, Duration)> {
    let timed = || {
        let start = Instant::now();
        (work(), start.elapsed())
    };
    let ((value, time), measured) = measure(timed).map_err(Error::wrap)?;
    Ok((value?, measured, time))
}

/// Reports a call to the framework operations. On the CPU there is no device apart.
fn report(
    operation: &str,
    inputs: &[Input<'_>],
    measured: &Measured,
    time: Duration,
    on_device: Option<u64>,
) {
    let shapes: Vec<&[usize]> = inputs.iter().map(|input| input.tensor.dims()).collect();
    let call = FrameworkCall::new(operation).shapes(&shapes);
    let call = call.cpu_time(time).cpu_bytes(measured.net_bytes());
    framework::record(match on_device {
        Some(bytes) => call.device_bytes(bytes.cast_signed()),
        None => call,
    });
}

/// A thread that panicked in here has left its own figures half added, at worst.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
