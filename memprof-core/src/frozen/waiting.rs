//! The list of frozen values that wait until the frozen value that contains them is visited.

use crate::layout::Deferred;
use crate::position::Position;

/// The frozen values that a walk met inside the frozen value that it visits now.
#[derive(Default)]
pub(crate) struct Waiting<'a> {
    /// True while the contents of a frozen value are visited.
    pub(super) is_inside: bool,
    /// The values to visit. The last one is visited next.
    pub(super) list: Vec<Met<'a>>,
}

/// A handle to a frozen value that was met inside another one.
pub(super) struct Met<'a> {
    pub(super) value: Handle<'a>,
    pub(super) identity: u64,
    pub(super) at: Position,
    pub(super) context: u32,
}

/// A frozen value that waits for its visit.
pub(super) enum Handle<'a> {
    /// A handle that the walk met.
    Visited(Deferred<'a>),
    /// A handle inside a remembered value. The number is the index of the value to which the handle
    /// leads.
    Remembered(u32),
}
