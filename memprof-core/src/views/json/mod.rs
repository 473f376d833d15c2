//! Profiles as JSON: everything a profile holds, byte-exact, in a versioned flat list.
//!
//! `docs/format.md` describes the format for readers in other languages.

mod document;
mod error;
mod read;
mod write;

pub use error::JsonError;

use crate::Profile;
use document::{Document, Head, VERSION};

/// Branches nested deeper are refused: each view of a profile is as deep as its branches.
///
/// Names nest as types do, and the compiler stops types at 128 levels unless told otherwise.
const MAX_DEPTH: usize = 1024;

impl Profile {
    /// The profile as JSON, a line per branch; [`from_json`](Self::from_json) reads it back.
    ///
    /// ```
    /// use memprof_core::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// let json = profile.to_json()?;
    /// assert!(json.starts_with("{\"format\": \"memprof profile\", \"version\": 1,"));
    /// assert_eq!(Profile::from_json(&json)?, profile);
    /// # Ok::<(), memprof_core::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// If branches are nested more than 1024 deep, which nothing could read back.
    pub fn to_json(&self) -> Result<String, JsonError> {
        Document::of(self)?.to_lines()
    }

    /// The profile that [`to_json`](Self::to_json) wrote.
    ///
    /// Keys that this version does not know are ignored.
    ///
    /// # Errors
    /// If the text is not JSON, is something else's, was written by a newer version, ends early, or
    /// does not add up. The error says which, and where.
    pub fn from_json(json: &str) -> Result<Self, JsonError> {
        let head: Head = serde_json::from_str(json).map_err(JsonError::head)?;
        match head.version() {
            Some(VERSION) => {}
            Some(version) => return Err(JsonError::other_version(version)),
            None => return Err(JsonError::foreign()),
        }
        let document: Document<'_> = serde_json::from_str(json).map_err(JsonError::syntax)?;
        document.into_profile()
    }
}
