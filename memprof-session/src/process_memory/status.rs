//! The parser of `/proc/self/status`.

use memprof_recording::document::ProcessMemory;

/// The file of the kernel with the resident memory.
pub(super) const PATH: &str = "/proc/self/status";

/// Sets the figures that `text` contains.
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

/// Converts an amount such as `1632 kB` to bytes.
///
/// Returns `None` for other units, which the kernel has not used so far. A number without its unit
/// may be cut off, so it is rejected too.
fn bytes(value: &[u8]) -> Option<u64> {
    let kib = value.trim_ascii().strip_suffix(b" kB")?;
    number(kib)?.checked_mul(1024)
}

/// Parses a number that has only digits.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    let is_plain = text.iter().all(u8::is_ascii_digit);
    is_plain.then(|| str::from_utf8(text).ok()?.parse().ok()).flatten()
}
