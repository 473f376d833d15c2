//! The properties of the machine that affect the figures: caches, cores, free memory.

use memprof::views::Units;
use std::fmt;
use std::fs;
use std::path::Path;

/// The machine's properties. An unknown one is `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// The bytes of the last-level cache of the first core.
    pub(crate) last_level_cache: Option<u64>,
    cores: Option<usize>,
}

impl Machine {
    pub(crate) fn read() -> Self {
        Self {
            last_level_cache: last_level_cache(Path::new("/sys/devices/system/cpu/cpu0/cache")),
            cores: std::thread::available_parallelism().ok().map(usize::from),
        }
    }

    /// Formats bytes as a multiple of the last-level cache, if that is known.
    #[expect(clippy::cast_precision_loss, reason = "one digit is shown")]
    pub(crate) fn in_caches(&self, bytes: u64) -> String {
        let size = Units::Iec.show(bytes);
        match self.last_level_cache {
            Some(cache) => format!("{size}, {:.1} LLC", bytes as f64 / cache as f64),
            None => size.to_string(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unknown = || "unknown".to_owned();
        let cache = self.last_level_cache.map(|bytes| Units::Iec.show(bytes).to_string());
        let cores = self.cores.map(|cores| cores.to_string());
        write!(
            out,
            "Last-level cache (LLC): {}. Cores: {}.",
            cache.unwrap_or_else(unknown),
            cores.unwrap_or_else(unknown)
        )
    }
}

/// Returns the bytes of the cache with the highest level. Linux describes each cache in a folder.
fn last_level_cache(caches: &Path) -> Option<u64> {
    let mut last = None;
    for cache in fs::read_dir(caches).ok()?.flatten() {
        let read = |name| fs::read_to_string(cache.path().join(name)).ok();
        let Some((level, size)) = read("level").zip(read("size")) else { continue };
        last = last.max(level.trim().parse::<u8>().ok().zip(bytes(size.trim())));
    }
    last.map(|(_, bytes)| bytes)
}

/// Parses a size such as `32768K`.
fn bytes(size: &str) -> Option<u64> {
    let digits = size.trim_end_matches(['K', 'M', 'G']);
    let unit = match size.strip_prefix(digits)? {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        _ => 1 << 30,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

/// Returns the memory that the system can give to programs, if it is known.
pub(crate) fn available_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes << 10)
}
