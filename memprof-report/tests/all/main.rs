//! What is shown of a recording, and written of it for other tools.

mod lanes;
#[cfg(feature = "page")]
mod page;
