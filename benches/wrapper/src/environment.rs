//! The build and the device of the measurements.

/// The lock file, with the versions of the workspace's dependencies.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The device. The report shows `None` as unknown.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The device's name.
    pub gpu: Option<String>,
    /// The version of its driver.
    pub driver: Option<String>,
    /// The CUDA version that the driver supports.
    pub cuda: Option<String>,
    /// The way in which memory is allocated and copied.
    pub memory: Option<String>,
}

impl Environment {
    /// Returns names and values, with the build first.
    pub(crate) fn lines(&self) -> [(&'static str, String); 8] {
        use std::env::consts::{ARCH, OS};
        let or_unknown =
            |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
        let rustc = option_env!("WRAPPER_RUSTC");
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        [
            ("system", format!("{OS} {ARCH}")),
            ("build", build.to_owned()),
            ("rustc", or_unknown(&rustc.map(|text| text.trim_start_matches("rustc ").to_owned()))),
            ("crates", crates()),
            ("GPU", or_unknown(&self.gpu)),
            ("driver", or_unknown(&self.driver)),
            ("CUDA", or_unknown(&self.cuda)),
            ("memory", or_unknown(&self.memory)),
        ]
    }
}

/// Returns the crates whose operations are measured, with their versions.
fn crates() -> String {
    let candle = cfg!(feature = "candle").then_some("candle-core");
    let names = ["memprof", "criterion", "cudarc", "half"].into_iter().chain(candle);
    let versions = names.filter_map(|name| Some(format!("{name} {}", version_of(LOCK, name)?)));
    versions.collect::<Vec<_>>().join(", ")
}

fn version_of(lock: &str, name: &str) -> Option<String> {
    let named = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != named);
    let version = lines.nth(1)?.strip_prefix("version = ")?;
    Some(version.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::{crates, version_of};

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = "[[package]]\nname = \"half\"\nversion = \"2.7.1\"\n";
        assert_eq!(version_of(lock, "half").as_deref(), Some("2.7.1"));
        assert_eq!(version_of(lock, "hal"), None);
        assert_eq!(crates().split(", ").count(), if cfg!(feature = "candle") { 5 } else { 4 });
    }
}
