//! A writer of traces.

use super::{FORMAT, Head, Line, VERSION};
use crate::{DeviceReading, DeviceSampler, SamplerError, Wanted};
use std::error::Error;
use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// A writer of a trace with one line for each reading. If the trace is cut off, its complete lines
/// can still be read.
///
/// ```
/// use memprof::gpu::{DeviceSampler, SamplerError, TraceSampler, TraceWriter, Wanted};
/// # fn record(sampler: &mut dyn DeviceSampler) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
/// let mut trace = TraceWriter::begin(Vec::new(), sampler)?;
/// for device in 0..sampler.devices().len() {
///     trace.add(&sampler.sample(device, Wanted::ALL)?)?;
/// }
/// let file = trace.finish()?;
/// # Ok(file)
/// # }
/// ```
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the head: the devices and the versions of the driver and of CUDA.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn begin(out: W, sampler: &dyn DeviceSampler) -> io::Result<Self> {
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let started = started.map_or(0, |since| since.as_nanos());
        let head = Head {
            format: FORMAT.to_owned(),
            version: VERSION,
            started_unix_ns: u64::try_from(started).unwrap_or(u64::MAX),
            environment: sampler.environment(),
            devices: sampler.devices().to_vec(),
        };
        let mut trace = Self { out };
        trace.line(&head)?;
        Ok(trace)
    }

    /// Writes a reading.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn add(&mut self, reading: &DeviceReading) -> io::Result<()> {
        self.line(&Line { reading: reading.clone() })
    }

    /// Flushes the output and returns it.
    ///
    /// # Errors
    /// Returns the error of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    /// Reads all devices repeatedly and writes the readings. Returns the number of readings.
    ///
    /// The call reads memory at the interval `every`, and all other counters once a second.
    /// Recording ends after `duration`. If `duration` is `None`, recording ends only when the
    /// sampler fails or has no more readings. The output is flushed after each round of readings,
    /// so the file contains all earlier rounds if the user stops the program.
    ///
    /// # Errors
    /// Returns the error of the output, or the sampler's error. It is not an error if a trace ends
    /// after at least one reading.
    pub fn record(
        &mut self,
        sampler: &mut dyn DeviceSampler,
        every: Duration,
        duration: Option<Duration>,
    ) -> Result<u64, Box<dyn Error + Send + Sync>> {
        const SLOW: Duration = Duration::from_secs(1);
        let began = Instant::now();
        let mut slow = began;
        let mut readings = 0;
        loop {
            let now = Instant::now();
            let mut wanted = Wanted::MEMORY;
            if now >= slow {
                (wanted, slow) = (Wanted::ALL, now + SLOW);
            }
            for device in 0..sampler.devices().len() {
                match sampler.sample(device, wanted) {
                    Ok(reading) => self.add(&reading)?,
                    Err(SamplerError::TraceEnded { .. }) if readings > 0 => return Ok(readings),
                    Err(error) => return Err(error.into()),
                }
                readings += 1;
            }
            self.out.flush()?;
            let next = now.saturating_duration_since(began).saturating_add(every);
            if duration.is_some_and(|duration| next > duration) {
                return Ok(readings);
            }
            thread::sleep(next.saturating_sub(began.elapsed()));
        }
    }

    fn line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.out.write_all(text.as_bytes())
    }
}
