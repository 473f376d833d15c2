//! A connection, which reads and answers one request.

use super::request::{self, Metrics};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The time limit for reading the request.
const ASKED_WITHIN: Duration = Duration::from_secs(5);

/// The time limit for writing the answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// The time limit for the client to close the connection after the answer. If the server closed it
/// before the client has sent everything, the client might lose the answer.
const CLOSED_WITHIN: Duration = Duration::from_millis(500);

/// The largest size of a request without its body.
const LONGEST_HEAD: usize = 8 << 10;

/// The number of bytes to read at once.
const READ: usize = 4 << 10;

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
    until: Instant,
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
    /// Returns `None` if the client has already disconnected.
    pub(super) fn new(stream: TcpStream) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        let until = Instant::now() + ASKED_WITHIN;
        Some(Self { stream, until, phase: Phase::Reading(Vec::new()) })
    }

    /// Continues as far as possible without waiting.
    pub(super) fn step(&mut self, metrics: &mut Metrics<'_>) -> Step {
        let moved = match &mut self.phase {
            Phase::Reading(head) => read(&mut self.stream, head, metrics),
            Phase::Writing(answer, written) => write(&mut self.stream, answer, written),
            Phase::Closing => discard(&mut self.stream),
        };
        let step = match moved {
            Ok(Next::Same) => Step::Moved,
            Ok(Next::Phase(phase, within)) => {
                self.until = Instant::now() + within;
                self.phase = phase;
                return Step::Moved;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Step::Waits,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Step::Moved,
            Ok(Next::Done) | Err(_) => Step::Done,
        };
        // Checked only after a step: the time may have passed while another connection was
        // answered.
        if step != Step::Done && Instant::now() >= self.until {
            if matches!(self.phase, Phase::Reading(_)) {
                // The client may still receive the reason.
                let _ = self.stream.write(&request::too_slow());
            }
            return Step::Done;
        }
        step
    }
}

enum Next {
    Same,
    /// The next phase, with its time limit.
    Phase(Phase, Duration),
    Done,
}

fn read(stream: &mut TcpStream, head: &mut Vec<u8>, metrics: &mut Metrics<'_>) -> io::Result<Next> {
    let mut bytes = [0; READ];
    let count = stream.read(&mut bytes)?;
    if count == 0 {
        return Ok(Next::Done);
    }
    head.extend_from_slice(&bytes[..count]);
    let answer = match request::end_of_head(head) {
        Some(end) if end <= LONGEST_HEAD => request::answer(&head[..end], metrics),
        None if head.len() <= LONGEST_HEAD => return Ok(Next::Same),
        _ => request::too_long(),
    };
    Ok(Next::Phase(Phase::Writing(answer, 0), ANSWERED_WITHIN))
}

fn write(stream: &mut TcpStream, answer: &[u8], written: &mut usize) -> io::Result<Next> {
    *written += stream.write(&answer[*written..])?;
    if *written < answer.len() {
        return Ok(Next::Same);
    }
    stream.shutdown(Shutdown::Write)?;
    Ok(Next::Phase(Phase::Closing, CLOSED_WITHIN))
}

fn discard(stream: &mut TcpStream) -> io::Result<Next> {
    let count = stream.read(&mut [0; READ])?;
    Ok(if count == 0 { Next::Done } else { Next::Same })
}
