//! Bytes of tensors that a framework's wrapper reports, by the thread that creates or drops them.

use crate::operations::report_tensors;

/// Reports that this thread created a tensor of `bytes` bytes, on any device.
///
/// The bytes that a thread reports while a call of an operation runs are added to the
/// [`tensor_net_bytes`](crate::event::OperationEvent::tensor_net_bytes) of that call. Before
/// the first report, the tensors of all calls are unknown, not 0.
///
/// ```
/// use memprof::heap::event::{drain_operation_events, set_operation_events};
/// use memprof::heap::framework::{tensor_created, tensor_dropped};
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// set_operation_events(true);
/// {
///     let _operation = operation!("forward");
///     tensor_created(4096);
///     tensor_dropped(1024);
/// }
/// let mut tensors = None;
/// drain_operation_events(|event| tensors = event.tensor_net_bytes);
/// assert_eq!(tensors, Some(3072));
/// # }
/// ```
pub fn tensor_created(bytes: u64) {
    report_tensors(bytes.cast_signed());
}

/// Reports that this thread dropped a tensor of `bytes` bytes; see [`tensor_created`].
pub fn tensor_dropped(bytes: u64) {
    report_tensors(bytes.cast_signed().wrapping_neg());
}
