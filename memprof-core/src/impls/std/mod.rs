//! Impls for the types of std, by the kind of memory they own.

mod compound;
pub(crate) mod scalar;
pub(crate) mod wrapper;

mod io;
pub(crate) mod list;
mod sequence;

pub(crate) mod cell;
pub(crate) mod shared;

pub(crate) mod btree;
pub(crate) mod table;
