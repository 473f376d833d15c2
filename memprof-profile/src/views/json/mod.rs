//! Profiles as JSON: all data of a profile, exact to the byte, as a flat list with a format
//! version.
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

/// The number of bytes of a file that are read at a time.
const PIECE: usize = 128 << 10;

/// # JSON
impl Profile {
    /// The value of the key `format` in the JSON, which identifies the format.
    pub const JSON_FORMAT: &'static str = document::FORMAT;

    /// The version of the JSON that is written, and the only one that is read.
    pub const JSON_VERSION: u64 = document::VERSION;

    /// Returns the profile as JSON, a line per branch; [`from_json`](Self::from_json) reads it
    /// back.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// let json = profile.to_json()?;
    /// assert!(json.starts_with("{\"format\": \"memprof profile\", \"version\": 1,"));
    /// assert_eq!(Profile::from_json(&json)?, profile);
    /// # Ok::<(), memprof::views::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if branches are nested more than 1024 deep, because
    /// [`from_json`](Self::from_json) would reject them.
    pub fn to_json(&self) -> Result<String, JsonError> {
        let mut json = Vec::new();
        write::write(self, &mut json)?;
        String::from_utf8(json).map_err(|_| unreachable!("serde_json writes UTF-8"))
    }

    /// Writes the JSON of [`to_json`](Self::to_json) without holding all of it in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails, or if branches are nested more than 1024 deep.
    pub fn write_json(&self, out: impl Write) -> Result<(), JsonError> {
        let mut out = BufWriter::new(out);
        write::write(self, &mut out)?;
        out.flush().map_err(JsonError::io)
    }

    /// Reads a profile that [`to_json`](Self::to_json) wrote.
    ///
    /// Unknown keys are ignored.
    ///
    /// # Errors
    /// Returns an error if the text is not the JSON of a profile, if a newer version wrote it, if
    /// it ends early, or if its sums are wrong. The error names the cause and the location.
    pub fn from_json(json: &str) -> Result<Self, JsonError> {
        let mut reading = read::Reading::default();
        reading.parse(serde_json::Deserializer::from_str(json))?;
        reading.finish()
    }

    /// Reads a profile that [`write_json`](Self::write_json) wrote, without holding its whole text
    /// in memory.
    ///
    /// The layout that memprof writes, a line per branch, is read faster than other layouts.
    ///
    /// # Errors
    /// Returns the errors of [`from_json`](Self::from_json), and an error if reading fails or the
    /// input is not UTF-8.
    pub fn read_json(json: impl Read) -> Result<Self, JsonError> {
        lines::read(BufReader::with_capacity(PIECE, json))
    }
}
