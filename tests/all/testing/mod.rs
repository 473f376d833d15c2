//! The macros that tests call: what they take, and the panics of those that fail.

mod budget;
mod place;
mod stored;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text of the panic.
fn panic_of(work: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
    *payload.downcast::<String>().expect("a panic with a message")
}
