//! Settings of a session. Precedence, highest first: environment, builder, file, defaults.
//!
//! Each source gives values in its own form. They are applied to one [`Config`] in ascending
//! precedence, so an invalid value leaves the one below it. A row of `settings!` is all that a
//! setting needs: the field, the method of the builder, the key in the file, and the variable.
//!
//! `docs/session.md` has the table for users.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;
use humantime::format_duration;
use memprof_heap::Level;
use memprof_profile::testing::Budget;
use memprof_profile::text::{Shown, WithCauses, cut};
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

#[derive(Debug)]
struct Setting {
    /// The key in the file, which is also the name of the builder's method.
    key: &'static str,
    expected: &'static str,
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
    Value::count => "an integer, 0 for none";

    /// Sets the maximum size of the timeline's snapshots, at least 1 MiB; the default is 64 MiB.
    fn timeline_bytes(u64) as Value::Number;
    u64 = 64 << 20;
    // A smaller timeline cannot hold a snapshot with its tensors.
    |value| value.amount().filter(|bytes| *bytes >= 1 << 20)
        => "at least 1.0 MiB, such as \"64MiB\" or 67108864";

    /// Sets whether a signal that terminates the program writes the document first; the default is
    /// `true`.
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

/// The settings of a session, set in code.
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

    fn merged(self, environment: Source, folder: &Path) -> Result<Resolved, ConfigError> {
        let by_variable = |path| (path, Origin::Variable(CONFIG.to_owned()));
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

const CONFIG: &str = "MEMPROF_CONFIG";

/// Variables that begin with `MEMPROF` but are not settings of a session.
const OTHERS: [&str; 3] = [
    // Set by `memprof run`, and copied to the files.
    memprof_recording::document::Metadata::RUN,
    // Read by tests with stored profiles.
    "MEMPROF_UPDATE",
    // Read by the runtime of LLVM's profiler, which is also called memprof.
    "MEMPROF_OPTIONS",
];

/// The size limit of a file, so that a device or log named by mistake does not fill the memory.
const LARGEST_FILE: u64 = 1 << 20;

#[derive(Clone, Debug)]
struct Given {
    setting: &'static Setting,
    value: Value,
    origin: Origin,
    /// The value as written in the source, for error messages.
    found: String,
}

#[derive(Clone, Debug)]
enum Value {
    /// The text of a variable, from which a value of any type is parsed, or a path set in code.
    Os(OsString),
    /// A string of the file, or a keyword in code.
    Text(String),
    /// An integer that fits in a `u64`.
    Number(u64),
    Switch(bool),
    Time(Duration),
    /// A value of a type that no setting has.
    Other,
}

impl Value {
    fn path(path: PathBuf) -> Self {
        Self::Os(path.into_os_string())
    }

    fn keyword(keyword: Level) -> Self {
        Self::Text(keyword.to_string())
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Os(text) => text.to_str(),
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    fn parsed<T: FromStr>(&self) -> Option<T> {
        self.text()?.parse().ok()
    }

    fn switch(&self) -> Option<bool> {
        match self {
            Self::Switch(on) => Some(*on),
            Self::Os(text) => match text.to_str()? {
                "1" | "true" | "on" => Some(true),
                "0" | "false" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    fn folder(&self) -> Option<PathBuf> {
        let path = match self {
            Self::Os(path) => PathBuf::from(path),
            _ => PathBuf::from(self.text()?),
        };
        Some(path).filter(|path| !path.as_os_str().is_empty())
    }

    fn time(&self, limits: RangeInclusive<Duration>) -> Option<Duration> {
        let time = match self {
            Self::Time(time) => *time,
            _ => humantime::parse_duration(self.text()?).ok()?,
        };
        Some(time).filter(|time| limits.contains(time))
    }

    fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Os(_) => self.parsed(),
            _ => None,
        }
    }

    fn amount(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => self.parsed().map(Budget::bytes),
        }
    }
}

impl Given {
    fn in_code(key: &'static str, value: Value) -> Option<Self> {
        let setting = SETTINGS.iter().find(|setting| setting.key == key)?;
        // The types exclude all invalid values but these.
        let found = match &value {
            Value::Os(path) => quoted(path),
            Value::Number(bytes) => format!("{bytes} bytes"),
            Value::Time(time) => format_duration(*time).to_string(),
            _ => String::new(),
        };
        Some(Self { setting, value, origin: Origin::Method(key), found })
    }
}

#[derive(Debug, Default)]
struct Source {
    given: Vec<Given>,
    /// The file that the environment names.
    file: Option<PathBuf>,
    /// Errors about names that are no setting, and about a file that cannot be read.
    wrong: Vec<ConfigError>,
}

impl Source {
    fn environment(environment: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut variables: Vec<_> = environment.into_iter().filter_map(ours).collect();
        // The order of the environment is arbitrary, but warnings need a fixed order.
        variables.sort_unstable();
        let mut source = Self::default();
        for (name, value) in variables {
            let origin = Origin::Variable(name.clone());
            if name == CONFIG {
                source.file = Some(PathBuf::from(value));
            } else if let Some(setting) = SETTINGS.iter().find(|it| it.variable() == name) {
                let found = quoted(&value);
                source.given.push(Given { setting, value: Value::Os(value), origin, found });
            } else {
                let known = SETTINGS.iter().map(Setting::variable).chain([CONFIG.to_owned()]);
                source.wrong.push(ConfigError::unknown(origin, "unknown variable", known));
            }
        }
        source
    }

    /// Leaves out invalid keys, and the entire file if it cannot be read or is not TOML.
    fn file(folder: &Path, path: &Path, named_by: Origin) -> Self {
        let is_named = !path.as_os_str().is_empty();
        let path = folder.join(path);
        let read = if is_named {
            text(&path).map_err(|error| ConfigError::read(named_by, &path, error))
        } else {
            Err(ConfigError::value(named_by, "the path of a TOML file", "\"\""))
        };
        match read.and_then(|text| Self::parsed(&text, &path)) {
            Ok(source) => source,
            Err(wrong) => Self { wrong: vec![wrong], ..Self::default() },
        }
    }

    fn parsed(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let line = |at: usize, key| {
            let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
            let line = before.split(|&byte| byte == b'\n').count();
            Origin::Line(path.to_owned(), line, key)
        };
        let table = DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            ConfigError::syntax(line(at, None), &error)
        })?;
        // Sorted by position, so that the first mistake in the file gives the first warning.
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_unstable_by_key(|(key, _)| key.span().start);
        let mut source = Self::default();
        for (key, value) in entries {
            let at = key.span().start;
            let found = match value.get_ref() {
                // A table may be written in several parts, or be implied by a key with a dot, so
                // there is no single text to quote.
                DeValue::Table(_) => "a table",
                _ => text.get(value.span()).unwrap_or("another value"),
            };
            match SETTINGS.iter().find(|setting| setting.key == key.get_ref()) {
                // This key could never turn a session on: a session that is off reads no file.
                Some(Setting { key: key @ "enabled", .. }) => {
                    let expected = "MEMPROF=1 or `enabled(true)` instead of this key";
                    source.wrong.push(ConfigError::value(line(at, Some(key)), expected, found));
                }
                Some(setting) => source.given.push(Given {
                    setting,
                    value: Value::from(value.get_ref()),
                    origin: line(at, Some(setting.key)),
                    found: found.to_owned(),
                }),
                None => {
                    let known = SETTINGS.iter().skip(1).map(|setting| setting.key.to_owned());
                    let what = format!("unknown key {:?}", key.get_ref());
                    source.wrong.push(ConfigError::unknown(line(at, None), &what, known));
                }
            }
        }
        Ok(source)
    }
}

impl From<&DeValue<'_>> for Value {
    fn from(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.clone().into_owned()),
            DeValue::Integer(number) => {
                let number = u64::from_str_radix(number.as_str(), number.radix());
                number.map_or(Self::Other, Self::Number)
            }
            DeValue::Boolean(on) => Self::Switch(*on),
            _ => Self::Other,
        }
    }
}

/// In quotes, with control characters and invalid UTF-8 escaped.
#[expect(clippy::unnecessary_debug_formatting, reason = "escapes control characters")]
fn quoted(value: &OsStr) -> String {
    format!("{value:?}")
}

/// On Windows the names are in upper case, because names ignore case there. Nearly all names begin
/// with other letters, and are not copied.
fn ours((name, value): (OsString, OsString)) -> Option<(String, OsString)> {
    let start = name.as_encoded_bytes().get(..7)?;
    let name = match start {
        b"MEMPROF" if !cfg!(windows) => name.to_string_lossy().into_owned(),
        _ if cfg!(windows) && start.eq_ignore_ascii_case(b"MEMPROF") => {
            name.to_string_lossy().to_ascii_uppercase()
        }
        _ => return None,
    };
    let is_ours = name.len() == 7 || name.as_bytes().get(7) == Some(&b'_');
    (is_ours && !OTHERS.contains(&name.as_str())).then_some((name, value))
}

/// Reads a regular file, and nothing else: a pipe would block until another process writes to it.
fn text(path: &Path) -> io::Result<String> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file: File = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut text = String::new();
    let length = file.take(LARGEST_FILE + 1).read_to_string(&mut text)?;
    if length as u64 > LARGEST_FILE {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger than 1 MiB"));
    }
    Ok(text)
}

/// An invalid setting of a session.
///
/// `Display` and `Debug` name its origin, the expected and the found value, and what to do:
///
/// ```text
/// MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "5"; correct the variable or unset it
/// ```
pub struct ConfigError(Box<Details>);

/// Boxed so that results stay small.
struct Details {
    origin: Origin,
    what: String,
    cause: Option<io::Error>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The default, because nothing was set.
    Default,
    Variable(String),
    /// A line of the file, with its key if the key is a setting.
    Line(PathBuf, usize, Option<&'static str>),
    /// A method of the builder.
    Method(&'static str),
}

impl ConfigError {
    fn new(origin: Origin, what: String, cause: Option<io::Error>) -> Self {
        Self(Box::new(Details { origin, what, cause }))
    }

    fn value(origin: Origin, expected: &str, found: &str) -> Self {
        Self::new(origin, format!("expected {expected}; found {}", line(found)), None)
    }

    /// Returns an error about an unknown variable, or about an unknown key in a file.
    fn unknown(origin: Origin, what: &str, known: impl Iterator<Item = String>) -> Self {
        let known = known.collect::<Vec<_>>().join(", ");
        Self::new(origin, format!("{}; expected one of {known}", line(what)), None)
    }

    /// The message of `error` is enough: its `Display` quotes the file on several lines.
    fn syntax(origin: Origin, error: &toml::de::Error) -> Self {
        Self::new(origin, format!("not TOML: {}", line(error.message())), None)
    }

    fn read(origin: Origin, path: &Path, error: io::Error) -> Self {
        Self::new(origin, format!("cannot read {}", shown(path)), Some(error))
    }

    pub(crate) fn output_folder(origin: Origin, path: &Path, error: io::Error) -> Self {
        let path = shown(path);
        let what =
            format!("cannot write to the folder {path}; it must be writable and have free space");
        Self::new(origin, what, Some(error))
    }
}

fn line(text: &str) -> String {
    const WIDTH: usize = 80;
    cut(&Shown(text).to_string(), WIDTH)
}

/// Returns a path without control characters, and in full, because the user must find the file.
fn shown(path: &Path) -> String {
    Shown(&path.to_string_lossy()).to_string()
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { origin, what, .. } = &*self.0;
        let (named, remedy) = match origin {
            Origin::Default => ("output folder".to_owned(), "set one with MEMPROF_OUTPUT_DIR"),
            Origin::Variable(name) => (name.clone(), "correct the variable or unset it"),
            Origin::Line(file, line, key) => {
                let key = key.map_or_else(String::new, |key| format!(": {key}"));
                (format!("{}:{line}{key}", shown(file)), "correct the line or remove it")
            }
            Origin::Method(name) => (format!("{name}()"), "correct the call"),
        };
        write!(out, "{named}: {what}; {remedy}")
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.cause.as_ref().map(|cause| cause as _)
    }
}

#[cfg(test)]
mod tests;
