//! What code says, and how it goes together with what others say.

use super::error::{ConfigError, Origin};
use super::layer::Layer;
use super::setting::SETTINGS;
use super::{Config, environment, file, output_folder};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a session is to do, as far as code says so.
///
/// What it leaves out is said by `memprof.toml` in the current folder, if there is one, or by
/// defaults. The environment has the last word: `MEMPROF=1` turns a session on, `MEMPROF=0` off,
/// `MEMPROF_INTERVAL=1s` changes the interval, and so on for each method here.
///
/// A session is off unless somebody turns it on.
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until its session starts"]
pub struct SessionBuilder {
    code: Layer,
    config_file: Option<PathBuf>,
}

impl SessionBuilder {
    /// Whether there is a session at all: no, by default.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.code.enabled = Some(enabled);
        self
    }

    /// The folder for the files, made if it isn't there; by default the current one.
    pub fn output_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.code.output_dir = Some((folder.into(), Origin::Method("output_dir")));
        self
    }

    /// Time between two snapshots, from 10 ms to 1 day; by default 5 s.
    pub fn interval(mut self, interval: Duration) -> Self {
        self.code.interval = Some(interval);
        self
    }

    /// How much memprof's global allocator is to record; by default samples too.
    #[cfg(feature = "heap")]
    pub fn level(mut self, level: memprof_heap::Level) -> Self {
        self.code.level = Some(level.into());
        self
    }

    /// How long each root may be walked, from 100 µs to 10 s; by default 10 ms.
    pub fn walk_budget(mut self, budget: Duration) -> Self {
        self.code.walk_budget = Some(budget);
        self
    }

    /// Single calls of operations that the files have at most, 0 for none; by default 1,000,000.
    pub fn operation_events(mut self, events: u64) -> Self {
        self.code.operation_events = Some(events);
        self
    }

    /// What the timeline's snapshots may take, at least 1 MiB; by default 64 MiB.
    pub fn timeline_bytes(mut self, bytes: u64) -> Self {
        self.code.timeline_bytes = Some(bytes);
        self
    }

    /// Whether a signal that ends the program has the report written first; by default it has.
    pub fn signals(mut self, signals: bool) -> Self {
        self.code.signals = Some(signals);
        self
    }

    /// Whether the end of a program that hasn't finished its session has the report written; by
    /// default it has.
    pub fn on_exit(mut self, on_exit: bool) -> Self {
        self.code.on_exit = Some(on_exit);
        self
    }

    /// Whether calls of operations are timed; by default they are.
    pub fn wall_time(mut self, wall_time: bool) -> Self {
        self.code.wall_time = Some(wall_time);
        self
    }

    /// The TOML file to read instead of `memprof.toml`. It must be there.
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.config_file = Some(file.into());
        self
    }

    /// What all say together, relative paths being those from `folder`: the current one if it is
    /// empty. What somebody says wrongly is an error even where another has the last word, and
    /// where there is no session: a mistake must not hide. Only the output folder is left alone
    /// then.
    pub(crate) fn resolve(
        mut self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        folder: &Path,
    ) -> Result<Config, ConfigError> {
        let (environment, named) = environment::read(environment)?;
        for setting in &SETTINGS {
            if let Some(found) = setting.takes.beyond_limits(&mut self.code) {
                let origin = Origin::Method(setting.key);
                let expected = setting.takes.expected(&origin).to_string();
                return Err(ConfigError::value(origin, expected, found));
            }
        }
        let variable = || Origin::Variable(environment::CONFIG.to_owned());
        let file = match (named, self.config_file) {
            (Some(path), _) => file::read(folder, &path, variable())?,
            (None, Some(path)) => file::read(folder, &path, Origin::Method("config_file"))?,
            (None, None) => file::read_if_there(&folder.join(file::NAME))?,
        };
        let (mut config, folder_origin) = environment.over(self.code).over(file).over_defaults();
        if config.enabled {
            let output_dir = folder.join(&config.output_dir);
            config.output_dir = output_folder::prepare(&output_dir, folder_origin)?;
        }
        Ok(config)
    }
}
