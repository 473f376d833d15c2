//! The settings that the program makes in code, and the merge with the other layers.

use super::error::{ConfigError, Origin};
use super::layer::Layer;
use super::setting::SETTINGS;
use super::{Config, environment, file};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The settings of a session, made in code.
///
/// Precedence, highest first: environment, builder, file, defaults. `MEMPROF=1` turns a session on,
/// and `MEMPROF=0` turns it off. Each method here has such a variable: `MEMPROF_INTERVAL=1s`
/// overrides [`interval`](Self::interval). A file is read only if `MEMPROF_CONFIG` or
/// [`config_file`](Self::config_file) names it.
///
/// A session is off unless [`enabled`](Self::enabled) or `MEMPROF=1` turns it on.
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until its session starts"]
pub struct SessionBuilder {
    code: Layer,
    config_file: Option<PathBuf>,
}

impl SessionBuilder {
    /// Turns the session on or off; the default is off.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.code.enabled = Some(enabled);
        self
    }

    /// Sets the folder for the files, created if it is missing; the default is the current
    /// directory.
    pub fn output_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.code.output_dir = Some((folder.into(), Origin::Method("output_dir")));
        self
    }

    /// Sets the time between two snapshots, from 10 ms to 1 day.
    ///
    /// The default is 1 s in the first 15 s, 2 s until 60 s, and then 5 s. If you set an interval,
    /// it applies from the start.
    pub fn interval(mut self, interval: Duration) -> Self {
        self.code.interval = Some(interval);
        self
    }

    /// Sets how much memprof's global allocator records; the default is `Level::Sampled`.
    pub fn level(mut self, level: memprof_heap::Level) -> Self {
        self.code.level = Some(level);
        self
    }

    /// Sets how long each root may be walked, from 100 µs to 10 s; the default is 10 ms.
    pub fn walk_budget(mut self, budget: Duration) -> Self {
        self.code.walk_budget = Some(budget);
        self
    }

    /// Sets the maximum number of individual calls of operations in the files; 0 keeps none; the
    /// default is 10,000.
    pub fn operation_events(mut self, events: u64) -> Self {
        self.code.operation_events = Some(events);
        self
    }

    /// Sets the maximum size of the timeline's snapshots, at least 1 MiB; the default is 64 MiB.
    pub fn timeline_bytes(mut self, bytes: u64) -> Self {
        self.code.timeline_bytes = Some(bytes);
        self
    }

    /// Sets whether a signal that ends the program writes the document first; the default is `true`.
    pub fn signals(mut self, signals: bool) -> Self {
        self.code.signals = Some(signals);
        self
    }

    /// Sets whether the exit of the program writes the document if the session is not finished.
    ///
    /// The default is `true`.
    pub fn on_exit(mut self, on_exit: bool) -> Self {
        self.code.on_exit = Some(on_exit);
        self
    }

    /// Sets whether calls of operations are timed; the default is `true`.
    pub fn wall_time(mut self, wall_time: bool) -> Self {
        self.code.wall_time = Some(wall_time);
        self
    }

    /// Sets the TOML file to read. If it cannot be read, the session starts without it and warns.
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.config_file = Some(file.into());
        self
    }

    /// Returns whether the session is on, and a warning if the environment's value is invalid.
    fn is_on(&self, environment: &[(OsString, OsString)]) -> (bool, Option<ConfigError>) {
        let in_code = self.code.enabled.unwrap_or(false);
        match environment::enabled(environment) {
            Ok(enabled) => (enabled.unwrap_or(in_code), None),
            Err(wrong) => (in_code, Some(wrong)),
        }
    }

    /// Merges all settings. Relative paths start at `folder`, or at the current directory if
    /// `folder` is empty.
    ///
    /// A session that is off reads only `MEMPROF`. A session that is on requires valid values in
    /// code. An invalid value of the environment or a file is left out, with a warning.
    ///
    /// # Errors
    /// Returns an error if the session is on and a method of this builder got a value that it does
    /// not accept.
    pub(crate) fn resolve(
        self,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        folder: &Path,
    ) -> Result<Resolved, ConfigError> {
        let environment: Vec<_> = environment.into_iter().collect();
        let (is_on, wrong) = self.is_on(&environment);
        if !is_on {
            let warnings = wrong.into_iter().collect();
            let config = Config::default();
            return Ok(Resolved { config, folder_named_by: Origin::Default, warnings });
        }
        let (mut config, folder_named_by, warnings) = self.settings(environment, folder)?;
        config.enabled = true;
        // An absolute path stays valid if the program changes its current directory. `absolute`
        // fails only if the path is empty or the current directory does not exist.
        config.output_dir = folder.join(config.output_dir);
        config.output_dir = std::path::absolute(&config.output_dir).unwrap_or(config.output_dir);
        Ok(Resolved { config, folder_named_by, warnings })
    }

    /// Merges all layers: returns the settings, the origin of the output folder, and the warnings.
    pub(super) fn settings(
        mut self,
        environment: Vec<(OsString, OsString)>,
        folder: &Path,
    ) -> Result<(Config, Origin, Vec<ConfigError>), ConfigError> {
        for setting in &SETTINGS {
            if let Some(found) = setting.takes.beyond_limits(&mut self.code) {
                let origin = Origin::Method(setting.key);
                let expected = setting.takes.expected(&origin).to_string();
                return Err(ConfigError::value(origin, expected, found));
            }
        }
        let (environment, named, mut warnings) = environment::read(environment);
        let variable = || Origin::Variable(environment::CONFIG.to_owned());
        let named = named.map(|path| (path, variable()));
        let in_code = self.config_file.map(|path| (path, Origin::Method("config_file")));
        let (file, wrong) = match named.or(in_code) {
            Some((path, named_by)) => file::read(folder, &path, named_by),
            None => Default::default(),
        };
        warnings.extend(wrong);
        let (config, origin) = environment.over(self.code).over(file).over_defaults();
        Ok((config, origin, warnings))
    }
}

/// The settings of a session, and warnings about the settings left out as invalid.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) config: Config,
    pub(crate) folder_named_by: Origin,
    pub(crate) warnings: Vec<ConfigError>,
}
