//! Impls for the types of std, by the kind of memory they own.

mod primitive;
mod text;
mod tuple;

mod array;
mod boxed;
mod sequence;

mod cell;
mod option;
mod shared;

mod btree;
mod btree_census;
mod hash_map;
mod hash_table;
mod linked_list;
