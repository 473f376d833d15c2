//! The memory of the process and of its control group, from files of the kernel. They are read again
//! each time into one buffer.
//!
//! The control group is the container, with its memory and its limit. Each group around it may have a
//! limit too, which counts the memory of all groups within, so a limit is compared with the usage of its
//! own group.
//!
//! Version 2 has one tree, and version 1 has a separate tree for memory. Systems that have both
//! keep memory in version 1. `/proc/self/cgroup` names the group of the process.
//! `/proc/self/mountinfo` has the mount point of the tree and the part of it that is mounted.
//! Containers often see only their own part.
#![expect(unsafe_code, reason = "reads a limit of the process")]

use core::cmp::Reverse;
use memprof_recording::document::{MemoryLimit, MemoryPressure, ProcessMemory};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

#[derive(Debug)]
pub(crate) struct ProcessMemoryReader {
    /// The group of the process and its ancestors, innermost first.
    groups: Vec<Group>,
    /// The file with the time in which tasks of the group wait for memory.
    stalls: Option<PathBuf>,
    buffer: Vec<u8>,
}

/// A size above the size of any of these files. The longest part lists up to 65,536 groups.
const LARGEST: u64 = 1 << 20;
/// The usual size of `/proc/self/status`. With this capacity, a reading rarely allocates.
const USUAL: usize = 8 << 10;

impl ProcessMemoryReader {
    pub(crate) fn new() -> Self {
        let text = |path| {
            let bytes = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let mut groups = find_groups(&text("/proc/self/cgroup"), &text("/proc/self/mountinfo"));
        // A container may not see the groups around its own, and a group without the controller of
        // memory has no usage: its memory counts for the group around it.
        groups.retain(|group| group.usage.is_file());
        let of_group = groups.first().map(|group| group.usage.with_file_name("memory.pressure"));
        let of_machine = PathBuf::from("/proc/pressure/memory");
        let stalls = of_group.into_iter().chain([of_machine]).find(|path| path.is_file());
        Self { groups, stalls, buffer: Vec::with_capacity(USUAL) }
    }

    pub(crate) fn read(&mut self) -> ProcessMemory {
        let Self { groups, buffer, .. } = self;
        let mut memory = ProcessMemory::default();
        if let Some(text) = contents(Path::new("/proc/self/status"), buffer) {
            parse_status(text, &mut memory);
        }
        [memory.cgroup_usage_bytes, memory.cgroup_limit_bytes] = usage_and_limit(groups, buffer);
        memory
    }

    /// Returns the limit of which the process uses the largest part; `None` if there is no limit.
    ///
    /// The page cache is left out, because the kernel frees it first. The memory of the machine is a
    /// limit only for a process that has at least a tenth of it.
    pub(crate) fn pressure(&mut self) -> Option<MemoryPressure> {
        let Self { groups, stalls, buffer } = self;
        let of_group = pressure_of_groups(groups, buffer);
        let [addresses, resident] = contents(Path::new("/proc/self/statm"), buffer)
            .and_then(pages_of_process)
            .map_or([None; 2], |pages| pages.map(|pages| pages.checked_mul(page_bytes())));
        let of_addresses = address_limit().zip(addresses).map(|(limit_bytes, used_bytes)| {
            MemoryPressure::new(MemoryLimit::AddressSpace, used_bytes, limit_bytes)
        });
        let memory = contents(Path::new("/proc/meminfo"), buffer).and_then(machine);
        let is_large =
            |memory: &MemoryPressure| resident.is_some_and(|own| own >= memory.limit_bytes / 10);
        let all = [of_group, of_addresses, memory.filter(is_large)];
        let mut most = all.into_iter().flatten().max_by_key(MemoryPressure::percent)?;
        let stalls = stalls.as_deref().and_then(|path| contents(path, buffer));
        most.stalled_percent = stalls.and_then(stalled_percent);
        Some(most)
    }
}

/// Returns the usage and the limit of the group that uses the largest part of its limit. If no usage is
/// known, it is the smallest limit, and if there is no limit, the usage of the innermost group.
///
/// The usage is without the pages that the kernel frees before it kills a process. Kubernetes
/// leaves them out too.
fn usage_and_limit(groups: &mut [Group], buffer: &mut Vec<u8>) -> [Option<u64>; 2] {
    let limited = groups.iter_mut().filter_map(|group| {
        let limit = group.limit(buffer)?;
        Some((group.used_bytes(buffer, &[inactive_file]), limit))
    });
    let millionths = |used, limit: u64| u128::from(used) * 1_000_000 / u128::from(limit.max(1));
    let closest = limited.max_by_key(|&(used, limit)| {
        (used.map(|used: u64| millionths(used, limit)), Reverse(limit))
    });
    if let Some((used, limit)) = closest {
        return [used, Some(limit)];
    }
    [groups.first().and_then(|group| group.used_bytes(buffer, &[inactive_file])), None]
}

/// Returns the limit of which a group uses the largest part, without the page cache.
fn pressure_of_groups(groups: &[Group], buffer: &mut Vec<u8>) -> Option<MemoryPressure> {
    let of_group = |group: &Group| {
        let limit_bytes = group.limit?;
        let used_bytes = group.used_bytes(buffer, &[inactive_file, active_file])?;
        Some(MemoryPressure::new(MemoryLimit::Group, used_bytes, limit_bytes))
    };
    groups.iter().filter_map(of_group).max_by_key(MemoryPressure::percent)
}

/// Returns the share of the last 10 seconds in which a task waited for memory, in whole percent, from
/// a file with a line such as `some avg10=3.07 avg60=0.11 avg300=0.00 total=5`.
fn stalled_percent(text: &[u8]) -> Option<u64> {
    let average = text.strip_prefix(b"some avg10=")?;
    number(average.split(|&byte| byte == b'.').next()?)
}

fn contents<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    buffer.clear();
    File::open(path).ok()?.take(LARGEST).read_to_end(buffer).ok()?;
    Some(buffer)
}

fn parse_status(text: &[u8], memory: &mut ProcessMemory) {
    for line in text.split(|&byte| byte == b'\n') {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { continue };
        let place = match &line[..colon] {
            b"VmRSS" => &mut memory.rss_bytes,
            b"RssAnon" => &mut memory.rss_anonymous_bytes,
            b"RssFile" => &mut memory.rss_file_bytes,
            b"RssShmem" => &mut memory.rss_shared_bytes,
            b"VmHWM" => &mut memory.rss_peak_bytes,
            b"VmSwap" => &mut memory.swap_bytes,
            _ => continue,
        };
        *place = bytes(&line[colon + 1..]);
    }
}

/// Returns the pages of addresses and the resident pages that `/proc/self/statm` contains.
fn pages_of_process(text: &[u8]) -> Option<[u64; 2]> {
    let mut fields = text.split(|&byte| byte == b' ').map(number);
    Some([fields.next()??, fields.next()??])
}

/// Returns the memory of the machine, and the part that is not available, from `/proc/meminfo`.
fn machine(text: &[u8]) -> Option<MemoryPressure> {
    let of = |key: &[u8]| {
        let mut lines = text.split(|&byte| byte == b'\n');
        bytes(lines.find_map(|line| line.strip_prefix(key))?)
    };
    let limit_bytes = of(b"MemTotal:")?;
    let used_bytes = limit_bytes.saturating_sub(of(b"MemAvailable:")?);
    Some(MemoryPressure::new(MemoryLimit::Machine, used_bytes, limit_bytes))
}

fn address_limit() -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the pointer is to a local `rlimit`.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    #[allow(clippy::unnecessary_fallible_conversions, reason = "the type differs between systems")]
    #[allow(clippy::useless_conversion, reason = "the type differs between systems")]
    let bytes = u64::try_from(limit.rlim_cur).ok();
    bytes.filter(|_| limit.rlim_cur != libc::RLIM_INFINITY)
}

pub(super) fn page_bytes() -> u64 {
    // SAFETY: the call has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    u64::try_from(size).ok().filter(|&size| size > 0).unwrap_or(4096)
}

/// Converts an amount such as `1632 kB` to bytes.
///
/// Returns `None` for other units, which the kernel has not used so far. A number without its unit
/// may be cut off, so it is rejected too.
pub(super) fn bytes(value: &[u8]) -> Option<u64> {
    let kib = value.trim_ascii().strip_suffix(b" kB")?;
    number(kib)?.checked_mul(1024)
}

fn number(text: &[u8]) -> Option<u64> {
    let is_plain = text.iter().all(u8::is_ascii_digit);
    is_plain.then(|| str::from_utf8(text).ok()?.parse().ok()).flatten()
}

/// The files of a group, found once.
///
/// If the process is moved to another group, which is rare, the first group's files are still read.
#[derive(Debug, PartialEq, Eq)]
struct Group {
    usage: PathBuf,
    /// The file with the parts of the usage.
    parts: PathBuf,
    limits: Vec<PathBuf>,
    /// The smallest limit of the group itself at the last reading.
    limit: Option<u64>,
}

impl Group {
    fn new(folder: &Path, version: Version) -> Self {
        let (usage, limits) = version.files();
        let limits = limits.iter().map(|name| folder.join(name)).collect();
        let (usage, parts) = (folder.join(usage), folder.join("memory.stat"));
        Self { usage, parts, limits, limit: None }
    }

    fn limit(&mut self, buffer: &mut Vec<u8>) -> Option<u64> {
        self.limit = self.limits.iter().filter_map(|path| limit(contents(path, buffer)?)).min();
        self.limit
    }

    /// Returns the memory that the group uses, without lists of pages of the page cache.
    fn used_bytes(&self, buffer: &mut Vec<u8>, cached: &[List]) -> Option<u64> {
        let used = usage(contents(&self.usage, buffer)?)?;
        let parts = contents(&self.parts, buffer).unwrap_or_default();
        let cached = cached.iter().filter_map(|list| list(parts));
        Some(used.saturating_sub(cached.fold(0, u64::saturating_add)))
    }
}

/// A function that returns the bytes of a list of pages in `memory.stat`.
type List = fn(&[u8]) -> Option<u64>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    /// Returns the files with the usage and the limits: above `memory.max` the kernel kills a
    /// process, and above `memory.high` it throttles all of them.
    fn files(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::One => ("memory.usage_in_bytes", &["memory.limit_in_bytes"]),
            Self::Two => ("memory.current", &["memory.max", "memory.high"]),
        }
    }
}

/// Kernels allow more enclosing groups than this, but few systems have them.
const DEEPEST: usize = 32;

/// Parses the two files of `/proc`, without checking that the paths exist.
fn find_groups(groups: &str, mounts: &str) -> Vec<Group> {
    let Some((version, group)) = group(groups) else { return Vec::new() };
    let mut mounts = mounts.lines().filter_map(|line| mount(line, version));
    // A tree may have several mount points, each with a part of the tree.
    let found = mounts.find_map(|(root, at)| {
        let within = Path::new(group).strip_prefix(&root).ok()?;
        let is_plain = within.components().all(|part| matches!(part, Component::Normal(_)));
        is_plain.then(|| (at.join(within), at))
    });
    let Some((folder, top)) = found else { return Vec::new() };
    let around = folder.ancestors().take_while(|folder| folder.starts_with(&top));
    around.take(DEEPEST).map(|folder| Group::new(folder, version)).collect()
}

fn group(groups: &str) -> Option<(Version, &str)> {
    let rows = groups.lines().filter_map(|line| {
        let (number, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        path.starts_with('/').then_some((number, controllers, path))
    });
    let one = rows.clone().find(|row| row.1.split(',').any(|name| name == "memory"));
    let two = || rows.clone().find(|row| row.0 == "0" && row.1.is_empty());
    match one {
        Some((_, _, path)) => Some((Version::One, path)),
        None => two().map(|(_, _, path)| (Version::Two, path)),
    }
}

/// Returns the part of the tree that a line of `/proc/self/mountinfo` mounts, and its mount point.
fn mount(line: &str, version: Version) -> Option<(PathBuf, PathBuf)> {
    let (mount, system) = line.split_once(" - ")?;
    let mut mount = mount.split(' ').skip(3);
    let (root, at) = (mount.next()?, mount.next()?);
    let mut system = system.split(' ');
    let (kind, options) = (system.next()?, system.nth(1)?);
    let is_it = match version {
        Version::One => kind == "cgroup" && options.split(',').any(|name| name == "memory"),
        Version::Two => kind == "cgroup2",
    };
    is_it.then(|| (unescaped(root), unescaped(at)))
}

/// The kernel writes spaces, tabs, line feeds and backslashes as octal codes such as `\040`.
fn unescaped(path: &str) -> PathBuf {
    let mut parts = path.split('\\');
    let mut text = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let code = part.get(..3).and_then(|code| u8::from_str_radix(code, 8).ok());
        match code {
            Some(code) if code.is_ascii() => {
                text.push(char::from(code));
                text.push_str(&part[3..]);
            }
            _ => {
                text.push('\\');
                text.push_str(part);
            }
        }
    }
    PathBuf::from(text)
}

fn usage(text: &[u8]) -> Option<u64> {
    number(text.trim_ascii())
}

/// Returns the page cache that the kernel frees before it kills a process.
fn inactive_file(text: &[u8]) -> Option<u64> {
    list(text, [b"total_inactive_file ", b"inactive_file "])
}

/// Returns the bytes of the page cache that is in use, which the kernel frees next.
fn active_file(text: &[u8]) -> Option<u64> {
    list(text, [b"total_active_file ", b"active_file "])
}

/// Version 1 has the sum of the groups within the group in a key of its own, which is the first.
fn list(text: &[u8], keys: [&[u8]; 2]) -> Option<u64> {
    keys.into_iter().find_map(|key| {
        let mut lines = text.split(|&byte| byte == b'\n');
        number(lines.find_map(|line| line.strip_prefix(key))?)
    })
}

/// Returns the limit of a group, if it has one.
///
/// Without a limit, version 2 has `max`. Version 1 has the largest number of pages that fits a
/// signed word, which depends on the page size.
fn limit(text: &[u8]) -> Option<u64> {
    const UNLIMITED: u64 = 1 << 62;
    number(text.trim_ascii()).filter(|&bytes| bytes < UNLIMITED)
}

#[cfg(test)]
mod tests;
