//! The package consists of its tests.

/// Items that need a feature do not exist without it, and the compiler's error names the feature.
///
/// ```compile_fail,E0425
/// let _ = memprof::heap::totals();
/// ```
///
/// The bound of this method has a message with the feature.
///
/// ```compile_fail,E0277
/// let _ = memprof::Profile::of(&1).to_json();
/// ```
///
/// ```compile_fail,E0277
/// let _ = memprof::Profile::of(&1).write_yaml(Vec::new());
/// ```
#[cfg(feature = "alone")]
pub mod needs_features {}
