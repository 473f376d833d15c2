//! Folded stacks: `frame;frame;frame bytes`, a line per path; written for and read from any tool.

mod error;
mod read;
mod write;

pub use error::FoldedError;

use crate::Profile;
use crate::views::text::text;
use memprof_core::tree::Plain;
use std::io::{self, BufWriter, Read, Write};

impl Profile {
    /// The profile as folded stacks, which flame graph tools read: a line per path with bytes of
    /// its own, sorted by name within each branch.
    ///
    /// The lines add up to [`total_bytes`](Self::total_bytes). Readers split a line at its last
    /// space and at every `;`, so in names white space is written `_`, `;` is written `:`, and
    /// control characters are escaped: a line has exactly one space.
    /// `to_json` keeps names as they are.
    ///
    /// ```
    /// use memprof_profile::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// assert_eq!(profile.to_folded(), "names 53\n");
    /// assert_eq!(profile.to_folded_detailed(), "names;[inline] 48\nnames;[data] 5\n");
    /// ```
    pub fn to_folded(&self) -> String {
        text(|lines| write::plain(self.plain().root(), lines))
    }

    /// The same with the bracketed frames kept: a line per leaf, as [`leaves`](Self::leaves) lists
    /// them. A line of 0 bytes stands where contents could not be seen.
    pub fn to_folded_detailed(&self) -> String {
        text(|lines| write::detailed(self.root(), lines))
    }

    /// Writes folded stacks, as [`to_folded`](Self::to_folded) does, without holding all of them.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_folded(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        let plain: Plain<'_> = self.plain();
        write::plain(plain.root(), &mut out)?;
        out.flush()
    }

    /// Writes folded stacks, as [`to_folded_detailed`](Self::to_folded_detailed) does, without
    /// holding all of them.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_folded_detailed(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        write::detailed(self.root(), &mut out)?;
        out.flush()
    }

    /// The profile that folded stacks tell of, whoever wrote them; its
    /// [`origin`](Self::origin) is [`Folded`](crate::Origin::Folded).
    ///
    /// A line is frames joined by `;`, white space, and a whole number of bytes. Paths may come in
    /// any order; one that comes twice is added up. A last frame that spells a [`Kind`](crate::Kind)
    /// is a leaf of that kind, other bytes are `[data]`. Where paths begin with different frames,
    /// the root is called `all`, as flame graphs call it. Blank lines are skipped, and so are those
    /// that begin with `# `.
    ///
    /// ```
    /// use memprof_profile::Profile;
    ///
    /// let profile = Profile::from_folded("main;load 100\nmain;parse;names 60\nmain;parse 40\n")?;
    /// assert_eq!(profile.total_bytes(), 200);
    /// assert_eq!(profile.to_folded(), "main;load 100\nmain;parse 40\nmain;parse;names 60\n");
    /// # Ok::<(), memprof_profile::FoldedError>(())
    /// ```
    ///
    /// # Errors
    /// If a line is something else, there is none, the sum is more than a `u64` holds, or paths are
    /// more than 1024 frames long. The error says which line, and what was expected.
    pub fn from_folded(folded: &str) -> Result<Self, FoldedError> {
        read::read(folded)
    }

    /// The profile that folded stacks tell of, as [`from_folded`](Self::from_folded) reads it.
    ///
    /// Holds the text while it reads: paths in any order have to be sorted.
    ///
    /// # Errors
    /// As [`from_folded`](Self::from_folded); and if reading fails or meets what is not UTF-8.
    pub fn read_folded(mut folded: impl Read) -> Result<Self, FoldedError> {
        let mut bytes = Vec::new();
        // A stream may have no end; what is longer than this is refused.
        let longest = u64::from(u32::MAX);
        folded.by_ref().take(longest + 1).read_to_end(&mut bytes).map_err(FoldedError::io)?;
        if bytes.len() as u64 > longest {
            return Err(FoldedError::too_long());
        }
        match String::from_utf8(bytes) {
            Ok(text) => read::read(&text),
            Err(error) => Err(FoldedError::not_text(&error)),
        }
    }
}
