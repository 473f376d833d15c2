//! memprof compared with its peers: the values, the hand-written exact sums and the peers.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "this package is not published"
)]

pub mod clock;
pub mod counting;
pub mod hand;
pub mod peers;
pub mod values;
pub mod workload;
pub mod xorshift;

pub use peers::Peer;
pub use workload::{Bar, Large, Side, Subject, Workload};
