//! Impls for the types of std, by the kind of memory they own.

mod compound;
pub(crate) mod opaque;
pub(crate) mod scalar;
pub(crate) mod wrapper;

mod pointer;
mod text;

mod io;
mod sequence;

pub(crate) mod cell;
mod lazy;
pub(crate) mod shared;

pub(crate) mod btree;
pub(crate) mod hash_map;

mod erased;
pub(crate) mod sync;
