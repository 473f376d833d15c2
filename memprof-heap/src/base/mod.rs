//! Layer 0: the base of all other modules. Nothing here imports from another folder.
//!
//! | module | contents |
//! |---|---|
//! | `sync` | the atomics |
//! | `list` | a list without a lock |
//! | `fork`, `fork_lock` | what happens around a fork; a lock that a forked child can take |
//! | `pin` | keeps the library loaded |
//! | `own_memory` | memory for memprof's own tables |
//! | `level_word`, `switching` | levels, and the word that each call of the allocator reads first |
//! | `clock` | the one clock |
//! | `modules` | the loaded modules, with their build ids |
//! | `thread_name` | the name of the current thread |
//! | `callback`, `party` | functions and settings of the program and of a recorder |

pub(crate) mod callback;
pub(crate) mod clock;
pub(crate) mod fork;
pub(crate) mod fork_lock;
pub(crate) mod level_word;
pub(crate) mod list;
pub(crate) mod modules;
pub(crate) mod own_memory;
pub(crate) mod party;
pub(crate) mod pin;
mod switching;
pub(crate) mod sync;
pub(crate) mod thread_name;
