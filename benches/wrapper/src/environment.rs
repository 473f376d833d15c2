//! What the operations were compiled with.

use memprof::gpu::overhead::Environment;

/// The versions that the workspace has settled on.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// The build, and the crates whose operations are measured.
pub(crate) fn environment() -> Environment {
    let mut environment = Environment::of_this_build();
    environment.rustc = option_env!("WRAPPER_RUSTC")
        .map(|text| text.strip_prefix("rustc ").unwrap_or(text).to_owned());
    let candle = cfg!(feature = "candle").then_some("candle-core");
    let names = ["memprof", "cudarc", "half"].into_iter().chain(candle);
    environment.crates =
        names.filter_map(|name| Some((name.to_owned(), version_of(LOCK, name)?))).collect();
    environment
}

fn version_of(lock: &str, name: &str) -> Option<String> {
    let named = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != named);
    let version = lines.nth(1)?.strip_prefix("version = ")?;
    Some(version.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::{environment, version_of};

    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = "[[package]]\nname = \"half\"\nversion = \"2.7.1\"\n";
        assert_eq!(version_of(lock, "half").as_deref(), Some("2.7.1"));
        assert_eq!(version_of(lock, "hal"), None);
        let names: Vec<String> = environment().crates.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[..3], ["memprof", "cudarc", "half"]);
    }
}
