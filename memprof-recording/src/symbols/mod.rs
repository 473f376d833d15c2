//! The look-up of names, from the program's file or from separate debug files.

mod apply;
mod complete;
mod search;
mod stacks;

pub use search::{MissingNames, SymbolSearch, Symbolized};
