//! pprof: what `go tool pprof`, Pyroscope and Parca read.
//!
//! Frames are names that every process of a program has in common, so that profiles of a fleet
//! merge; which process it was stands in the comments.

mod build;
mod message;

mod operations;
mod profile;
mod sites;

pub use profile::Moment;

use super::ExportError;
use flate2::Compression;
use flate2::write::GzEncoder;
use memprof_profile::Profile;
use memprof_session::Recording;
use memprof_session::document::Metadata;
use prost::Message;
use std::io::{self, Write};

/// A profile as pprof has it; [`write`](Self::write) compresses it with gzip, as tools expect.
///
/// ```
/// use memprof_profile::Profile;
/// use memprof_export::Pprof;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let mut file = Vec::new();
/// Pprof::of_profile(&profile, None)?.write(&mut file)?;
/// assert!(file.starts_with(b"\x1f\x8b"), "gzip");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pprof(message::Profile);

impl Pprof {
    /// The tree of a profile: its frames are the names, the leaf innermost, and `inuse_space` is
    /// what is right at each. Of values that were walked, `inuse_objects` are their allocations;
    /// it is left out where the profile's [`origin`](Profile::origin) does not tell.
    ///
    /// Each sample has the label `device`, and `kind`: the bracketed frame that it would end with.
    /// Allocations are not known by either, so their samples have no label and no bytes.
    ///
    /// # Errors
    /// If there are more than 2^63 − 1 bytes: pprof has no number for them.
    pub fn of_profile(profile: &Profile, moment: Option<&Moment>) -> Result<Self, ExportError> {
        profile::build(profile, moment).map(Self)
    }

    /// What is live in a session by call stack, from samples: functions with file and line, in
    /// `inuse_objects` and `inuse_space`; and `alloc_space`, what these sites allocated in all, if
    /// the session knows.
    ///
    /// Sites that the file does not list are the frame `[other_sites]`, so that `inuse_space` adds
    /// up to all that is live. Of them only the bytes are known, as a comment says: in other values
    /// they are not shown. Estimates are rounded so that their sum is rounded once.
    ///
    /// # Errors
    /// If no samples were taken, or there are more than 2^63 − 1 bytes.
    pub fn of_sites(recording: &Recording) -> Result<Self, ExportError> {
        sites::build(recording).map(Self)
    }

    /// The operations of a session: frames are the names of the path, and everything counts at the
    /// innermost operation only, so that nothing counts twice. `alloc_objects` and `alloc_space` are
    /// exact; `inuse_objects` and `inuse_space` are estimates, and left out if no samples were taken.
    ///
    /// # Errors
    /// If operations were not tracked, or there are more than 2^63 − 1 bytes.
    pub fn of_operations(recording: &Recording) -> Result<Self, ExportError> {
        operations::build(recording).map(Self)
    }

    /// Writes the profile, compressed. The same profile gives the same bytes.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = GzEncoder::new(out, Compression::default());
        out.write_all(&self.0.encode_to_vec())?;
        out.finish()?.flush()
    }
}

/// Which process it was, for people.
fn process(metadata: &Metadata) -> String {
    let Metadata { program, pid, memprof, platform, .. } = metadata;
    format!("{program}, process {pid} on {platform}, recorded by memprof {memprof}")
}
