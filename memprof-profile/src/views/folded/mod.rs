//! Folded stacks: a line `frame;frame;frame bytes` for each path. Many tools read and write them.

mod error;
mod read;
mod write;

pub use error::FoldedError;

use crate::Profile;
use crate::views::text::text;
use memprof_core::tree::Plain;
use std::io::{self, BufWriter, Read, Write};

/// # Folded stacks
impl Profile {
    /// Returns the profile as folded stacks, which flame graph tools read. Each path with own bytes
    /// has a line, sorted by name within each branch.
    ///
    /// The lines add up to [`total_bytes`](Self::total_bytes). Readers split a line at its last
    /// space and at every `;`. So in names, white space becomes `_`, `;` becomes `:`, and control
    /// characters are escaped. Each line has exactly one space. `to_json` keeps names unchanged.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// assert_eq!(profile.to_folded(), "names 53\n");
    /// assert_eq!(profile.to_folded_detailed(), "names;[inline] 48\nnames;[data] 5\n");
    /// ```
    pub fn to_folded(&self) -> String {
        text(|lines| write::plain(self.plain().root(), lines))
    }

    /// Returns folded stacks with the bracketed frames: a line for each leaf, as
    /// [`leaves`](Self::leaves) lists them. A line of 0 bytes marks contents that could not be
    /// read.
    pub fn to_folded_detailed(&self) -> String {
        text(|lines| write::detailed(self.root(), lines))
    }

    /// Writes the folded stacks of [`to_folded`](Self::to_folded) without holding all of them in
    /// memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_folded(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        let plain: Plain<'_> = self.plain();
        write::plain(plain.root(), &mut out)?;
        out.flush()
    }

    /// Writes the folded stacks of [`to_folded_detailed`](Self::to_folded_detailed) without holding
    /// all of them in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_folded_detailed(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        write::detailed(self.root(), &mut out)?;
        out.flush()
    }

    /// Reads a profile from folded stacks that any tool wrote. Its [`origin`](Self::origin) is
    /// [`Folded`](crate::tree::Origin::Folded).
    ///
    /// A line is frames joined by `;`, white space, and a whole number of bytes. Paths may be in
    /// any order, and lines of the same path add up. If the last frame names a
    /// [`LeafKind`](crate::tree::LeafKind), the bytes become a leaf of that kind. Other bytes
    /// become `[data]`. If paths begin with different frames, the root is named `all`, as in flame
    /// graphs. Blank lines, and lines that begin with `# `, are skipped.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::from_folded("main;load 100\nmain;parse;names 60\nmain;parse 40\n")?;
    /// assert_eq!(profile.total_bytes(), 200);
    /// assert_eq!(profile.to_folded(), "main;load 100\nmain;parse 40\nmain;parse;names 60\n");
    /// # Ok::<(), memprof::views::FoldedError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are no stacks, a line is not a stack, the sum exceeds a `u64`, or
    /// a path has more than 1024 frames. The error names the line and what was expected.
    pub fn from_folded(folded: &str) -> Result<Self, FoldedError> {
        read::read(folded)
    }

    /// Reads a profile from folded stacks, as [`from_folded`](Self::from_folded) does.
    ///
    /// This function holds the whole text in memory, because paths in any order must be sorted.
    ///
    /// # Errors
    /// Returns the errors of [`from_folded`](Self::from_folded), and an error if reading fails or
    /// the input is not UTF-8.
    pub fn read_folded(mut folded: impl Read) -> Result<Self, FoldedError> {
        let mut bytes = Vec::new();
        // A stream may be endless, so any text longer than this is rejected.
        let max_len = u64::from(u32::MAX);
        folded.by_ref().take(max_len + 1).read_to_end(&mut bytes).map_err(FoldedError::io)?;
        if bytes.len() as u64 > max_len {
            return Err(FoldedError::too_long());
        }
        match String::from_utf8(bytes) {
            Ok(text) => read::read(&text),
            Err(error) => Err(FoldedError::not_text(&error)),
        }
    }
}
