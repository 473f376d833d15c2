//! A session in speedscope's JSON format: trees and call stacks in bytes, and rows of calls over
//! time.
//!
//! Two programs open the file: <https://www.speedscope.app>, which does not upload it, and the npm
//! package `speedscope`, which works offline. The file contains these profiles, from which the user
//! chooses one:
//! - the tree of each root and source of one snapshot, in bytes;
//! - the call stacks of sampled call sites, in live bytes, if samples were taken;
//! - each row of each thread's calls of operations, in nanoseconds.
//!
//! The format has no memory over time and no freed bytes. A node has only one figure, so counts and
//! excess capacity are left out. Bytes above 2⁵³ are not exact in a browser.

mod document;
mod stacks;
mod timeline;

use super::ExportError;
use document::Document;
use memprof_profile::Profile;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use std::io::{BufWriter, Write};

/// Writes a recording for speedscope, with the trees of `snapshot` if there is one.
///
/// Samples are those of the end of the recording, whichever snapshot is chosen.
///
/// # Errors
/// Returns an error if writing fails, if the data of a root or source in the snapshot are not a
/// profile, or if the recording has no tree, no sample and no call.
///
/// # Example
/// ```no_run
/// use std::fs::File;
///
/// let recording = memprof::session::Recording::read_file("session.json")?;
/// let file = File::create("session.speedscope.json")?;
/// memprof::export::speedscope::write(&recording, recording.snapshot("peak"), file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Profiles are written one by one. Besides the recording, the memory needed is one tree of the
/// snapshot and 64 bytes for each call.
pub fn write(
    recording: &Recording,
    snapshot: Option<&Snapshot>,
    out: impl Write,
) -> Result<(), ExportError> {
    let mut document = Document::new(BufWriter::new(out));
    if let Some(snapshot) = snapshot {
        stacks::trees(&mut document, snapshot)?;
    }
    stacks::sites(&mut document, &recording.summary)?;
    timeline::write(&mut document, recording)?;
    document.end(&recording.metadata.program)
}

/// Writes a profile for speedscope.
///
/// # Errors
/// Returns an error if writing fails.
///
/// # Example
/// ```
/// use memprof::Profile;
///
/// let profile = Profile::from_folded("main;parse 12\nmain;parse;names 30\n")?;
/// let mut json = Vec::new();
/// memprof::export::speedscope::write_profile(&profile, &mut json)?;
/// assert!(String::from_utf8(json)?.contains(r#""endValue":42"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_profile(profile: &Profile, out: impl Write) -> Result<(), ExportError> {
    let mut document = Document::new(BufWriter::new(out));
    stacks::tree(&mut document, profile.root().name(), profile)?;
    document.end(profile.root().name())
}
