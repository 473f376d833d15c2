//! The frames of a call stack that explain an allocation.

use super::CodeOrigin;

/// The frames of a call stack that explain an allocation, as indices from the innermost frame.
///
/// ```
/// use memprof_profile::text::{CodeOrigin, KeyFrames};
///
/// // `Vec::push`, two functions of a dependency, the user's function and `main`.
/// let key = KeyFrames::of([
///     CodeOrigin::Std,
///     CodeOrigin::Dependency,
///     CodeOrigin::Dependency,
///     CodeOrigin::Workspace,
///     CodeOrigin::Workspace,
/// ]);
/// assert_eq!((key.your_code, key.called, key.allocates), (Some(3), Some(2), Some(1)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyFrames {
    /// The first frame of the user's own packages, going outwards; `None` if the stack has none.
    pub your_code: Option<usize>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<usize>,
    /// The function that allocates: the innermost one that is [shown](CodeOrigin::is_shown).
    pub allocates: Option<usize>,
}

impl KeyFrames {
    /// Finds the frames in a stack, whose innermost frame comes first.
    pub fn of(stack: impl IntoIterator<Item = CodeOrigin>) -> Self {
        let (mut called, mut allocates) = (None, None);
        for (index, origin) in stack.into_iter().enumerate() {
            if !origin.is_shown() {
                continue;
            }
            allocates = allocates.or(Some(index));
            if origin == CodeOrigin::Workspace {
                return Self { your_code: Some(index), called, allocates };
            }
            called = Some(index);
        }
        Self { your_code: None, called: None, allocates }
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeOrigin, KeyFrames};

    #[test]
    fn folded_frames_are_none_of_the_three() {
        use CodeOrigin::{Container, Dependency, Executor, Memprof, Std, Unknown, Workspace};
        for (stack, your_code, called, allocates) in [
            (&[Std, Container, Workspace, Executor][..], Some(2), None, Some(2)),
            (&[Unknown, Dependency, Std, Dependency, Std, Workspace], Some(5), Some(3), Some(1)),
            (&[Workspace, Dependency, Workspace], Some(0), None, Some(0)),
            (&[Std, Dependency, Executor], None, None, Some(1)),
            (&[Std, Memprof, Unknown], None, None, None),
            (&[], None, None, None),
        ] {
            let key = KeyFrames { your_code, called, allocates };
            assert_eq!(KeyFrames::of(stack.iter().copied()), key, "{stack:?}");
        }
    }
}
