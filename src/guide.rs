//! Pages that teach by example.

#[doc = include_str!("../docs/statistics.md")]
pub mod statistics {}

#[doc = include_str!("../docs/sharing.md")]
pub mod sharing {}

#[doc = include_str!("../docs/advice.md")]
pub mod advice {}
