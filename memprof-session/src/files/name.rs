//! The names of a session's files, made from the start of the session; no two sessions share one.

use memprof_profile::text::rfc3339;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A name that this session has claimed by creating the timeline under it.
pub(super) struct Claimed {
    pub(super) file: File,
    pub(super) timeline: PathBuf,
    pub(super) document: PathBuf,
}

/// The number of names to try. A process that starts more sessions in one second has a bug.
const MAX: u32 = 1000;

/// Claims `memory_profile_20261121_083000`.
///
/// If the name is taken, the process id is appended, and then a number.
pub(super) fn claim(folder: &Path, started_unix: u64, pid: u32) -> io::Result<Claimed> {
    let stem = format!("memory_profile_{}", stamp(started_unix));
    let with_pid = format!("{stem}_{pid}");
    let numbered = (2..MAX).map(|number| format!("{with_pid}_{number}"));
    for stem in [stem, with_pid.clone()].into_iter().chain(numbered) {
        let (timeline, document) =
            (folder.join(format!("{stem}.jsonl")), folder.join(format!("{stem}.json")));
        // A document without its timeline still owns its name: the user may have removed the
        // timeline.
        if document.symlink_metadata().is_ok() {
            continue;
        }
        // Creating the file claims the name: `create_new` succeeds in one process only.
        let made = OpenOptions::new().read(true).append(true).create_new(true).open(&timeline);
        match made {
            Ok(file) => return Ok(Claimed { file, timeline, document }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Returns `20261121_083000`, in UTC.
fn stamp(unix: u64) -> String {
    let mut stamp: String = rfc3339(unix).chars().filter(char::is_ascii_digit).collect();
    stamp.insert(8.min(stamp.len()), '_');
    stamp
}

#[cfg(test)]
mod tests {
    use super::stamp;

    #[test]
    fn file_names_have_the_time_in_utc() {
        for (unix, expected) in [
            (0, "19700101_000000"),
            (951_782_400, "20000229_000000"),
            (1_795_249_800, "20261121_083000"),
        ] {
            assert_eq!(stamp(unix), expected);
        }
    }
}
