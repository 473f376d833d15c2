//! The look-up of names, from the program's file or from separate debug files.

pub mod apply;
pub mod complete;
mod qualified;
mod search;
pub mod stacks;

#[doc(hidden)]
pub use search::look_up;
pub use search::{MissingNames, SymbolSearch, Symbolized};
