//! Comparisons of profiles with the allocator's counts, byte for byte.
//!
//! | question | item |
//! |---|---|
//! | Is the profile of a value exact? | [`assert_exact!`](crate::assert_exact), [`check_exact`] |
//! | By how much does it differ? | [`Balance`], [`ExactError`] |
//! | Are the layouts of std's collections as described? | [`check_layouts`], [`LayoutError`] |

pub use crate::results::exact::{Balance, ExactError, check_exact};
pub use crate::results::layouts::{LayoutError, check_layouts};
