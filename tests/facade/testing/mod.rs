//! The assertion macros: the arguments that they accept, and their panics.

mod budget;
mod location;
mod stored;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the text of the panic.
fn panic_of(work: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
    *payload.downcast::<String>().expect("a panic with a message")
}
