//! Jobs record how long they took, and no scraper reads the histogram.
//!
//! metrics-exporter-prometheus 0.13.1 keeps each value of a histogram until it is rendered:
//! metrics-rs/metrics#245.

use metrics::histogram;
use metrics_exporter_prometheus::PrometheusBuilder;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let recorder = PrometheusBuilder::new().build_recorder();
    #[cfg(feature = "fixed")]
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(|_| "a recorder is set already")?;
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        for number in 0..1_000 {
            job(number);
        }
        #[cfg(feature = "fixed")]
        handle.run_upkeep();
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}

fn job(number: u32) {
    histogram!("job_seconds").record(f64::from(number) / 1e6); // the leak
}
