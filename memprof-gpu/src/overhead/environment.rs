//! What the times were measured with.

use serde::{Deserialize, Serialize};

/// What the times were measured with. What is `None` is shown as unknown.
///
/// ```
/// use memprof_gpu::overhead::Environment;
///
/// let mut environment = Environment::of_this_build();
/// environment.gpu = Some("NVIDIA H100 80GB HBM3".into());
/// environment.crates.push(("cudarc".into(), "0.19.10".into()));
/// assert_eq!(environment.driver, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Environment {
    /// The system and its processor's family: `linux x86_64`.
    pub system: Option<String>,
    /// Whether the compiler optimized: `release` or `debug`.
    pub build: Option<String>,
    /// The compiler's version.
    pub rustc: Option<String>,
    /// The GPU's name.
    pub gpu: Option<String>,
    /// The version of its driver.
    pub driver: Option<String>,
    /// The version of CUDA that the driver knows.
    pub cuda: Option<String>,
    /// Crates whose operations are timed, and their versions.
    pub crates: Vec<(String, String)>,
    /// How memory is allocated and copied: `release threshold 2 GiB`, `pageable`.
    pub memory: Vec<String>,
}

impl Environment {
    /// The system and the build; the rest is for the caller to say.
    pub fn of_this_build() -> Self {
        use std::env::consts::{ARCH, OS};
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        Self {
            system: Some(format!("{OS} {ARCH}")),
            build: Some(build.to_owned()),
            ..Self::default()
        }
    }

    /// Names and values, as they stand above the tables.
    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        let said = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
        let crates: Vec<String> =
            self.crates.iter().map(|(name, version)| format!("{name} {version}")).collect();
        let listed = |values: &[String]| {
            if values.is_empty() { "unknown".to_owned() } else { values.join(", ") }
        };
        vec![
            ("system", said(&self.system)),
            ("build", said(&self.build)),
            ("rustc", said(&self.rustc)),
            ("GPU", said(&self.gpu)),
            ("driver", said(&self.driver)),
            ("CUDA", said(&self.cuda)),
            ("crates", listed(&crates)),
            ("memory", listed(&self.memory)),
        ]
    }
}
