//! The frames of a call stack that explain an allocation.

use super::CodeOrigin;
use core::fmt;

/// The frames of a call stack that explain an allocation. Lists of call sites print them, and join
/// stacks whose [`your_code`](Self::your_code) and [`allocates`](Self::allocates) are the same
/// lines.
///
/// ```
/// use memprof_profile::text::{CodeOrigin, KeyFrames};
///
/// let stack = [
///     ("Vec::push", CodeOrigin::Std),
///     ("parser::Buffer::grow", CodeOrigin::Dependency),
///     ("parser::parse", CodeOrigin::Dependency),
///     ("app::load", CodeOrigin::Workspace),
///     ("app::main", CodeOrigin::Workspace),
/// ];
/// let key = KeyFrames::of(&stack, |frame| frame.1);
/// let names = [key.your_code, key.called, key.allocates].map(|frame| frame.unwrap().0);
/// assert_eq!(names, ["app::load", "parser::parse", "parser::Buffer::grow"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyFrames<F> {
    /// The first frame of the user's own packages, going outwards; `None` if the stack has none.
    pub your_code: Option<F>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates, or the stack has none.
    pub called: Option<F>,
    /// The function that allocates: the innermost one that is [shown](CodeOrigin::is_shown), or an
    /// executor's if no shown function is farther inside.
    pub allocates: Option<F>,
    /// The frame that stands for a cut, unless it is outside of the user's code.
    pub cut: Option<F>,
}

impl<F: Copy> KeyFrames<F> {
    /// Finds the frames in a stack, whose innermost frame comes first.
    pub fn of(stack: impl IntoIterator<Item = F>, origin: impl Fn(F) -> CodeOrigin) -> Self {
        let (mut called, mut allocates, mut cut) = (None, None, None);
        // An executor allocates for itself, in `spawn` for example, unless it runs other code.
        let mut runs_code = false;
        for frame in stack {
            let origin = origin(frame);
            if origin == CodeOrigin::Cut {
                cut = Some(frame);
            }
            if !origin.is_shown() && (runs_code || origin != CodeOrigin::Executor) {
                continue;
            }
            runs_code |= origin.is_shown();
            allocates = allocates.or(Some(frame));
            if origin == CodeOrigin::Workspace {
                return Self { your_code: Some(frame), called, allocates, cut };
            }
            called = Some(frame);
        }
        Self { your_code: None, called: None, allocates, cut }
    }
}

/// Formats the user's code and the function that allocates in one line:
/// `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`.
pub fn key_line<F: Copy + PartialEq>(
    your_code: Option<F>,
    allocates: F,
    text: impl Fn(F) -> String,
) -> String {
    match your_code.filter(|yours| *yours != allocates) {
        Some(yours) => format!("{} → {}", text(yours), text(allocates)),
        None => text(allocates),
    }
}

/// The maximum number of functions that allocate for one line of the user's code.
const ALLOCATING: usize = 4;

/// Writes the lines below a line of the user's code: the function that it called, the functions that
/// allocate, and the cut between them. `text` formats a frame in a number of columns.
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_called<F: Copy + PartialEq>(
    out: &mut impl fmt::Write,
    called: Option<F>,
    allocating: &[F],
    cut: Option<F>,
    width: usize,
    text: impl Fn(F, usize) -> String,
) -> fmt::Result {
    let mut line = |label: &str, frame: F| {
        writeln!(out, "  {label:<9} {}", text(frame, width.saturating_sub(12)))
    };
    if let Some(called) = called.filter(|called| !allocating.contains(called)) {
        line("calls", called)?;
    }
    for (index, frame) in allocating.iter().take(ALLOCATING).enumerate() {
        line(if index == 0 { "allocates" } else { "and" }, *frame)?;
    }
    if let Some(more) = allocating.len().checked_sub(ALLOCATING).filter(|more| *more > 0) {
        writeln!(out, "  and {more} more")?;
    }
    cut.map_or(Ok(()), |cut| writeln!(out, "  through   {}", text(cut, width)))
}

#[cfg(test)]
mod tests {
    use super::{CodeOrigin, KeyFrames};

    #[test]
    fn folded_frames_are_none_of_the_three() {
        use CodeOrigin::{Container, Cut, Dependency, Executor, Memprof, Std, Unknown, Workspace};
        for (stack, your_code, called, allocates) in [
            (&[Std, Container, Workspace, Executor][..], Some(2), None, Some(2)),
            (&[Unknown, Dependency, Std, Dependency, Std, Workspace], Some(5), Some(3), Some(1)),
            (&[Workspace, Dependency, Workspace], Some(0), None, Some(0)),
            (&[Std, Dependency, Executor], None, None, Some(1)),
            (&[Std, Memprof, Unknown], None, None, None),
            (&[], None, None, None),
            // An executor spawns a task.
            (&[Std, Executor, Std, Executor, Workspace, Executor], Some(4), Some(3), Some(1)),
            // An executor registers a socket for a dependency, in a task that it runs.
            (&[Executor, Dependency, Executor, Workspace], Some(3), Some(1), Some(0)),
            (&[Std, Executor, Std], None, None, Some(1)),
            (&[Dependency, Cut, Dependency, Workspace], Some(3), Some(2), Some(0)),
            (&[Dependency, Workspace, Cut, Workspace], Some(1), Some(0), Some(0)),
        ] {
            let inside = &stack[..your_code.unwrap_or(stack.len())];
            let cut = inside.iter().position(|origin| *origin == Cut);
            let key = KeyFrames { your_code, called, allocates, cut };
            assert_eq!(KeyFrames::of(0..stack.len(), |index| stack[index]), key, "{stack:?}");
        }
    }
}
