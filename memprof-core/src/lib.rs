//! The trait, the walk and the tree of memprof. Use the crate `memprof`, which adds the derive.

mod frame;
mod memory_profile;
mod opaque;
mod role;
mod shape;

mod probe;

mod paths;
mod sharing;
mod walk;

mod impls;
mod profile;

pub use frame::{KEYS, Kind, OTHER, SHARED};
pub use memory_profile::MemoryProfile;
pub use opaque::Opaque;
pub use profile::{Branch, Counts, Leaf, Profile, total_bytes};
pub use role::Role;
pub use shape::{Field, Shape};
pub use sharing::Shared;
pub use walk::{At, Fields, Walk};
