//! The UUID of a device, in the driver's and in NVML's spelling.

use core::fmt::{self, Write};

/// The UUID of a device. Unlike a device's number, it never changes.
///
/// ```
/// use memprof::gpu::cuda::DeviceUuid;
///
/// let text = "GPU-2e9cb1a0-5a3c-9d07-61e4-8d7f5b1c3a90";
/// assert_eq!(DeviceUuid::parse(text).unwrap().to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct DeviceUuid(pub [u8; 16]);

impl DeviceUuid {
    /// Parses a UUID as NVML and `nvidia-smi` write it, with or without the prefix `GPU-` or
    /// `MIG-`.
    ///
    /// Returns `None` if the text is not a UUID.
    pub fn parse(text: &str) -> Option<Self> {
        let digits =
            text.strip_prefix("GPU-").or_else(|| text.strip_prefix("MIG-")).unwrap_or(text);
        let mut bytes = [0; 16];
        let mut at = 0;
        for (group, length) in digits.split('-').zip([4, 2, 2, 2, 6]) {
            if group.len() != 2 * length || !group.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return None;
            }
            for pair in 0..length {
                bytes[at] = u8::from_str_radix(&group[2 * pair..2 * pair + 2], 16).ok()?;
                at += 1;
            }
        }
        (at == 16 && digits.len() == 36).then_some(Self(bytes))
    }
}

impl fmt::Display for DeviceUuid {
    /// Writes the UUID in NVML's format for a whole device.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::from("GPU");
        for (at, byte) in self.0.iter().enumerate() {
            if [0, 4, 6, 8, 10].contains(&at) {
                text.push('-');
            }
            write!(text, "{byte:02x}")?;
        }
        out.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::DeviceUuid;

    #[test]
    fn a_uuid_has_the_format_of_nvml_and_parses_back() {
        let uuid = DeviceUuid(core::array::from_fn(|at| 0x11 * at as u8));
        let text = "GPU-00112233-4455-6677-8899-aabbccddeeff";
        assert_eq!(uuid.to_string(), text);
        for spelled in [text, &text[4..], &text.replace("GPU", "MIG"), &text.replace('a', "A")] {
            assert_eq!(DeviceUuid::parse(spelled), Some(uuid), "{spelled}");
        }
    }

    #[test]
    fn invalid_uuids_are_none() {
        let cases = [
            "",
            "GPU-",
            "GPU-00112233",
            "00112233445566778899aabbccddeeff",
            "GPU-00112233-4455-6677-8899-aabbccddeeff-",
            "GPU-00112233-4455-6677-8899-aabbccddeef",
            "GPU-00112233-4455-6677-8899-aabbccddeegg",
            "GPU-+0112233-4455-6677-8899-aabbccddeeff",
            "GPU-0011223é-4455-6677-8899-aabbccddeef",
            "MIG-GPU-00112233-4455-6677-8899-aabbccddeeff/1/0",
        ];
        for text in cases {
            assert_eq!(DeviceUuid::parse(text), None, "{text}");
        }
    }
}
