//! The shapes of a call's inputs: in the form of rows, and as a key for look-ups.

use core::fmt;

/// The shapes of the inputs of the calls in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputShapes {
    /// All calls had inputs of these shapes, in elements per dimension. A scalar has no dimension.
    Known(Vec<Vec<u64>>),
    /// No call reported its shapes.
    Unknown,
    /// The calls have different shapes.
    Several,
    /// The calls have no row of their own, because the limit of rows was reached before them.
    Other,
}

/// The name of calls whose name or shapes have no row.
pub(super) const OTHER: &str = "<other>";

/// Writes the shapes as `[32, 64] [64, 10]`.
impl fmt::Display for InputShapes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shapes = match self {
            Self::Known(shapes) if shapes.is_empty() => return out.write_str("no inputs"),
            Self::Known(shapes) => shapes,
            Self::Unknown => return out.write_str("unknown shapes"),
            Self::Several => return out.write_str("several shapes"),
            Self::Other => return out.write_str(OTHER),
        };
        shapes.iter().enumerate().try_for_each(|(index, shape)| {
            let before = if index == 0 { "" } else { " " };
            write!(out, "{before}{shape:?}")
        })
    }
}

/// Writes `shapes` to `key`, whose memory is reused. The key is empty for unknown shapes. Otherwise
/// it has the number of shapes, then the rank and the dimensions of each.
///
/// The key is flat, so a look-up allocates nothing. Different shapes have different keys.
pub(super) fn write_key(shapes: Option<&[&[usize]]>, key: &mut Vec<usize>) {
    key.clear();
    let Some(shapes) = shapes else { return };
    key.push(shapes.len());
    for shape in shapes {
        key.push(shape.len());
        key.extend_from_slice(shape);
    }
}

/// Returns the shapes from which a key was written.
pub(super) fn read_key(key: &[usize]) -> InputShapes {
    let Some((&count, mut rest)) = key.split_first() else { return InputShapes::Unknown };
    let mut shapes = Vec::with_capacity(count);
    while let Some((&rank, after)) = rest.split_first() {
        let (shape, after) = after.split_at(rank);
        shapes.push(shape.iter().map(|&elements| elements as u64).collect());
        rest = after;
    }
    InputShapes::Known(shapes)
}

#[cfg(test)]
mod tests {
    use super::{InputShapes, read_key, write_key};
    use std::collections::BTreeSet;

    #[test]
    fn shapes_come_back_as_they_were_and_differ_from_all_others() {
        let cases: [(Option<&[&[usize]]>, &str); 9] = [
            (None, "unknown shapes"),
            (Some(&[]), "no inputs"),
            (Some(&[&[]]), "[]"),
            (Some(&[&[], &[]]), "[] []"),
            (Some(&[&[1]]), "[1]"),
            (Some(&[&[1, 1]]), "[1, 1]"),
            (Some(&[&[1], &[]]), "[1] []"),
            (Some(&[&[], &[1]]), "[] [1]"),
            (Some(&[&[32, 64], &[64, 10]]), "[32, 64] [64, 10]"),
        ];
        let mut key = Vec::new();
        let mut keys = BTreeSet::new();
        for (shapes, shown) in cases {
            write_key(shapes, &mut key);
            assert_eq!(read_key(&key).to_string(), shown);
            assert!(keys.insert(key.clone()), "{shown}");
        }
        assert_eq!(InputShapes::Several.to_string(), "several shapes");
        assert_eq!(InputShapes::Other.to_string(), "<other>");
    }
}
