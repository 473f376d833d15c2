//! `memprof gpu record`: readings of devices, one per line.

use super::open;
use crate::arguments::GpuRecordArguments;
use crate::escape::escaped;
use crate::failure::Failure;
use crate::output::{self, Target};
use memprof_gpu::{DeviceSampler, TraceWriter};
use std::error::Error;

pub(super) fn run(arguments: &GpuRecordArguments) -> Result<(), Failure> {
    let mut sampler = open(&arguments.driver)?;
    let devices = sampler.devices().len();
    let mut readings = 0;
    output::write(&arguments.target, arguments.force, |out| {
        let mut trace = TraceWriter::begin(out, &sampler)?;
        let recorded = trace.record(&mut sampler, arguments.every, arguments.duration);
        readings = recorded.map_err(|error| -> Box<dyn Error> { error })?;
        trace.finish()?;
        Ok(())
    })?;
    if let Target::File(path) = &arguments.target {
        let path = escaped(&path.to_string_lossy());
        let line = format!("{readings} readings of {devices} devices in {path}");
        output::print(|out| Ok(writeln!(out, "{line}")?))?;
    }
    Ok(())
}
