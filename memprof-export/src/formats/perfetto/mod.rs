//! A session as Perfetto's trace (`.pftrace`): a row of calls for each thread, and curves of bytes.
//!
//! Opened by <https://ui.perfetto.dev>, which keeps the file on the machine, and by Perfetto's
//! `trace_processor`, which answers SQL. It holds
//! - a slice for each call of an operation that the recording has, with the bytes live before and
//!   after it, and the bytes by which it changed them;
//! - a counter, from snapshots, for the live heap, the resident memory, each root, each device's
//!   bytes of roots, each source, and each figure that a source told besides;
//! - a mark for each checkpoint, each snapshot that a peak asked for, and each moment without memory.
//!
//! It can't hold the trees of snapshots: Perfetto draws no trees of bytes from a program's own events.

mod calls;
mod curves;
mod message;
mod moments;
mod packets;
mod tracks;

use super::ExportError;
use memprof_session::Recording;
use packets::Packets;
use std::io::{BufWriter, Write};
use tracks::Tracks;

/// Writes a recording as a trace for Perfetto.
///
/// Times are those of the session, in nanoseconds. What is not known has no sample, and so a curve
/// goes on as it was until something is known again.
///
/// # Errors
/// If writing fails, or if what a source told is no profile.
///
/// # Example
/// ```no_run
/// use std::fs::File;
///
/// let recording = memprof_session::Recording::read_file("session.json")?;
/// memprof_export::perfetto::write(&recording, File::create("session.pftrace")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Packets are written one by one: beside the recording it takes 64 bytes of memory for each call,
/// while they are put into rows. A call is some 70 bytes in the file.
pub fn write(recording: &Recording, out: impl Write) -> Result<(), ExportError> {
    let mut packets = Packets::new(BufWriter::new(out));
    packets.begin(recording)?;
    let mut tracks = Tracks::new(&mut packets, &recording.metadata)?;
    moments::write(&mut packets, &mut tracks, recording)?;
    curves::write(&mut packets, &mut tracks, recording)?;
    calls::write(&mut packets, &mut tracks, recording)?;
    Ok(packets.end()?)
}
