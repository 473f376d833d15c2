//! A sampler that plays back a trace.

use super::{FORMAT, Head, Line, TraceError, VERSION};
use crate::{
    DeviceIdentity, DeviceReading, DeviceSampler, Environment, MemoryCounters, SamplerError, Wanted,
};
use serde::Deserialize;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A sampler that plays back a trace: each sample of a device is its next reading in the file.
///
/// ```no_run
/// use memprof::gpu::{DeviceSampler, TraceSampler, Wanted};
///
/// let mut trace = TraceSampler::read_file("h100.jsonl")?;
/// println!("{:?}", trace.sample(0, Wanted::ALL)?.memory);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TraceSampler {
    environment: Environment,
    devices: Vec<DeviceIdentity>,
    /// For each device, the readings that are not yet played.
    readings: Vec<VecDeque<DeviceReading>>,
    is_cut_off: bool,
}

impl TraceSampler {
    /// Reads a trace from a file.
    ///
    /// # Errors
    /// Returns [`TraceError`] if the file can't be read, or is not a trace.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        Self::read(BufReader::new(File::open(path)?))
    }

    /// Reads a trace. If the last line is incomplete, the recording was cut off, and the line is
    /// ignored.
    ///
    /// # Errors
    /// Returns [`TraceError`] if the input can't be read, or is not a trace.
    pub fn read(mut from: impl BufRead) -> Result<Self, TraceError> {
        let mut text = Vec::new();
        line(&mut from, 1, &mut text)?;
        let head = head(&text)?;
        let mut readings = vec![VecDeque::new(); head.devices.len()];
        let mut is_cut_off = false;
        for number in 2.. {
            if line(&mut from, number, &mut text)? == 0 {
                break;
            }
            let Line { reading } = match serde_json::from_slice(&text) {
                Ok(line) => line,
                Err(_) if text.last() != Some(&b'\n') => {
                    is_cut_off = true;
                    break;
                }
                Err(cause) => return Err(TraceError::Line { number, cause }),
            };
            let device = reading.device;
            let of_device = readings.get_mut(device);
            of_device.ok_or(TraceError::Device { number, device })?.push_back(reading);
        }
        let Head { environment, devices, .. } = head;
        Ok(Self { environment, devices, readings, is_cut_off })
    }

    /// Returns `true` if the recording was cut off in the middle of a line.
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Returns the number of a device's readings that are not yet played, or 0 if there is no such
    /// device.
    pub fn left(&self, device: usize) -> usize {
        self.readings.get(device).map_or(0, VecDeque::len)
    }
}

impl DeviceSampler for TraceSampler {
    fn devices(&self) -> &[DeviceIdentity] {
        &self.devices
    }

    fn sample(&mut self, device: usize, wanted: Wanted) -> Result<DeviceReading, SamplerError> {
        let devices = self.readings.len();
        let readings =
            self.readings.get_mut(device).ok_or(SamplerError::NoSuchDevice { device, devices })?;
        let mut reading = readings.pop_front().ok_or(SamplerError::TraceEnded { device })?;
        reading.memory = reading.memory.and_then(MemoryCounters::checked);
        Ok(reading.limited_to(wanted))
    }

    fn environment(&self) -> Environment {
        self.environment.clone()
    }
}

/// Reads a line and returns its length, which is 0 at the end of the input.
///
/// The length is limited, so that a large file without line breaks is not read into memory as a
/// whole.
fn line(from: &mut impl BufRead, number: usize, text: &mut Vec<u8>) -> Result<usize, TraceError> {
    const LONGEST: usize = 1 << 24;
    text.clear();
    let length = from.take(LONGEST as u64).read_until(b'\n', text)?;
    if length == LONGEST && text.last() != Some(&b'\n') {
        return Err(TraceError::Long { number, longest: LONGEST });
    }
    Ok(length)
}

/// Parses the head. The function checks format and version first, so that another file leads to a
/// clear error.
fn head(text: &[u8]) -> Result<Head, TraceError> {
    #[derive(Deserialize)]
    struct Header {
        format: String,
        version: u64,
    }

    let line_error = |cause| TraceError::Line { number: 1, cause };
    let header: Header = serde_json::from_slice(text).map_err(line_error)?;
    if header.format != FORMAT {
        return Err(TraceError::Format(header.format));
    }
    if header.version > VERSION {
        return Err(TraceError::Version(header.version));
    }
    serde_json::from_slice(text).map_err(line_error)
}
