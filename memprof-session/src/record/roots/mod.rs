//! Registered roots: values that are profiled in each snapshot, without waiting for anybody.

mod budget;
mod registry;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use registry::Roots;
pub(crate) use registry::{Found, Limits, Root, SharedClaims};
pub use walk::RootWalk;
