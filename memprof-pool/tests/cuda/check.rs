//! Tests of the example `cuda_check`, with fake drivers and, if there is one, with a device.

use crate::fake::Fake;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

#[expect(dead_code, reason = "its `main` is the example's")]
#[path = "../../examples/cuda_check/main.rs"]
mod cuda_check;

/// The capabilities that the program checks.
const CAPABILITIES: [&str; 12] = [
    "driver",
    "driver's pool",
    "upstreams",
    "pool reuse",
    "pool statistics",
    "pool limits",
    "pool adaptors",
    "pool timeline",
    "event timer",
    "snapshot",
    "attribution",
    "framework operations",
];

/// The settings of the fake NVML: one device, with this process and another one.
const NVML: &str = "devices=1;uuids of cuda=1;total of 0=1073741824;reserved of 0=0;\
     used of 0=419430400;Compute processes of 0=2;pid of Compute process 0 of 0=0;\
     memory of Compute process 0 of 0=209715200;pid of Compute process 1 of 0=1;\
     memory of Compute process 1 of 0=209715200";

/// A row of the output.
struct Row {
    outcome: String,
    capability: String,
    what: String,
}

/// The output of the check.
struct Checked {
    is_good: bool,
    printed: String,
    rows: Vec<Row>,
}

impl Checked {
    fn failed(&self) -> Vec<&str> {
        let failed = self.rows.iter().filter(|row| row.outcome == "fail");
        failed.map(|row| &*row.what).collect()
    }

    fn has(&self, capability: &str) -> bool {
        self.rows.iter().any(|row| row.capability == capability)
    }
}

/// A folder with fakes under the names of the drivers' libraries.
fn drivers() -> PathBuf {
    static COPIES: AtomicU32 = AtomicU32::new(0);
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    let folder = format!("drivers-{}-{copy}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).unwrap();
    for (source, library) in [("cuda", "libcuda.so.1"), ("nvml", "libnvidia-ml.so.1")] {
        fs::copy(Fake::new(source, &[]).path(), folder.join(library)).unwrap();
    }
    folder
}

/// Runs the check in a process of its own, with libraries from this folder.
fn checked(folder: &Path, settings: &str, arguments: &[&str]) -> Checked {
    let json = folder.join("rows.json");
    let arguments = [&["--json", json.to_str().unwrap()], arguments].concat();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "check::in_a_process_of_its_own", "--ignored", "--nocapture"])
        .env(ARGUMENTS, arguments.join(" "))
        .env("LD_LIBRARY_PATH", folder)
        .env("FAKE_CUDA", settings)
        .env("FAKE_NVML", NVML)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(json.exists(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let rows: serde_json::Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    let text = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = rows.as_array().unwrap().iter().map(|row| Row {
        outcome: text(row, "outcome"),
        capability: text(row, "capability"),
        what: text(row, "what"),
    });
    Checked { is_good: printed.contains("\nis good: true"), rows: rows.collect(), printed }
}

/// The variable with the arguments of the process that [`checked`] starts.
const ARGUMENTS: &str = "CUDA_CHECK_ARGUMENTS";

#[test]
#[ignore = "other tests run it in a process of its own, or with a device"]
fn in_a_process_of_its_own() {
    let arguments = std::env::var(ARGUMENTS).unwrap_or_default();
    let arguments = arguments.split_whitespace().map(OsString::from);
    let is_good = cuda_check::run(arguments, &mut std::io::stdout()).unwrap();
    println!("is good: {is_good}");
    assert!(is_good || std::env::var_os(ARGUMENTS).is_some());
}

#[test]
fn with_fakes_each_capability_is_checked_and_only_the_clock_fails() {
    let checked = checked(&drivers(), "", &["--require-gpu"]);
    let missing: Vec<_> = CAPABILITIES.iter().filter(|of| !checked.has(of)).collect();
    assert!(missing.is_empty(), "{missing:?} in {}", checked.printed);
    // The clock of a fake stands still.
    assert_eq!(checked.failed(), ["ten sleeps of the host, by the timer"], "{}", checked.printed);
    assert!(!checked.is_good);
}

/// One refused call loses only the figures of its group.
#[test]
fn with_each_call_refused_in_turn_the_other_groups_report() {
    let refused = [
        "cuDevicePrimaryCtxGetState",
        "cuMemPoolGetAttribute",
        "cuMemPoolSetAttribute",
        "cuMemPoolTrimTo",
        "cuMemAlloc_v2",
        "cuMemFree_v2",
        "cuMemAllocAsync",
        "cuMemFreeAsync",
        "cuMemsetD8Async",
        "cuMemHostAlloc",
        "cuMemFreeHost",
        "cuEventCreate",
        "cuEventRecord",
        "cuEventQuery",
        "cuStreamCreate",
        "cuStreamWaitEvent",
        "cuStreamSynchronize",
        "cuMemGetInfo_v2",
    ];
    let folder = drivers();
    // Few calls by default, because each needs a process of its own.
    for call in refused.iter().step_by(memprof_test_support::rounds(3, 1)) {
        let checked = checked(&folder, &format!("fail {call}=719"), &[]);
        assert!(!checked.is_good, "{call}: {}", checked.printed);
        let reported = CAPABILITIES.iter().filter(|of| checked.has(of)).count();
        assert!(reported >= 9, "{call}: {reported} of 12\n{}", checked.printed);
    }
}

#[test]
fn without_a_device_the_check_is_skipped_unless_a_gpu_is_required() {
    let folder = drivers();
    for (arguments, is_good) in [(&[][..], true), (&["--require-gpu"][..], false)] {
        let checked = checked(&folder, "devices=0", arguments);
        assert_eq!(checked.is_good, is_good, "{}", checked.printed);
        assert!(checked.printed.contains("skipped: the CUDA driver found no device"));
    }
}

#[test]
fn the_check_finds_a_pool_with_wrong_statistics() {
    let checked = checked(&drivers(), "forgotten bytes=4096", &[]);
    assert!(checked.failed().contains(&"allocated, of seven times 32 MiB"), "{}", checked.printed);
}

#[test]
fn other_arguments_are_an_error() {
    let error = cuda_check::run(["driver".into()], &mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("expected `--require-gpu`"), "{error}");
}
