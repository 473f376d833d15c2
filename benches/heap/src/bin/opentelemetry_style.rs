//! An allocator in the style of OpenTelemetry's heap profiling, while no profiler is attached.

use memprof_heap_benches::{opentelemetry::OpenTelemetryStyle, program};
use std::process::ExitCode;

#[global_allocator]
static ALLOC: OpenTelemetryStyle = OpenTelemetryStyle;

fn main() -> ExitCode {
    program::run(program::no_level)
}
