//! GPUs in one snapshot with roots and the heap. The GPUs' readings come from a trace.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use crate::sources::Buffer;
use memprof::gpu::{GpuSource, TraceSampler};
use memprof::tree::Device;
use std::sync::Arc;
use std::time::Duration;

/// Returns a header and `readings` readings of one device, with 600 of its 1,000 bytes in use.
fn trace(readings: usize) -> TraceSampler {
    let head = r#"{"format":"memprof gpu trace","version":1,"started_unix_ns":0,"environment":{"driver":null,"cuda":null},"devices":[{"index":0,"uuid":"GPU-1","name":"H100","part":null,"ordinal":0}]}"#;
    let reading = format!(
        r#"{{"reading":{{"device":0,"at":{{"secs":0,"nanos":0}},"cost":{{"secs":0,"nanos":0}},"memory":{{"Ok":{{"total":1000,"used":600,"free":300,"driver_reserved":100,"source":"nvml_v2"}}}},"processes":{{"Ok":[{{"pid":{},"used":400,"gpu_instance":null}}]}},"temperature_celsius":{{"Ok":41}},"power_milliwatts":{{"Err":"no_permission"}},"traffic":{{"Err":"not_supported"}}}}}}"#,
        std::process::id()
    );
    let text = [head].into_iter().chain(vec![&*reading; readings]).collect::<Vec<_>>().join("\n");
    TraceSampler::read(text.as_bytes()).expect("it is a trace")
}

#[test]
fn a_snapshot_has_the_processes_on_the_device() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    // Only snapshots read the GPU, so that the trace does not end.
    let seldom_read = Duration::from_hours(1);
    let builder = GpuSource::builder().memory_interval(seldom_read).slow_interval(seldom_read);
    session.source(builder.start_with(trace(100)).expect("there is a thread"));
    let buffer = Arc::new(Buffer::<150>);
    session.root("buffer", buffer.clone());
    session.checkpoint("loaded");
    drop(buffer);
    end(session);
    let recording = folder.recording();
    let snapshot = recording.snapshot("loaded").expect("it was taken");
    let gpu = snapshot.root("gpu").expect("it tells").expect("it is a profile");
    let expected = "gpu;cuda:0;driver_reserved 100\ngpu;cuda:0;free 300\n\
                  gpu;cuda:0;used;other_processes 200\ngpu;cuda:0;used;process;attributed 150\n\
                  gpu;cuda:0;used;process;unattributed 250\n";
    assert_eq!(gpu.to_folded(), expected);
    let all = snapshot.profile("program").expect("profiles");
    assert_eq!(all.devices(), [(Device::Cuda(0), 1000)], "nothing counts twice");
    let page = recording.overview().at(snapshot).to_string();
    assert!(page.contains("cuda:0 temperature"), "{page}");
    assert!(page.contains("41 °C"), "{page}");
    assert!(page.contains("this user may not read it"), "{page}");
}

#[test]
fn a_session_reads_this_machines_gpus_or_records_the_reason() {
    let _alone = alone();
    let folder = Folder::new();
    let session = seldom(folder.path()).start().expect("the folder can be written");
    session.source(GpuSource::new());
    session.checkpoint("read");
    end(session);
    let recording = folder.recording();
    let source = &recording.snapshot("read").expect("it was taken").sources[0];
    match GpuSource::open() {
        Ok(_) => assert!(source.error.is_none() && source.profile.is_some(), "{source:?}"),
        Err(reason) => {
            let recorded = source.error.as_deref().expect("there is a reason");
            assert!(recorded.starts_with(&reason.to_string()), "{recorded}");
            assert!(source.profile.is_none());
        }
    }
}
