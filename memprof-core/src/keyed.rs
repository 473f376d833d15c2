//! Maps whose entries have paths of their own, on request: the key names the path.

use crate::{At, Walk};

/// A map that `#[profile(keyed)]` can show entry by entry.
#[diagnostic::on_unimplemented(
    message = "`#[profile(keyed)]` does not know how to name the entries of `{Self}`",
    label = "not a map whose keys implement `Display`",
    note = "`keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`"
)]
pub trait Keyed {
    /// Adds what the map owns, each value below a position that its key names.
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: At);
}
