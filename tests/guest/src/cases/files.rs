//! Files: limits, folders that cannot be written, planted links and settings.

use super::{Host, Outcome, names};
use crate::Recorder;
use crate::system::{self, say};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{env, thread};

pub(super) fn file_limit(host: &Host) -> Outcome {
    system::limit_files(16 << 10);
    full_disk(host)
}

/// No file may have a byte.
pub(super) fn no_file_size(host: &Host) -> Outcome {
    system::limit_files(0);
    full_disk(host)
}

/// The disk is full when the program starts, and has room again before it ends.
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

/// Works, with more checkpoints than a small disk has room for.
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

/// Plants links with the names that a session's files will have, in a folder that others may write.
pub(super) fn planted_link(host: &Host) -> Outcome {
    const VICTIM: &str = "a file of somebody's\n";
    let victim = host.own.join("victim");
    fs::write(&victim, VICTIM)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    for second in now..now + 5 {
        let name = format!("memory_profile_{}", date_and_time(second));
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

/// A moment in UTC as session files spell it.
fn date_and_time(unix_seconds: u64) -> String {
    let (mut days, seconds) = (unix_seconds / 86_400, unix_seconds % 86_400);
    let mut year = 1970;
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year}{month:02}{:02}_{hour:02}{minute:02}{second:02}", days + 1)
}

/// Settings that are wrong, of a program that does not ask for a recording.
pub(super) fn settings(host: &Host) -> Outcome {
    env::set_current_dir(&host.own)?;
    fs::write("memprof.toml", "enabled = maybe\nno_such_key = 1\n")?;
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    say(&format!("files: {:?}", names(&host.own)?));
    Ok(())
}

/// A FIFO in place of the settings. Whoever opens it for reading waits for a writer.
pub(super) fn fifo_settings(host: &Host) -> Outcome {
    env::set_current_dir(&host.own)?;
    system::make_fifo("memprof.toml".as_ref());
    let recorder = host.start(None)?;
    host.work(600);
    recorder.finish();
    fs::remove_file("memprof.toml")?;
    Ok(())
}
