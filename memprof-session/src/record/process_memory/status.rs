//! `/proc/self/status`.

use crate::document::ProcessMemory;

/// Where the kernel says how much is resident.
pub(super) const PATH: &str = "/proc/self/status";

/// Sets what `text` says.
pub(super) fn parse(text: &[u8], memory: &mut ProcessMemory) {
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

/// The bytes of `1632 kB`. Any other unit is one that the kernel didn't have so far; a number
/// without it may be cut off.
fn bytes(value: &[u8]) -> Option<u64> {
    let kib = value.trim_ascii().strip_suffix(b" kB")?;
    number(kib)?.checked_mul(1024)
}

/// A number of nothing but digits.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    let is_plain = text.iter().all(u8::is_ascii_digit);
    is_plain.then(|| str::from_utf8(text).ok()?.parse().ok()).flatten()
}
