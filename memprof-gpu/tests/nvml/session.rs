//! Tests that the bytes of a device add up, whether the driver lists this process or not.

use crate::{GIB, LOST, fake, open};
use memprof_gpu::GpuSource;
use memprof_profile::source::Source;
use memprof_profile::tree::Device;
use std::time::Duration;

#[test]
fn counters_and_held_bytes_make_one_tree() {
    let fake = fake(1, &[]);
    fake.set("Compute processes of 0", 2);
    fake.set("pid of Compute process 0 of 0", u64::from(std::process::id()));
    fake.set("memory of Compute process 0 of 0", 8 * GIB);
    fake.set("pid of Compute process 1 of 0", u64::from(std::process::id()) + 1);
    fake.set("memory of Compute process 1 of 0", 12 * GIB);
    let builder = GpuSource::builder().memory_interval(Duration::from_secs(3600));
    let mut source = builder.start_with(open(&fake)).expect("there is a thread");
    source.set_attributed(&[(Device::Nvml(0), 5 * GIB)]);
    let profile = source.read().expect("the source reads");
    let folded = format!(
        "gpu;nvml:0;driver_reserved {}\ngpu;nvml:0;free {}\ngpu;nvml:0;used;other_processes {}\n\
         gpu;nvml:0;used;process;attributed {}\ngpu;nvml:0;used;process;unattributed {}\n",
        GIB,
        59 * GIB,
        12 * GIB,
        5 * GIB,
        3 * GIB
    );
    assert_eq!(profile.to_folded(), folded);
    assert_eq!(profile.devices(), [(Device::Nvml(0), 80 * GIB)]);
}

#[test]
fn each_device_has_a_tree_unless_it_is_lost() {
    let fake = fake(3, &[]);
    let mut source = GpuSource::builder().start_with(open(&fake)).expect("there is a thread");
    fake.set("fail nvmlDeviceGetMemoryInfo_v2 of 1", LOST);
    let profile = source.read().expect("two devices are read");
    let names: Vec<&str> =
        profile.root().children().map(memprof_profile::tree::Branch::name).collect();
    assert_eq!(names, ["nvml:0", "nvml:2"]);
    let all = profile.root().children();
    assert!(all.into_iter().all(|device| device.total_bytes() == 80 * GIB));
}
