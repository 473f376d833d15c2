//! The result of a session.

use crate::heap;
use crate::session::owned;
use core::fmt;
use memprof_profile::text::WithCauses;
use memprof_recording::{Recording, SymbolSearch};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The result of a session; `{}` formats it on one screen.
///
/// [`Recording::read_file`] reads the whole recording from the document.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub(super) files: Option<DocumentFiles>,
    /// Without names.
    pub(super) landmarks: Option<Recording>,
    pub(super) named: OnceLock<Recording>,
}

#[derive(Clone, Debug)]
pub(super) struct DocumentFiles {
    pub(super) document: PathBuf,
    pub(super) timeline: PathBuf,
    pub(super) has_timeline: bool,
}

impl Document {
    /// Returns `true` if anything was recorded, and `false` if the session was not enabled.
    pub fn is_recorded(&self) -> bool {
        self.landmarks.is_some()
    }

    /// Returns the path of the document, or `None` if the session was not enabled.
    pub fn path(&self) -> Option<&Path> {
        self.files.as_ref().map(|files| files.document.as_path())
    }

    /// Returns the path of the timeline, which is in the same folder.
    ///
    /// At the end of the session, the document replaces the timeline, so this returns `None`.
    pub fn timeline_path(&self) -> Option<&Path> {
        let files = self.files.as_ref().filter(|files| files.has_timeline);
        files.map(|files| files.timeline.as_path())
    }

    /// Returns the recording with four of its snapshots, with the live stacks of the peak, and
    /// without individual calls of operations.
    ///
    /// The four are the first, the first with a root, the one with the most live bytes, and the
    /// last. The live stacks have the 1,024 largest rows, and only the largest stacks have names.
    /// Returns `None` if the session was not enabled.
    ///
    /// # Cost
    /// The first call looks up names: those of the largest stacks, in the program's own file, for at
    /// most a second. The file of the session has addresses, which the command `memprof` names.
    pub fn landmarks(&self) -> Option<&Recording> {
        let landmarks = self.landmarks.as_ref()?;
        let named = || {
            let mut named = landmarks.clone();
            // The text states which places have no names.
            let _ = SymbolSearch::in_this_process().resolve(&mut named);
            named
        };
        Some(self.named.get_or_init(|| owned(heap::as_profiler(named))))
    }
}

impl fmt::Display for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landmarks() {
            Some(landmarks) => landmarks.overview().of_landmarks().fmt(out)?,
            None => return out.write_str("nothing was recorded: the session was not enabled"),
        }
        match self.path() {
            Some(path) => write!(out, "\n{}", path.display())?,
            None => return Ok(()),
        }
        match self.landmarks() {
            Some(landmarks) if landmarks.summary.lacks_names() => {
                out.write_str("\n`memprof leaks` finds the missing names in the program's file")
            }
            _ => Ok(()),
        }
    }
}

/// The reason why a document could not be written.
pub struct DocumentError {
    pub(super) document: Box<Document>,
    pub(super) why: Why,
}

#[derive(Debug)]
pub(super) enum Why {
    Io(io::Error),
    /// The session's thread did not respond.
    Unanswered,
}

impl DocumentError {
    /// Returns the result of the session, whose document was not written.
    pub fn document(&self) -> &Document {
        &self.document
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.why, &self.document.files) {
            (Why::Io(_), Some(files)) => {
                let (document, timeline) = (files.document.display(), files.timeline.display());
                write!(
                    out,
                    "could not write {document}; the timeline {timeline} contains everything \
                     recorded up to then"
                )
            }
            (Why::Io(_), None) => out.write_str("could not write the document"),
            (Why::Unanswered, _) => out.write_str(
                "the session thread did not respond: a write to the output folder may be blocked, or \
                 the call came from a root or source; the timeline contains everything recorded up \
                 to then",
            ),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for DocumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for DocumentError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.why {
            Why::Io(error) => Some(error),
            Why::Unanswered => None,
        }
    }
}
