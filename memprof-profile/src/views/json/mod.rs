//! Profiles as JSON: everything a profile holds, byte-exact, in a versioned flat list.
//!
//! `docs/format.md` describes the format for readers in other languages.

mod document;
mod error;
mod lines;
mod read;
pub(crate) mod safe;
mod word;
mod write;

pub use error::JsonError;

use crate::Profile;
use std::io::{BufReader, BufWriter, Read, Write};

/// How much of a file is read at a time.
const PIECE: usize = 128 << 10;

impl Profile {
    /// The value of the key `format` in the JSON, which tells it from everybody else's.
    pub const JSON_FORMAT: &'static str = document::FORMAT;

    /// The version of the JSON that is written, and the only one that is read.
    pub const JSON_VERSION: u64 = document::VERSION;

    /// The profile as JSON, a line per branch; [`from_json`](Self::from_json) reads it back.
    ///
    /// ```
    /// use memprof_profile::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// let json = profile.to_json()?;
    /// assert!(json.starts_with("{\"format\": \"memprof profile\", \"version\": 1,"));
    /// assert_eq!(Profile::from_json(&json)?, profile);
    /// # Ok::<(), memprof_profile::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// If branches are nested more than 1024 deep, which nothing could read back.
    pub fn to_json(&self) -> Result<String, JsonError> {
        let mut json = Vec::new();
        write::write(self, &mut json)?;
        String::from_utf8(json).map_err(|_| unreachable!("serde_json writes UTF-8"))
    }

    /// Writes the profile as JSON, as [`to_json`](Self::to_json) does, without holding all of it.
    ///
    /// # Errors
    /// If writing fails, or branches are nested more than 1024 deep.
    pub fn write_json(&self, out: impl Write) -> Result<(), JsonError> {
        let mut out = BufWriter::new(out);
        write::write(self, &mut out)?;
        out.flush().map_err(JsonError::io)
    }

    /// The profile that [`to_json`](Self::to_json) wrote.
    ///
    /// Keys that this version does not know are ignored.
    ///
    /// # Errors
    /// If the text is not JSON, is something else's, was written by a newer version, ends early, or
    /// does not add up. The error says which, and where.
    pub fn from_json(json: &str) -> Result<Self, JsonError> {
        let mut reading = read::Reading::default();
        reading.parse(serde_json::Deserializer::from_str(json))?;
        reading.finish()
    }

    /// The profile that [`write_json`](Self::write_json) wrote, read without holding all its text.
    ///
    /// A line per branch, as memprof writes it, is read faster than other layouts.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json); and if reading fails or meets what is not UTF-8.
    pub fn read_json(json: impl Read) -> Result<Self, JsonError> {
        lines::read(BufReader::with_capacity(PIECE, json))
    }
}
