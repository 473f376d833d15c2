//! The values that the environment, a TOML file and the program give to settings.

use super::{ConfigError, Origin, SETTINGS, Setting};
use core::ops::RangeInclusive;
use core::str::FromStr;
use humantime::format_duration;
use memprof_profile::testing::Budget;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// The variable that names the file to read.
pub(super) const CONFIG: &str = "MEMPROF_CONFIG";

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

/// A value that a source gives to a setting.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) setting: &'static Setting,
    pub(super) value: Value,
    pub(super) origin: Origin,
    /// The value as the source has it, for an error.
    pub(super) found: String,
}

/// A value, in the form that its source has.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// The text of a variable, from which values of each type are parsed, or a path in code.
    Os(OsString),
    /// A string of the file, or a keyword in code.
    Text(String),
    /// A whole number that fits in a `u64`.
    Number(u64),
    Switch(bool),
    Time(Duration),
    /// A value of a type that no setting has.
    Other,
}

impl Value {
    pub(super) fn path(path: PathBuf) -> Self {
        Self::Os(path.into_os_string())
    }

    pub(super) fn keyword(keyword: memprof_heap::Level) -> Self {
        Self::Text(keyword.to_string())
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Os(text) => text.to_str(),
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn parsed<T: FromStr>(&self) -> Option<T> {
        self.text()?.parse().ok()
    }

    pub(super) fn switch(&self) -> Option<bool> {
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

    pub(super) fn folder(&self) -> Option<PathBuf> {
        let path = match self {
            Self::Os(path) => PathBuf::from(path),
            _ => PathBuf::from(self.text()?),
        };
        Some(path).filter(|path| !path.as_os_str().is_empty())
    }

    pub(super) fn time(&self, limits: RangeInclusive<Duration>) -> Option<Duration> {
        let time = match self {
            Self::Time(time) => *time,
            _ => humantime::parse_duration(self.text()?).ok()?,
        };
        Some(time).filter(|time| limits.contains(time))
    }

    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Os(_) => self.parsed(),
            _ => None,
        }
    }

    pub(super) fn amount(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => self.parsed().map(Budget::bytes),
        }
    }
}

impl Given {
    /// Returns the value that a method of the builder got.
    pub(super) fn in_code(key: &'static str, value: Value) -> Option<Self> {
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

/// The values of the environment or of a file.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) given: Vec<Given>,
    /// The file that the environment names.
    pub(super) file: Option<PathBuf>,
    /// Errors about names that are no setting, and about a file that cannot be read.
    pub(super) wrong: Vec<ConfigError>,
}

impl Source {
    /// Reads the settings of the environment.
    pub(super) fn environment(environment: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
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
                source.wrong.push(ConfigError::unknown(origin, "no such variable", known));
            }
        }
        source
    }

    /// Reads the settings of the file at `path`, which is relative to `folder`.
    ///
    /// Invalid keys are left out. The entire file is left out if it cannot be read or is not TOML.
    pub(super) fn file(folder: &Path, path: &Path, named_by: Origin) -> Self {
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
        // Entries are sorted by position, not by name, so that the first mistake in the file gives
        // the first warning.
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
                // The key could never turn a session on, because a session that is off reads no
                // file.
                Some(Setting { key: key @ "enabled", .. }) => {
                    let expected = "MEMPROF=1 or enabled(true) instead of this key";
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
                    let what = format!("no such key: {:?}", key.get_ref());
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

/// Returns the value of a variable in quotes. Escapes control characters and invalid UTF-8.
#[expect(clippy::unnecessary_debug_formatting, reason = "escapes control characters")]
fn quoted(value: &OsStr) -> String {
    format!("{value:?}")
}

/// Returns the variable if its name belongs to a session. On Windows the name is in upper case,
/// because names ignore case there.
///
/// Nearly all names begin with other letters, and are not copied.
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
