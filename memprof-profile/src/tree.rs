//! The names and leaves of a profile, and the properties of a leaf.
//!
//! | question | item |
//! |---|---|
//! | What is a name with bytes below it? | [`Branch`], [`Children`], [`Counts`] |
//! | What are bytes of one kind? | [`Leaf`], [`LeafKind`] |
//! | How are all leaves read? | [`Leaves`], [`Visitor`], [`Path`] |
//! | What is the purpose of the bytes, and where are they? | [`Role`], [`Device`], [`Origin`] |
//! | Why were contents not read? | [`OpaqueReason`] |
//! | How many tensors does a profile hold, and which are the largest? | [`Tensors`], [`TensorRecord`] |
//! | Which branches are not named after a field? | [`KEYS`], [`SHARED`], [`OTHER`] |
//! | Why was a path or a keyword refused? | [`PathNotFound`], [`KeywordError`] |
//!
//! ```
//! use memprof::tree::LeafKind;
//! use memprof::Profile;
//!
//! let mut numbers = Vec::with_capacity(100);
//! numbers.extend([1_u64, 2, 3]);
//! let profile = Profile::named("numbers", &numbers);
//! let spare: u64 = profile
//!     .leaves()
//!     .filter(|(_, leaf)| leaf.kind() == LeafKind::Spare)
//!     .map(|(_, leaf)| leaf.bytes())
//!     .sum();
//! assert_eq!(spare, 97 * 8);
//! ```

pub use crate::tensor::{TensorRecord, Tensors};
pub use crate::views::find::PathNotFound;
pub use crate::views::leaves::Leaves;
pub use crate::views::path::Path;
pub use crate::views::visit::Visitor;
pub use memprof_core::tree::{
    Branch, Children, Counts, Device, KEYS, KeywordError, Leaf, LeafKind, OTHER, OpaqueReason,
    Origin, Role, SHARED,
};
