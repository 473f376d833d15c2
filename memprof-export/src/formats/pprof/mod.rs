//! The pprof format, which `go tool pprof`, Pyroscope and Parca read.
//!
//! Frame names do not depend on the process, so that the profiles of a fleet can be merged. The
//! comments name the process. Frames without a name have the address of the call and the mapping of
//! its module, so that readers find the name in the module's file.

mod build;
mod message;

mod profile;
mod samples;

pub use profile::Moment;

use super::ExportError;
use flate2::Compression;
use flate2::write::GzEncoder;
use memprof_profile::Profile;
use memprof_recording::Recording;
use memprof_recording::document::{LiveStacks, Metadata};
use prost::Message;
use std::io::{self, Write};

/// A profile in the pprof format. [`write`](Self::write) compresses it with gzip, as tools expect.
///
/// ```
/// use memprof::export::Pprof;
/// use memprof::Profile;
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
    /// Converts the tree of a profile. Its frames are the names, with the leaf innermost. The own
    /// bytes of each name are in `inuse_space`.
    ///
    /// `inuse_objects` has the allocations of values that were walked. It is left out if the
    /// profile's [`origin`](Profile::origin) does not record them.
    ///
    /// Each sample of bytes has two labels. `device` is the memory, and `kind` is the bracketed
    /// frame of the leaf. The device and kind of allocations are unknown, so their samples have no
    /// label and no bytes.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^63 − 1 bytes, which pprof cannot represent.
    pub fn of_profile(profile: &Profile, moment: Option<&Moment>) -> Result<Self, ExportError> {
        profile::build(profile, moment).map(Self)
    }

    /// Converts the live bytes of a session by call stack, from samples. Functions have their file
    /// and line.
    ///
    /// A frame without a name has its address. Its mapping has the module's file and build id and
    /// the offset in the file, so that readers can look up the name. Without the offset, the
    /// name of the frame is `[unknown]`.
    ///
    /// `inuse_objects` and `inuse_space` have the live memory. `alloc_space` has all bytes that
    /// these call sites allocated, if the session recorded them.
    ///
    /// The frame `[other_sites]` has the bytes of call sites that the file does not list, so
    /// `inuse_space` adds up to all live bytes. Only their bytes are known, so the other values do
    /// not include them; a comment in the file states this. Estimates are rounded so that they add
    /// up to the rounded sum.
    ///
    /// # Errors
    /// Returns an error if no samples were taken, if the file ends before its first summary, or if
    /// there are more than 2^63 − 1 bytes.
    pub fn of_sites(recording: &Recording) -> Result<Self, ExportError> {
        samples::of_sites(recording).map(Self)
    }

    /// Converts the live bytes by call stack at one moment, such as [`Recording::peak_stacks`].
    ///
    /// `inuse_objects` and `inuse_space` have the live memory of each stack, rounded as in
    /// [`of_sites`](Self::of_sites). The frame `[other_sites]` has the memory of stacks that the
    /// file lacks.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^63 − 1 bytes.
    pub fn of_live_stacks(recording: &Recording, moment: &LiveStacks) -> Result<Self, ExportError> {
        samples::of_live_stacks(recording, moment).map(Self)
    }

    /// Converts the operations of a session. The frames are the names of the path. Memory is
    /// counted at the innermost operation only, so no memory is counted twice.
    ///
    /// `alloc_objects` and `alloc_space` are exact. `inuse_objects` and `inuse_space` are
    /// estimates, and are left out if no samples were taken.
    ///
    /// # Errors
    /// Returns an error if operations were not counted, if the file ends before its first summary,
    /// or if there are more than 2^63 − 1 bytes.
    pub fn of_operations(recording: &Recording) -> Result<Self, ExportError> {
        samples::of_operations(recording).map(Self)
    }

    /// Writes the profile, compressed. The same profile always produces the same bytes.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = GzEncoder::new(out, Compression::default());
        out.write_all(&self.0.encode_to_vec())?;
        out.finish()?.flush()
    }
}

fn process(metadata: &Metadata) -> String {
    let Metadata { program, pid, memprof, platform, .. } = metadata;
    format!("{program}, process {pid} on {platform}, recorded by memprof {memprof}")
}
