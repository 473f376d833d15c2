//! The error of a path that is not in a profile.

use crate::text::Grouped;
use crate::text::Shown;
use crate::tree::Branch;
use crate::views::find::DeepestMatch;
use crate::views::find::closest::closest;
use core::fmt;
use std::error::Error;

/// The error of a path that does not exist in a profile. `Display` names the closest paths.
#[derive(Clone, PartialEq, Eq)]
pub struct PathNotFound {
    path: String,
    root: String,
    /// The part of the path that exists.
    found: String,
    closest: Vec<String>,
    more: u64,
}

impl PathNotFound {
    pub(super) fn new(
        path: &str,
        root: Branch<'_>,
        frames: &[&str],
        deepest: DeepestMatch<'_>,
    ) -> Self {
        let (closest, more) = closest(root, frames, deepest);
        let found = frames[..deepest.frames].join(";");
        Self { path: path.into(), root: root.name().into(), found, closest, more }
    }

    /// Returns the path that was not found.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns existing paths that are similar to the missing one, the best match first.
    pub fn closest(&self) -> &[String] {
        &self.closest
    }
}

impl fmt::Display for PathNotFound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no path \"{}\" in {}", Shown(&self.path), Shown(&self.root))?;
        match self.closest.len() {
            0 if self.found.is_empty() => return out.write_str(", which has no paths below it"),
            0 => return write!(out, ": nothing is below \"{}\"", Shown(&self.found)),
            1 => out.write_str("; closest is ")?,
            _ => out.write_str("; closest are ")?,
        }
        for (index, path) in self.closest.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(out, "{separator}\"{path}\"")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(out, " and {} more", Grouped(more)),
        }
    }
}

/// Writes the same text as `Display`, because `main` and `unwrap` print `Debug`.
impl fmt::Debug for PathNotFound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for PathNotFound {}
