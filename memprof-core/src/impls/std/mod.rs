//! Impls for the types of std, by the kind of memory they own.

pub(crate) mod flat;
pub(crate) mod opaque;
pub(crate) mod wrapper;

mod marker;
mod number;
mod pointer;
pub(crate) mod primitive;
mod range;
mod text;
mod time;
mod tuple;

mod array;
mod boxed;
mod pin;
mod sequence;

pub(crate) mod cell;
mod lazy;
mod option;
pub(crate) mod shared;

pub(crate) mod btree;
pub(crate) mod entries;
pub(crate) mod hash_map;
mod hasher;
mod linked_list;

mod buffered;
mod erased;
mod file;
mod net;
pub(crate) mod sync;
