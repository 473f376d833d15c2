//! Registered roots: values that each snapshot profiles without waiting for a lock.

mod found;
mod registry;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use found::FoundRoots;
pub(crate) use registry::{Limits, Root, Roots, SharedClaims, Wanted};
pub use walk::RootWalk;
