//! The trait that values implement, the walk over them, and the tree of numbers that it collects.
//!
//! A library implements [`MemoryProfile`] against this crate alone. Programs use the crate
//! `memprof`, which adds the derive macro and the display of profiles.

mod keyword;

mod device;
mod frame;
mod memory_profile;
mod opaque;
mod origin;
mod role;
mod shape;

mod layout;

mod excess;
mod observer;
mod paths;
mod position;
mod sharing;
mod tally;
mod tensor;
mod walk;
mod watch;
mod windows;

mod follow;
mod foreign;
mod keyed;

mod impls;

pub mod tree;

mod collected;

pub use collected::{Collected, total_bytes};
pub use device::Device;
pub use follow::Follow;
pub use frame::{KEYS, Kind, OTHER, SHARED};
pub use keyed::Keyed;
pub use keyword::KeywordError;
pub use layout::check as layout_check;
pub use memory_profile::MemoryProfile;
pub use observer::Observer;
pub use opaque::Opaque;
pub use origin::Origin;
pub use position::{At, Fields};
pub use role::Role;
pub use shape::{Field, Shape};
pub use sharing::Shared;
pub use tally::Tally;
pub use tensor::{CollectedTensor, CollectedTensors, Storage, Tensor};
pub use tree::{Branch, Children, Counts, Leaf};
pub use walk::Walk;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
