//! Files: limits, folders that cannot be written, planted links and settings.

use super::{Host, Outcome, names};
use crate::Recorder;
use crate::observed::say;
use chrono::{TimeDelta, Utc};
use memprof_test_support::unix as system;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::Duration;
use std::{env, thread};

pub(super) fn file_limit(host: &Host) -> Outcome {
    system::limit_files(16 << 10);
    full_disk(host)
}

/// Limits all files to 0 bytes.
pub(super) fn no_file_size(host: &Host) -> Outcome {
    system::limit_files(0);
    full_disk(host)
}

/// Fills the disk when the program starts, and frees space before it ends.
pub(super) fn full_from_start(host: &Host) -> Outcome {
    let filler = host.recording.join("filler");
    let mut file = fs::File::create(&filler)?;
    while file.write_all(&[1; 4096]).is_ok() {}
    let recorder = host.start(None)?;
    take_checkpoints(host, &*recorder);
    say(&format!("files: {:?}", names(&host.recording)?));
    fs::remove_file(&filler)?;
    drop(file);
    recorder.checkpoint();
    recorder.finish();
    Ok(())
}

pub(super) fn full_disk(host: &Host) -> Outcome {
    let recorder = host.start(None)?;
    take_checkpoints(host, &*recorder);
    recorder.finish();
    Ok(())
}

/// Works, with more checkpoints than fit on a small disk.
fn take_checkpoints(host: &Host, recorder: &dyn Recorder) {
    for _ in 0..50 {
        host.work(50);
        recorder.checkpoint();
    }
}

pub(super) fn unwritable(host: &Host) -> Outcome {
    fs::set_permissions(&host.recording, Permissions::from_mode(0o555))?;
    system::drop_privileges();
    let recorder = host.start(None)?;
    host.work(600);
    recorder.checkpoint();
    recorder.finish();
    Ok(())
}

/// Plants links with the names that a session's files will have, in a folder that other users may
/// write.
pub(super) fn planted_link(host: &Host) -> Outcome {
    const VICTIM: &str = "a file of somebody's\n";
    let victim = host.own.join("victim");
    fs::write(&victim, VICTIM)?;
    let now = Utc::now();
    for seconds in 0..5 {
        let moment = now + TimeDelta::seconds(seconds);
        let name = moment.format("memory_profile_%Y%m%d_%H%M%S").to_string();
        let number = std::process::id();
        for stem in [name.clone(), format!("{name}_{number}")] {
            for ending in ["json", "jsonl", "json.tmp", "jsonl.tmp", "tmp"] {
                symlink(&victim, host.recording.join(format!("{stem}.{ending}")))?;
            }
        }
    }
    let recorder = host.start(None)?;
    host.work(600);
    thread::sleep(Duration::from_millis(200));
    recorder.finish();
    say(&format!("the file is as it was: {}", fs::read_to_string(&victim)? == VICTIM));
    Ok(())
}

/// Runs with invalid settings in a program that does not request a recording.
pub(super) fn settings(host: &Host) -> Outcome {
    env::set_current_dir(&host.own)?;
    fs::write("memprof.toml", "enabled = maybe\nno_such_key = 1\n")?;
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    say(&format!("files: {:?}", names(&host.own)?));
    Ok(())
}

/// Runs with a FIFO in place of the settings, which blocks a reader until there is a writer.
pub(super) fn fifo_settings(host: &Host) -> Outcome {
    env::set_current_dir(&host.own)?;
    system::make_fifo("memprof.toml".as_ref());
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    fs::remove_file("memprof.toml")?;
    Ok(())
}
