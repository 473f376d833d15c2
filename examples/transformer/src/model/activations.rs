//! The activations: tensors between two operations, registered for as long as they live.
//!
//! Each storage has one slot here, which a tensor and its views share; so the registry owns what it
//! says it owns, and a session can profile it. The books add up the same bytes as they come and go:
//! by the storages' sizes, which holds on every device, and by what the allocator was asked for.

use candle_core::{Error, Result, Tensor};
use memprof::MemoryProfile;
use memprof::heap::{framework, measure};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where in the forward pass a tensor is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Tokens, mask, and what goes from layer to layer.
    Residual,
    Attention,
    Mlp,
    Head,
}

/// The live activations of one thread's forward pass; clones are handles of the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activations(Arc<Registry>);

#[derive(Debug, Default)]
struct Registry {
    live: Arc<Mutex<Live>>,
    books: Mutex<Books>,
    watch: Mutex<Option<Watch>>,
}

/// What is live, by the part that made it: the root of a session.
#[derive(Debug, Default, MemoryProfile)]
pub(crate) struct Live {
    residual: Slots,
    attention: Slots,
    mlp: Slots,
    head: Slots,
}

#[derive(Debug, Default, MemoryProfile)]
struct Slots {
    tensors: Vec<Option<Tensor>>,
    /// Handles of each, views included; kept in step with `tensors`.
    #[profile(role = "metadata")]
    handles: Vec<u32>,
}

/// What the activations took since [`Activations::open_books`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Books {
    /// Bytes of elements in live storages, and the most there were.
    pub(crate) bytes: u64,
    pub(crate) peak_bytes: u64,
    /// Bytes of the host's memory that operations asked for and have not given back, and the most
    /// there were, which includes what an operation needs only while it runs.
    host_bytes: i64,
    pub(crate) host_peak_bytes: i64,
    /// The most that one operation asked for beyond what it left.
    pub(crate) scratch_peak_bytes: i64,
}

/// Something to do once, when so many bytes are live.
struct Watch {
    bytes: u64,
    then: Box<dyn FnOnce() + Send>,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Watch({} bytes)", self.bytes)
    }
}

/// A tensor of the forward pass: the result of an operation, or a view of one.
#[derive(Debug)]
pub(crate) struct Activation {
    /// Taken only when dropped.
    tensor: Option<Tensor>,
    slot: Option<Slot>,
    /// Where what is made of it belongs.
    stage: Stage,
    of: Activations,
}

/// Where a storage is registered.
#[derive(Clone, Copy, Debug)]
struct Slot {
    stage: Stage,
    index: usize,
    bytes: u64,
}

impl Activations {
    /// What a session profiles.
    pub(crate) fn live(&self) -> Arc<Mutex<Live>> {
        self.0.live.clone()
    }

    /// Begins anew: peaks are forgotten, and what operations keep for good, as candle's products
    /// keep a buffer of each thread. What is live stays.
    pub(crate) fn open_books(&self) {
        let mut books = lock(&self.0.books);
        let bytes = books.bytes;
        *books = Books { bytes, peak_bytes: bytes, ..Books::default() };
    }

    pub(crate) fn books(&self) -> Books {
        *lock(&self.0.books)
    }

    /// Calls `then` once, as soon as so many bytes of elements are live.
    pub(crate) fn when_live(&self, bytes: u64, then: impl FnOnce() + Send + 'static) {
        *lock(&self.0.watch) = Some(Watch { bytes, then: Box::new(then) });
    }

    /// Runs an operation that makes a tensor of these inputs, and registers what it made.
    pub(super) fn run(
        &self,
        stage: Stage,
        operation: &str,
        inputs: &[Input<'_>],
        work: impl FnOnce() -> Result<Tensor>,
    ) -> Result<Activation> {
        let (tensor, measured, time) = measured(work)?;
        let tensor = tensor?;
        let shared = inputs.iter().find(|input| in_one_storage(input.tensor, &tensor));
        let slot = match shared {
            Some(input) => input.slot.inspect(|slot| self.add_handle(*slot)),
            None => Some(self.add(stage, &tensor)),
        };
        let made = slot.filter(|_| shared.is_none()).map_or(0, |slot| slot.bytes);
        report(operation, inputs, &tensor, made, &measured, time);
        self.count(&measured, made);
        Ok(Activation { tensor: Some(tensor), slot, stage, of: self.clone() })
    }

    /// Runs an operation that writes into a tensor that was there before.
    pub(super) fn run_in_place(
        &self,
        operation: &str,
        inputs: &[Input<'_>],
        into: &Tensor,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let (done, measured, time) = measured(work)?;
        done?;
        report(operation, inputs, into, 0, &measured, time);
        self.count(&measured, 0);
        Ok(())
    }

    fn add(&self, stage: Stage, tensor: &Tensor) -> Slot {
        let bytes = (tensor.elem_count() * tensor.dtype().size_in_bytes()) as u64;
        let mut live = lock(&self.0.live);
        let slots = live.of(stage);
        let free = slots.handles.iter().position(|handles| *handles == 0);
        let index = free.unwrap_or_else(|| {
            slots.tensors.push(None);
            slots.handles.push(0);
            slots.handles.len() - 1
        });
        slots.tensors[index] = Some(tensor.clone());
        slots.handles[index] = 1;
        Slot { stage, index, bytes }
    }

    fn add_handle(&self, slot: Slot) {
        lock(&self.0.live).of(slot.stage).handles[slot.index] += 1;
    }

    /// Gives one handle back; the tensor of the slot, if it was the last one.
    fn remove_handle(&self, slot: Slot) -> Option<Tensor> {
        let mut live = lock(&self.0.live);
        let slots = live.of(slot.stage);
        slots.handles[slot.index] -= 1;
        if slots.handles[slot.index] == 0 { slots.tensors[slot.index].take() } else { None }
    }

    fn count(&self, measured: &memprof::heap::Measured, made: u64) {
        let reached = {
            let mut books = lock(&self.0.books);
            let books = &mut *books;
            let most = books.host_bytes + measured.peak_bytes.cast_signed();
            books.host_peak_bytes = books.host_peak_bytes.max(most);
            books.host_bytes += measured.net_bytes();
            let scratch = measured.peak_bytes.cast_signed() - measured.net_bytes();
            books.scratch_peak_bytes = books.scratch_peak_bytes.max(scratch);
            books.bytes += made;
            books.peak_bytes = books.peak_bytes.max(books.bytes);
            books.bytes
        };
        let due = lock(&self.0.watch).take_if(|watch| watch.bytes == reached);
        // No lock is held: whoever is called looks at what is live.
        if let Some(watch) = due {
            (watch.then)();
        }
    }
}

impl Live {
    fn of(&mut self, stage: Stage) -> &mut Slots {
        match stage {
            Stage::Residual => &mut self.residual,
            Stage::Attention => &mut self.attention,
            Stage::Mlp => &mut self.mlp,
            Stage::Head => &mut self.head,
        }
    }
}

impl Activation {
    pub(crate) fn tensor(&self) -> &Tensor {
        self.tensor.as_ref().expect("it is taken only when dropped")
    }

    pub(super) fn activations(&self) -> &Activations {
        &self.of
    }

    /// Where what is made of it belongs.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// The same handle, for another stage.
    pub(super) fn for_stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Another handle of the same tensor.
    pub(super) fn share(&self) -> Self {
        if let Some(slot) = self.slot {
            self.of.add_handle(slot);
        }
        let (tensor, slot, stage) = (self.tensor.clone(), self.slot, self.stage);
        Self { tensor, slot, stage, of: self.of.clone() }
    }
}

impl Drop for Activation {
    fn drop(&mut self) {
        let (tensor, slot) = (self.tensor.take(), self.slot);
        let last = slot.and_then(|slot| self.of.remove_handle(slot));
        let freed = if last.is_some() { slot.map_or(0, |slot| slot.bytes) } else { 0 };
        let Ok(((), measured)) = measure(|| drop((tensor, last))) else { return };
        framework::tensor_dropped(freed);
        let mut books = lock(&self.of.0.books);
        books.host_bytes += measured.net_bytes();
        books.bytes -= freed;
    }
}

/// What an operation is given: an activation, or a tensor of the model or of the cache.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    tensor: &'a Tensor,
    slot: Option<Slot>,
}

impl<'a> From<&'a Activation> for Input<'a> {
    fn from(activation: &'a Activation) -> Self {
        Self { tensor: activation.tensor(), slot: activation.slot }
    }
}

impl<'a> From<&'a Tensor> for Input<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self { tensor, slot: None }
    }
}

impl<'a> Input<'a> {
    pub(super) fn tensor(self) -> &'a Tensor {
        self.tensor
    }
}

/// Runs `work`: what it returns, what it asked the allocator for, how long it took.
fn measured<T>(
    work: impl FnOnce() -> T,
) -> Result<(T, memprof::heap::Measured, std::time::Duration)> {
    let timed = || {
        let start = std::time::Instant::now();
        (work(), start.elapsed())
    };
    let ((value, time), measured) = measure(timed).map_err(Error::wrap)?;
    Ok((value, measured, time))
}

/// Reports a call to the framework operations: `made` bytes of elements on the tensor's device.
fn report(
    operation: &str,
    inputs: &[Input<'_>],
    tensor: &Tensor,
    made: u64,
    measured: &memprof::heap::Measured,
    time: std::time::Duration,
) {
    let shapes: Vec<&[usize]> = inputs.iter().map(|input| input.tensor.dims()).collect();
    let call = framework::FrameworkCall::new(operation)
        .shapes(&shapes)
        .cpu_time(time)
        .cpu_bytes(measured.net_bytes());
    // On the CPU there is no device apart, and on a GPU nobody has asked its clock.
    let on_device = !tensor.device().is_cpu();
    framework::record(if on_device { call.device_bytes(made.cast_signed()) } else { call });
    framework::tensor_created(made);
}

/// Whether two tensors show the same storage: it is behind a lock that stays where it is.
fn in_one_storage(one: &Tensor, other: &Tensor) -> bool {
    let address = |tensor: &Tensor| (&raw const *tensor.storage_and_layout().0).addr();
    address(one) == address(other)
}

/// A thread that panicked in here has left its own figures half added, at worst.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
