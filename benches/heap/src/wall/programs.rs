//! The folders of the programs, which are built in two ways.

use super::frame_pointers;
use super::plan::Plan;
use std::path::{Path, PathBuf};

/// A way to build a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// Built with cargo's release profile.
    Usual,
    /// Built with cargo's release profile and with frame pointers, which heapscope needs.
    FramePointers,
}

/// The folders of the built programs.
#[derive(Clone, Debug)]
pub struct Programs {
    usual: PathBuf,
    frame_pointers: Result<PathBuf, String>,
}

impl Programs {
    /// Returns the programs in the folder of `program`.
    pub fn beside(program: &str) -> Self {
        let usual = PathBuf::from(program).with_file_name("");
        Self { usual, frame_pointers: Err("a test does not build it".to_owned()) }
    }

    /// Builds the programs that need frame pointers, unless `plan` is for tests.
    #[must_use]
    pub fn built_for(self, plan: Plan) -> Self {
        if plan.part > 1 {
            return self;
        }
        let frame_pointers = frame_pointers::build(&self.usual);
        Self { frame_pointers, ..self }
    }

    /// Returns the folder of the programs.
    ///
    /// # Errors
    /// Returns the reason why they are not built.
    pub fn folder(&self, build: Build) -> Result<&Path, String> {
        match build {
            Build::Usual => Ok(&self.usual),
            Build::FramePointers => self.frame_pointers.as_deref().map_err(String::clone),
        }
    }
}
