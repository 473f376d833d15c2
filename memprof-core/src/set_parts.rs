//! The trait that gives access to the parts of a set: its values, and everything else.

use crate::MemoryProfile;
use crate::impls::std::entries::add_values;
use crate::walk::{Position, Walk};

/// A set that the walk can add in two parts: its values, and everything else.
///
/// [`add_set`] adds the whole set, and `each` profiles its values by a function. The nodes of a
/// B-tree are counted while its values are visited, so B-trees do not use this trait.
pub(crate) trait SetParts {
    /// The type of the values.
    type Value;

    /// Returns the values.
    fn values(&self) -> impl ExactSizeIterator<Item = &Self::Value>;

    /// Adds everything in the set except its values.
    ///
    /// `visits_values` is true if the walk visits the values too. If it is false, reading a value
    /// may cost a cache miss that the walk would not have otherwise.
    fn add_but_values(&self, visits_values: bool, walk: &mut Walk<'_>, at: Position);
}

/// Adds a set with its values.
#[inline]
pub(crate) fn add_set<'a, S>(set: &'a S, walk: &mut Walk<'a>, at: Position)
where
    S: SetParts<Value: MemoryProfile>,
{
    set.add_but_values(!S::Value::is_flat(), walk, at);
    let values = set.values();
    let count = values.len();
    add_values(values, count, walk, at);
}
