//! The path of a leaf: the frames from the root down.

use crate::text::Frame;
use core::fmt;

/// The frames from the root of a profile down to a leaf.
///
/// `Display` writes the path as in a folded stack, always on one line.
///
/// ```
/// use memprof::Profile;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let paths: Vec<String> = profile.leaves().map(|(path, _)| path.to_string()).collect();
/// assert_eq!(paths, ["names;[inline]", "names;[data]"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path<'p> {
    frames: Vec<&'p str>,
}

impl<'p> Path<'p> {
    /// Returns the frames, the root's name first. The last frame of a leaf's path is its kind.
    pub fn frames(&self) -> &[&'p str] {
        &self.frames
    }

    /// Returns the last frame.
    pub fn name(&self) -> &'p str {
        self.frames.last().copied().unwrap_or_default()
    }

    pub(crate) fn of(frames: Vec<&'p str>) -> Self {
        Self { frames }
    }

    pub(crate) fn push(&mut self, frame: &'p str) {
        self.frames.push(frame);
    }

    pub(crate) fn pop(&mut self) {
        self.frames.pop();
    }

    /// Returns the path with one more frame.
    pub(crate) fn with(&self, frame: &'p str) -> Self {
        let mut frames = Vec::with_capacity(self.frames.len() + 1);
        frames.extend_from_slice(&self.frames);
        frames.push(frame);
        Self { frames }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, frame) in self.frames.iter().enumerate() {
            if index > 0 {
                out.write_str(";")?;
            }
            write!(out, "{}", Frame(frame))?;
        }
        Ok(())
    }
}
