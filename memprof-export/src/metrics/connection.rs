//! A connection, which reads and answers one request.

use super::request::{self, Metrics};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The time limit for writing the answer.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The time limit for the client to close the connection after the answer. If the server closed it
/// before the client has sent everything, the client might lose the answer.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

/// The largest size of a request without its body.
const MAX_HEAD: usize = 8 << 10;

/// The number of bytes to read at once.
const READ_SIZE: usize = 4 << 10;

/// The result of one step of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The connection made progress.
    Moved,
    /// The connection waits for the client.
    Waits,
    Done,
}

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    deadline: Instant,
    phase: Phase,
}

#[derive(Debug)]
enum Phase {
    /// The part of the request that was read.
    Reading(Vec<u8>),
    /// The answer, and the number of its bytes that were written.
    Writing(Vec<u8>, usize),
    /// Waiting until the client closes the connection.
    Closing,
}

impl Connection {
    /// Creates a connection whose client must send its request within `timeout`. Returns `None` if
    /// the client has already disconnected.
    pub(super) fn new(stream: TcpStream, timeout: Duration) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        let deadline = Instant::now() + timeout;
        Some(Self { stream, deadline, phase: Phase::Reading(Vec::new()) })
    }

    /// Continues as far as possible without waiting.
    pub(super) fn step(&mut self, metrics: &mut Metrics<'_>) -> Step {
        let moved = match &mut self.phase {
            Phase::Reading(head) => read(&mut self.stream, head, metrics),
            Phase::Writing(response, written) => write(&mut self.stream, response, written),
            Phase::Closing => discard(&mut self.stream),
        };
        let step = match moved {
            Ok(Transition::Unchanged) => Step::Moved,
            Ok(Transition::Phase(phase, timeout)) => {
                self.deadline = Instant::now() + timeout;
                self.phase = phase;
                return Step::Moved;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Step::Waits,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Step::Moved,
            Ok(Transition::Done) | Err(_) => Step::Done,
        };
        // The deadline is checked only after the step. It may have passed while another connection
        // was served, and a request that arrived during that time is still answered.
        if step != Step::Done && Instant::now() >= self.deadline {
            if matches!(self.phase, Phase::Reading(_)) {
                // The client may still receive the reason.
                let _ = self.stream.write(&request::too_slow());
            }
            return Step::Done;
        }
        step
    }
}

enum Transition {
    Unchanged,
    /// The next phase, with its time limit.
    Phase(Phase, Duration),
    Done,
}

fn read(
    stream: &mut TcpStream,
    head: &mut Vec<u8>,
    metrics: &mut Metrics<'_>,
) -> io::Result<Transition> {
    let mut bytes = [0; READ_SIZE];
    let count = stream.read(&mut bytes)?;
    if count == 0 {
        return Ok(Transition::Done);
    }
    head.extend_from_slice(&bytes[..count]);
    let response = match request::end_of_head(head) {
        Some(end) if end <= MAX_HEAD => request::respond(&head[..end], metrics),
        None if head.len() <= MAX_HEAD => return Ok(Transition::Unchanged),
        _ => request::too_long(),
    };
    Ok(Transition::Phase(Phase::Writing(response, 0), RESPONSE_TIMEOUT))
}

fn write(stream: &mut TcpStream, response: &[u8], written: &mut usize) -> io::Result<Transition> {
    *written += stream.write(&response[*written..])?;
    if *written < response.len() {
        return Ok(Transition::Unchanged);
    }
    stream.shutdown(Shutdown::Write)?;
    Ok(Transition::Phase(Phase::Closing, CLOSE_TIMEOUT))
}

fn discard(stream: &mut TcpStream) -> io::Result<Transition> {
    let count = stream.read(&mut [0; READ_SIZE])?;
    Ok(if count == 0 { Transition::Done } else { Transition::Unchanged })
}
