//! Registered roots: values that each snapshot profiles without waiting for a lock.

mod budget;
mod registry;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use registry::Roots;
pub(crate) use registry::{Found, Limits, Root, SharedClaims, Wanted};
pub use walk::RootWalk;
