//! The figures of `nvidia-smi`, which needs no context and runs in another process.

use std::process::Command;

/// The reason why `nvidia-smi` printed no figure.
pub(super) type Unknown = String;

/// The bytes of each device that processes use. A UUID identifies the device, because the device
/// numbers of `nvidia-smi` differ from CUDA's.
#[derive(Clone)]
pub(super) struct Used(Result<Vec<(String, u64)>, Unknown>);

impl Used {
    /// Reads the present bytes, with a resolution of 1 MiB.
    pub(super) fn now() -> Self {
        Self(query("uuid,memory.used").map(|output| {
            let rows = output.lines().filter_map(|line| line.split_once(", "));
            let used =
                |text: &str| text.trim().parse::<u64>().ok().map(|mebibytes| mebibytes << 20);
            rows.filter_map(|(uuid, text)| Some((uuid.to_owned(), used(text)?))).collect()
        }))
    }

    /// Returns the used bytes of a device.
    pub(super) fn of(&self, uuid: &str) -> Result<u64, Unknown> {
        let rows = self.0.as_ref().map_err(Clone::clone)?;
        let row = rows.iter().find(|(of, _)| of == uuid);
        row.map(|(_, bytes)| *bytes).ok_or_else(|| format!("nvidia-smi lists no {uuid}"))
    }
}

/// Returns the version of the driver, which all devices share.
pub(super) fn driver_version() -> Result<String, Unknown> {
    let output = query("driver_version")?;
    output.lines().next().map(str::to_owned).ok_or("nvidia-smi printed nothing".to_owned())
}

fn query(fields: &str) -> Result<String, Unknown> {
    let output = Command::new("nvidia-smi")
        .args([&format!("--query-gpu={fields}"), "--format=csv,noheader,nounits"])
        .output()
        .map_err(|error| format!("nvidia-smi: {error}"))?;
    if !output.status.success() {
        return Err(format!("nvidia-smi: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
