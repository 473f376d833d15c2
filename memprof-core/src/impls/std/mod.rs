//! Impls for the types of std, by the kind of memory they own.

mod compound;
pub(crate) mod scalar;
pub(crate) mod wrapper;

mod io;
mod sequence;

pub(crate) mod cell;
pub(crate) mod shared;

pub(crate) mod map;
