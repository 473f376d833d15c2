//! Places whose memory keeps growing.

use super::{Estimate, Place};
use serde::{Deserialize, Serialize};

/// A place in the source whose memory grows, as far as one operation came there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Leak {
    /// The place.
    pub place: Place,
    /// The operations that ran, the outermost first; empty outside of all.
    pub operation: Vec<String>,
    /// By how many bytes it grows in a second.
    pub bytes_per_second: f64,
    /// By how many with each call of the operation; `None` outside of all.
    pub bytes_per_call: Option<f64>,
    /// How unlikely it is that a series without a trend rises as much: 0.99 is one in a hundred.
    pub confidence: f64,
    /// Bytes live of those allocated since the session began.
    pub live: Estimate,
    /// The same in blocks.
    pub live_blocks: Estimate,
    /// The call stack that holds most, the innermost frame first.
    pub stack: Vec<Place>,
}
