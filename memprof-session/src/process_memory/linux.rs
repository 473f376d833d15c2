//! Files of the kernel, read again each time into one buffer.

use super::cgroup::{self, Files};
use super::status;
use memprof_recording::document::ProcessMemory;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// The files and the buffer of each reading.
#[derive(Debug)]
pub(super) struct Reader {
    group: Files,
    buffer: Vec<u8>,
}

/// A size above the size of any of these files. The longest part lists up to 65,536 groups.
const LARGEST: u64 = 1 << 20;
/// The usual size of `/proc/self/status`. With this capacity, a reading rarely allocates.
const USUAL: usize = 8 << 10;

impl Reader {
    pub(super) fn new() -> Self {
        let text = |path| {
            let bytes = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let mut group = Files::find(&text("/proc/self/cgroup"), &text("/proc/self/mountinfo"));
        // The root of a tree has no limit, and a container may not see the groups around its own.
        group.limits.retain(|path| path.is_file());
        group.usage = group.usage.filter(|path| path.is_file());
        group.parts = group.parts.filter(|path| path.is_file());
        Self { group, buffer: Vec::with_capacity(USUAL) }
    }

    pub(super) fn read(&mut self) -> ProcessMemory {
        let Self { group, buffer } = self;
        let mut memory = ProcessMemory::default();
        if let Some(text) = contents(Path::new(status::PATH), buffer) {
            status::parse(text, &mut memory);
        }
        let usage = group.usage.as_ref();
        let usage = usage.and_then(|path| cgroup::usage(contents(path, buffer)?));
        // The kernel frees these pages before it ends a process, and Kubernetes leaves them out too.
        let parts = group.parts.as_ref();
        let files = parts.and_then(|path| cgroup::inactive_file(contents(path, buffer)?));
        memory.cgroup_usage_bytes = usage.map(|usage| usage.saturating_sub(files.unwrap_or(0)));
        let limits = group.limits.iter();
        memory.cgroup_limit_bytes =
            limits.filter_map(|path| cgroup::limit(contents(path, buffer)?)).min();
        memory
    }
}

fn contents<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    buffer.clear();
    File::open(path).ok()?.take(LARGEST).read_to_end(buffer).ok()?;
    Some(buffer)
}
