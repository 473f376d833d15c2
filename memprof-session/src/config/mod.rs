//! Settings of a session. Precedence, highest first: environment, builder, file, defaults.
//!
//! Each source gives values in its own form. They are applied to one [`Config`] in ascending
//! precedence, so an invalid value leaves the one below it. A row of `settings!` is all that a
//! setting needs: the field, the method of the builder, the key in the file, and the variable.
//!
//! `docs/session.md` has the table for users.

mod error;
mod sources;

pub use error::ConfigError;
pub(crate) use error::Origin;

use memprof_heap::Level;
use sources::{Given, Source, Value};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A setting.
#[derive(Debug)]
struct Setting {
    /// The key in the file, which is also the name of the builder's method.
    key: &'static str,
    /// The accepted values, as in a file.
    expected: &'static str,
    /// Stores a value, if the setting accepts it.
    store: fn(&mut Config, &Value) -> Option<()>,
}

/// Defines the settings. Each row has the argument of the builder's method and its form as a
/// [`Value`], the field with its default, and the accepted values.
macro_rules! settings {
    ($(
        $(#[$doc:meta])*
        fn $key:ident($argument:ty) as $form:expr;
        $type:ty = $default:expr;
        $accepted:expr => $expected:expr;
    )+) => {
        /// The settings of a session, after all sources are merged.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct Config {
            $(pub(crate) $key: $type,)+
            /// `true` if the first snapshots come at shorter intervals, because no interval was set.
            pub(crate) begins_dense: bool,
        }

        impl Default for Config {
            fn default() -> Self {
                Self { $($key: $default,)+ begins_dense: true }
            }
        }

        const SETTINGS: &[Setting] = &[$(Setting {
            key: stringify!($key),
            expected: $expected,
            store: |config, value| {
                let accepted: fn(&Value) -> Option<$type> = $accepted;
                config.$key = accepted(value)?;
                Some(())
            },
        }),+];

        impl SessionBuilder {
            $(
                $(#[$doc])*
                pub fn $key(self, $key: $argument) -> Self {
                    self.with(stringify!($key), $form($key.into()))
                }
            )+
        }
    };
}

/// The values of a switch in a file.
const SWITCH: &str = "true or false";
/// The default of [`Config::walk_budget`]. Without optimization, walks take about 30 times as long.
const WALK_BUDGET: Duration = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 10 });

settings! {
    /// Turns the session on or off; the default is off.
    fn enabled(bool) as Value::Switch;
    bool = false;
    Value::switch => SWITCH;

    /// Sets the folder for the files, created if it is missing; the default is the current
    /// directory.
    fn output_dir(impl Into<PathBuf>) as Value::path;
    PathBuf = PathBuf::from(".");
    Value::folder => "the path of a folder";

    /// Sets the time between two snapshots, from 10 ms to 1 day.
    ///
    /// The default is 1 s in the first 15 s, 2 s until 60 s, and then 5 s. If you set an interval,
    /// it applies from the start.
    fn interval(Duration) as Value::Time;
    Duration = Duration::from_secs(5);
    // With a shorter interval a session would mostly measure itself; a longer one would show nothing.
    |value| value.time(Duration::from_millis(10)..=Duration::from_hours(24))
        => "a time from 10ms to 1day, such as \"500ms\" or \"5s\"";

    /// Sets how much memprof's global allocator records; the default is `Level::Sampled`.
    fn level(Level) as Value::keyword;
    Level = Level::Sampled;
    Value::parsed => "one of \"off\", \"counters\", \"sampled\"";

    /// Sets how long each root may be walked, from 100 µs to 10 s; the default is 10 ms.
    fn walk_budget(Duration) as Value::Time;
    Duration = WALK_BUDGET;
    // A shorter budget walks no root; a longer one would hold the program's locks for too long.
    |value| value.time(Duration::from_micros(100)..=Duration::from_secs(10))
        => "a time from 100us to 10s, such as \"500ms\" or \"5s\"";

    /// Sets the maximum number of individual calls of operations in the files; 0 keeps none; the
    /// default is 10,000.
    fn operation_events(u64) as Value::Number;
    u64 = 10_000;
    Value::count => "a whole number, 0 for none";

    /// Sets the maximum size of the timeline's snapshots, at least 1 MiB; the default is 64 MiB.
    fn timeline_bytes(u64) as Value::Number;
    u64 = 64 << 20;
    // A smaller timeline cannot hold a snapshot with its tensors.
    |value| value.amount().filter(|bytes| *bytes >= 1 << 20)
        => "at least 1.0 MiB, such as \"64MiB\" or 67108864";

    /// Sets whether a signal that ends the program writes the document first; the default is `true`.
    fn signals(bool) as Value::Switch;
    bool = true;
    Value::switch => SWITCH;

    /// Sets whether the exit of the program writes the document if the session is not finished.
    ///
    /// The default is `true`.
    fn on_exit(bool) as Value::Switch;
    bool = true;
    Value::switch => SWITCH;

    /// Sets whether calls of operations are timed; the default is `true`.
    fn wall_time(bool) as Value::Switch;
    bool = true;
    Value::switch => SWITCH;
}

impl Setting {
    /// Returns the variable of the environment that sets it.
    fn variable(&self) -> String {
        match self.key {
            "enabled" => "MEMPROF".to_owned(),
            key => format!("MEMPROF_{}", key.to_ascii_uppercase()),
        }
    }

    /// Returns the accepted values in the form of this source.
    fn expected(&self, origin: &Origin) -> String {
        match origin {
            Origin::Variable(_) if self.expected == SWITCH => {
                "one of 1, 0, true, false, on, off".to_owned()
            }
            Origin::Variable(_) => self.expected.replace('"', ""),
            Origin::Method(_) => self.expected.split(", such as").next().unwrap_or("").to_owned(),
            Origin::Line(..) | Origin::Default => self.expected.to_owned(),
        }
    }
}

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
    code: Vec<Given>,
    config_file: Option<PathBuf>,
}

/// The settings of a session, and warnings about the settings left out as invalid.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The output folder is absolute if the session is on, otherwise as given.
    pub(crate) config: Config,
    /// The origin of the output folder, for the warning if the file system rejects the folder.
    pub(crate) folder_named_by: Origin,
    pub(crate) warnings: Vec<ConfigError>,
}

impl SessionBuilder {
    /// Sets the TOML file to read. If it cannot be read, the session starts without it and warns.
    pub fn config_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.config_file = Some(file.into());
        self
    }

    fn with(mut self, key: &'static str, value: Value) -> Self {
        self.code.extend(Given::in_code(key, value));
        self
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
        let environment = Source::environment(environment);
        let mut off = Resolved::new(Vec::new());
        let given = self.code.iter().chain(&environment.given);
        for given in given.filter(|given| given.setting.key == "enabled") {
            off.apply(given)?;
        }
        if !core::mem::take(&mut off.config.enabled) {
            return Ok(off);
        }
        let mut resolved = self.merged(environment, folder)?;
        // An absolute path stays valid if the program changes its current directory. `absolute`
        // fails only if the path is empty or the current directory does not exist.
        let output_dir = folder.join(&resolved.config.output_dir);
        resolved.config.output_dir = std::path::absolute(&output_dir).unwrap_or(output_dir);
        Ok(resolved)
    }

    /// Merges all sources.
    fn merged(self, environment: Source, folder: &Path) -> Result<Resolved, ConfigError> {
        let by_variable = |path| (path, Origin::Variable(sources::CONFIG.to_owned()));
        let by_method = |path| (path, Origin::Method("config_file"));
        let file = environment.file.map(by_variable).or(self.config_file.map(by_method));
        let file = file.map(|(path, named_by)| Source::file(folder, &path, named_by));
        let file = file.unwrap_or_default();
        let mut resolved = Resolved::new(environment.wrong);
        resolved.warnings.extend(file.wrong);
        for given in file.given.iter().chain(&self.code).chain(&environment.given) {
            resolved.apply(given)?;
        }
        Ok(resolved)
    }
}

impl Resolved {
    fn new(warnings: Vec<ConfigError>) -> Self {
        Self { config: Config::default(), folder_named_by: Origin::Default, warnings }
    }

    /// Applies a setting, or warns that its value is invalid.
    ///
    /// # Errors
    /// Returns an error if the value is invalid and was set in code.
    fn apply(&mut self, given: &Given) -> Result<(), ConfigError> {
        let Given { setting, value, origin, found } = given;
        if (setting.store)(&mut self.config, value).is_none() {
            let wrong = ConfigError::value(origin.clone(), &setting.expected(origin), found);
            if let Origin::Method(_) = origin {
                return Err(wrong);
            }
            self.warnings.push(wrong);
            return Ok(());
        }
        match setting.key {
            "interval" => self.config.begins_dense = false,
            "output_dir" => self.folder_named_by = origin.clone(),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
