//! The activations: results of candle's operations, registered with memprof while they live.

use candle_core::{Result, Tensor};
use memprof::heap::framework;
use memprof::session::SessionHandle;
use memprof::{MemoryProfile, Profile};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The live activations by the operation that made them, each storage once.
#[derive(Debug, Default, MemoryProfile)]
pub(crate) struct Live {
    #[profile(keyed)]
    made_by: BTreeMap<&'static str, Vec<Tensor>>,
}

/// The registry of activations.
pub(crate) struct Activations {
    pub(crate) live: Arc<Mutex<Live>>,
    /// The maximum of live bytes of elements in this pass, and the profile at that moment.
    peak: Mutex<(u64, Option<Profile>)>,
    session: SessionHandle,
    snapshot_at: u64,
}

/// A tensor of the forward pass; a clone is a handle to the same tensor.
#[derive(Clone)]
pub(crate) struct Activation {
    pub(crate) tensor: Tensor,
    /// The registration, which all handles and views of one storage share.
    registered: Arc<Registered>,
}

struct Registered {
    tensor: Tensor,
    of: Arc<Activations>,
}

impl Activations {
    /// Creates a registry that takes a snapshot of the session when `snapshot_at` bytes of elements
    /// are live.
    pub(crate) fn new(session: SessionHandle, snapshot_at: u64) -> Arc<Self> {
        let (live, peak) = (Arc::default(), Mutex::default());
        Arc::new(Self { live, peak, session, snapshot_at })
    }

    /// Ends a pass and returns the profile of the moment with the most live bytes of elements.
    pub(crate) fn take_peak(&self) -> Option<Profile> {
        std::mem::take(&mut *lock(&self.peak)).1
    }

    /// Registers the result of an operation.
    pub(crate) fn register(self: &Arc<Self>, made_by: &'static str, tensor: Tensor) -> Activation {
        framework::tensor_created(bytes(&tensor));
        let mut live = lock(&self.live);
        live.made_by.entry(made_by).or_default().push(tensor.clone());
        let most = live.made_by.values().flatten().map(bytes).sum();
        let is_peak = most > lock(&self.peak).0;
        if is_peak {
            *lock(&self.peak) = (most, Some(live.profile()));
        }
        // The snapshot reads the live activations, so their lock is released first.
        drop(live);
        if is_peak && most == self.snapshot_at {
            self.session.checkpoint("largest moment");
        }
        let registered = Arc::new(Registered { tensor: tensor.clone(), of: self.clone() });
        Activation { tensor, registered }
    }
}

impl Live {
    fn profile(&self) -> Profile {
        let named = |name: &&'static str, tensor| (*name, tensor as &dyn MemoryProfile);
        let tensors =
            self.made_by.iter().flat_map(|(name, all)| all.iter().map(|t| named(name, t)));
        Profile::of_all("activations", tensors)
    }
}

impl Activation {
    /// Runs an operation on this tensor, and then drops this handle.
    pub(crate) fn then(
        self,
        operation: &'static str,
        work: impl FnOnce(&Tensor) -> Result<Tensor>,
    ) -> Result<Self> {
        let made = framework::run(operation, &[self.tensor.dims()], || work(&self.tensor))?;
        Ok(self.registered(operation, made))
    }

    /// Runs an operation on this tensor and another one, and then drops this handle.
    pub(crate) fn with(
        self,
        operation: &'static str,
        other: &Tensor,
        work: impl FnOnce(&Tensor, &Tensor) -> Result<Tensor>,
    ) -> Result<Self> {
        let shapes = [self.tensor.dims(), other.dims()];
        let made = framework::run(operation, &shapes, || work(&self.tensor, other))?;
        Ok(self.registered(operation, made))
    }

    /// Multiplies this tensor by the transpose of a weight of `[outputs, inputs]`.
    pub(crate) fn linear(self, weight: &Tensor) -> Result<Self> {
        self.with("linear", weight, |x, weight| x.matmul(&weight.t()?))
    }

    /// Registers a result, unless it is a view of this tensor's storage.
    fn registered(&self, operation: &'static str, tensor: Tensor) -> Self {
        let storage = |tensor: &Tensor| (&raw const *tensor.storage_and_layout().0).addr();
        if storage(&tensor) == storage(&self.tensor) {
            return Self { tensor, registered: self.registered.clone() };
        }
        self.registered.of.register(operation, tensor)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock(&self.of.live).made_by.retain(|_, tensors| {
            tensors.retain(|tensor| tensor.id() != self.tensor.id());
            !tensors.is_empty()
        });
        framework::tensor_dropped(bytes(&self.tensor));
    }
}

fn bytes(tensor: &Tensor) -> u64 {
    (tensor.elem_count() * tensor.dtype().size_in_bytes()) as u64
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
