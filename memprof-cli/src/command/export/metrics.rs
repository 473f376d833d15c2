//! `memprof export --to prometheus`: a snapshot as metrics, written once or served over HTTP.

use crate::arguments::{ExportArguments, Format};
use crate::escape::with_causes;
use crate::failure::Failure;
use crate::input::{InputError, Source};
use crate::output::OutputError;
use crate::{input, output};
use memprof_export::metrics::MetricsServer;
use memprof_export::prometheus;
use std::io::Write;
use std::net::SocketAddr;
use std::thread;

pub(super) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let source = &arguments.file.source;
    let text = input::with_snapshot(source, arguments.root.name(), |recording, snapshot| {
        input::print_unreadable(source, recording);
        prometheus::of_recording(recording, snapshot)
    })?;
    Ok(output::write(target, force, |out| Ok(out.write_all(text.as_bytes())?))?)
}

/// Serves the metrics until the process ends.
pub(super) fn listen(arguments: &ExportArguments, address: SocketAddr) -> Result<(), Failure> {
    if !matches!(arguments.to, Format::Prometheus) {
        return Err(OutputError::not_scraped(address).into());
    }
    let (source, root) =
        (arguments.file.source.newest()?, arguments.root.name().map(str::to_owned));
    if matches!(source, Source::Standard) {
        return Err(InputError::read_once(&source).into());
    }
    // Read the file once now, so that a mistyped name fails here and not in each scrape.
    text(&source, root.as_deref())?;
    let answer = move || text(&source, root.as_deref()).map_err(|error| with_causes(&error));
    let server = MetricsServer::bind(address, answer)
        .map_err(|error| OutputError::listening(address, error))?;
    let clients = if server.address().ip().is_loopback() {
        "this machine"
    } else {
        "any host that reaches this machine"
    };
    // Ignore a failure, because there is no other place to report that standard error is closed.
    let _ = writeln!(std::io::stderr(), "memprof: {server} for {clients}, until stopped");
    loop {
        thread::park();
    }
}

fn text(source: &Source, root: Option<&str>) -> Result<String, InputError> {
    input::with_snapshot(source, root, prometheus::of_recording)
}
