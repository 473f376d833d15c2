//! The memory of the process and of its control group, from files of the kernel. They are read again
//! each time into one buffer.
//!
//! The control group is the container, with its memory and its limit.
//! Version 2 has one tree, and version 1 has a separate tree for memory. Systems that have both
//! keep memory in version 1. `/proc/self/cgroup` names the group of the process.
//! `/proc/self/mountinfo` has the mount point of the tree and the part of it that is mounted.
//! Containers often see only their own part.

use memprof_recording::document::ProcessMemory;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// The reader of the memory of this process.
#[derive(Debug)]
pub(crate) struct ProcessMemoryReader {
    group: Files,
    buffer: Vec<u8>,
}

/// A size above the size of any of these files. The longest part lists up to 65,536 groups.
const LARGEST: u64 = 1 << 20;
/// The usual size of `/proc/self/status`. With this capacity, a reading rarely allocates.
const USUAL: usize = 8 << 10;

impl ProcessMemoryReader {
    /// Finds the files to read, once. Each reading then opens a few files and allocates nothing.
    pub(crate) fn new() -> Self {
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

    /// Returns the memory now, with `None` for each figure that can't be read.
    pub(crate) fn read(&mut self) -> ProcessMemory {
        let Self { group, buffer } = self;
        let mut memory = ProcessMemory::default();
        if let Some(text) = contents(Path::new("/proc/self/status"), buffer) {
            parse_status(text, &mut memory);
        }
        let used = group.usage.as_ref();
        let used = used.and_then(|path| usage(contents(path, buffer)?));
        // The kernel frees these pages before it ends a process, and Kubernetes leaves them out too.
        let parts = group.parts.as_ref();
        let files = parts.and_then(|path| inactive_file(contents(path, buffer)?));
        memory.cgroup_usage_bytes = used.map(|used| used.saturating_sub(files.unwrap_or(0)));
        let limits = group.limits.iter();
        memory.cgroup_limit_bytes = limits.filter_map(|path| limit(contents(path, buffer)?)).min();
        memory
    }
}

fn contents<'a>(path: &Path, buffer: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    buffer.clear();
    File::open(path).ok()?.take(LARGEST).read_to_end(buffer).ok()?;
    Some(buffer)
}

/// Sets the figures that the text of `/proc/self/status` contains.
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

/// Converts an amount such as `1632 kB` to bytes.
///
/// Returns `None` for other units, which the kernel has not used so far. A number without its unit
/// may be cut off, so it is rejected too.
fn bytes(value: &[u8]) -> Option<u64> {
    let kib = value.trim_ascii().strip_suffix(b" kB")?;
    number(kib)?.checked_mul(1024)
}

/// Parses a number that has only digits.
fn number(text: &[u8]) -> Option<u64> {
    let is_plain = text.iter().all(u8::is_ascii_digit);
    is_plain.then(|| str::from_utf8(text).ok()?.parse().ok()).flatten()
}

/// The files of the group, found once.
///
/// If the process is moved to another group, which is rare, the first group's files are still read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Files {
    usage: Option<PathBuf>,
    /// The file with the parts of the usage.
    parts: Option<PathBuf>,
    /// Limits of the group and the groups around it, from the inside out; the smallest applies.
    limits: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Version {
    fn usage(self) -> &'static str {
        match self {
            Self::One => "memory.usage_in_bytes",
            Self::Two => "memory.current",
        }
    }

    /// Returns the limits: above `memory.max` the kernel ends a process, and above `memory.high` it
    /// slows all of them down.
    fn limits(self) -> &'static [&'static str] {
        match self {
            Self::One => &["memory.limit_in_bytes"],
            Self::Two => &["memory.max", "memory.high"],
        }
    }

    /// Returns the key of the page cache that the kernel frees first, for the group and those in it.
    fn inactive_file(self) -> &'static [u8] {
        match self {
            Self::One => b"total_inactive_file ",
            Self::Two => b"inactive_file ",
        }
    }
}

/// The maximum number of enclosing groups that are read. Kernels allow more enclosing groups, but
/// few systems have them.
const DEEPEST: usize = 32;

impl Files {
    /// Returns the paths according to the two files of `/proc`, without checking that the paths
    /// exist.
    fn find(groups: &str, mounts: &str) -> Self {
        let Some((version, group)) = group(groups) else { return Self::default() };
        let mut mounts = mounts.lines().filter_map(|line| mount(line, version));
        // A tree may have several mount points, each with a part of the tree.
        let found = mounts.find_map(|(root, at)| {
            let within = Path::new(group).strip_prefix(&root).ok()?;
            let is_plain = within.components().all(|part| matches!(part, Component::Normal(_)));
            is_plain.then(|| (at.join(within), at))
        });
        let Some((folder, top)) = found else { return Self::default() };
        let around = folder.ancestors().take_while(|folder| folder.starts_with(&top));
        Self {
            usage: Some(folder.join(version.usage())),
            parts: Some(folder.join("memory.stat")),
            limits: around
                .take(DEEPEST)
                .flat_map(|folder| version.limits().iter().map(|name| folder.join(name)))
                .collect(),
        }
    }
}

/// Returns the group that counts the memory of the process, according to `/proc/self/cgroup`.
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

/// Decodes a path: the kernel writes spaces, tabs, line feeds and backslashes as octal codes such
/// as `\040`.
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

/// Returns the bytes of a group that are in use.
fn usage(text: &[u8]) -> Option<u64> {
    number(text.trim_ascii())
}

/// Returns the bytes of the page cache that the kernel frees before it ends a process, according to
/// `memory.stat`.
fn inactive_file(text: &[u8]) -> Option<u64> {
    // Version 1 has the sum of the groups within the group in a key of its own.
    [Version::One, Version::Two].into_iter().find_map(|version| {
        let mut lines = text.split(|&byte| byte == b'\n');
        number(lines.find_map(|line| line.strip_prefix(version.inactive_file()))?)
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
