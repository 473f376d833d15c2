//! A connection: a request is read, answered, and that is all.

use super::request::{self, Metrics};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// From the connection to the end of what is asked.
const ASKED_WITHIN: Duration = Duration::from_secs(5);

/// From there on to the last byte of the answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(5);

/// How long after it the other side may take to hang up. If it were hung up on before it has said
/// all, it might lose the answer.
const CLOSED_WITHIN: Duration = Duration::from_millis(500);

/// The most that a request may take before its body.
const LONGEST_HEAD: usize = 8 << 10;

/// So much is read at once.
const READ: usize = 4 << 10;

/// What became of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It went on.
    Moved,
    /// The other side is awaited.
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
    /// What was read of the request.
    Reading(Vec<u8>),
    /// The answer, and how much of it was written.
    Writing(Vec<u8>, usize),
    /// Until the other side hangs up.
    Closing,
}

impl Connection {
    /// `None` if the other side has gone already.
    pub(super) fn new(stream: TcpStream) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        let until = Instant::now() + ASKED_WITHIN;
        Some(Self { stream, until, phase: Phase::Reading(Vec::new()) })
    }

    /// As far as it goes without waiting.
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
        // Not before it was looked at: the time may have gone by in answering another.
        if step != Step::Done && Instant::now() >= self.until {
            if matches!(self.phase, Phase::Reading(_)) {
                // It may still be told why.
                let _ = self.stream.write(&request::too_slow());
            }
            return Step::Done;
        }
        step
    }
}

enum Next {
    Same,
    /// And how long it may take.
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
