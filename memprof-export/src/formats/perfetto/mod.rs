//! A session as a Perfetto trace (`.pftrace`): a row of calls for each thread, and curves of bytes.
//!
//! Two programs open the file: <https://ui.perfetto.dev>, which does not upload it, and Perfetto's
//! `trace_processor`, which answers SQL. The trace contains:
//! - a slice for each recorded call of an operation. The slice has the live bytes before and after
//!   the call, and its net bytes;
//! - a counter from snapshots for the live heap, the resident memory, each root, the bytes of
//!   roots on each device, each source, and each gauge;
//! - a mark for each checkpoint, each snapshot that a peak caused, and each out-of-memory moment.
//!
//! The trace does not contain the trees of snapshots: Perfetto cannot draw a tree of bytes from a
//! program's own events.

mod calls;
mod curves;
mod message;
mod moments;
mod packets;
mod tracks;

use super::ExportError;
use memprof_recording::Recording;
use packets::Packets;
use std::io::{BufWriter, Write};
use tracks::Tracks;

/// Writes a recording as a trace for Perfetto.
///
/// Times are nanoseconds since the session began. Unknown values have no sample, so a curve keeps
/// its last value until the next known one.
///
/// # Errors
/// Returns an error if writing fails, or if the data of a source are not a profile.
///
/// # Example
/// ```no_run
/// use std::fs::File;
///
/// let recording = memprof::session::Recording::read_file("session.json")?;
/// memprof::export::perfetto::write(&recording, File::create("session.pftrace")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Packets are written one by one. Sorting the calls into rows takes 64 bytes of memory for each
/// call. A call takes about 70 bytes in the file.
pub fn write(recording: &Recording, out: impl Write) -> Result<(), ExportError> {
    let mut packets = Packets::new(BufWriter::new(out));
    packets.begin(recording)?;
    let mut tracks = Tracks::new(&mut packets, &recording.metadata)?;
    moments::write(&mut packets, &mut tracks, recording)?;
    curves::write(&mut packets, &mut tracks, recording)?;
    calls::write(&mut packets, &mut tracks, recording)?;
    Ok(packets.end()?)
}
