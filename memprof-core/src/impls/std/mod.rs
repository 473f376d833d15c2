//! Impls for the types of std, by the kind of memory they own.

mod flat;
mod hidden;
mod wrapper;

mod marker;
mod number;
mod pointer;
mod primitive;
mod range;
mod text;
mod time;
mod tuple;

mod array;
mod boxed;
mod pin;
mod sequence;

mod cell;
mod lazy;
mod option;
mod shared;

pub(crate) mod btree;
mod btree_census;
pub(crate) mod hash_map;
mod hash_table;
mod hasher;
mod linked_list;

mod buffered;
mod erased;
mod file;
mod net;
mod sync;
