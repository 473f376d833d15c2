//! The settings in a TOML file.

use super::error::{ConfigError, Origin};
use super::layer::Layer;
use super::setting::{Raw, SETTINGS};
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The setting that a file must not have.
const ENABLED: &str = "enabled";

/// The size limit of a file, so that a device or log named by mistake does not fill the memory.
const LARGEST: u64 = 1 << 20;

/// Reads the settings of the file at `path`, which is relative to `folder`.
///
/// Invalid keys are left out. The entire file is left out if it cannot be read or is not TOML.
pub(super) fn read(folder: &Path, path: &Path, named_by: Origin) -> (Layer, Vec<ConfigError>) {
    if path.as_os_str().is_empty() {
        let empty = ConfigError::value(named_by, "the path of a TOML file", "\"\"");
        return (Layer::default(), vec![empty]);
    }
    let path = folder.join(path);
    match text(&path) {
        Ok(text) => parse(&text, &path),
        Err(error) => (Layer::default(), vec![ConfigError::read(named_by, &path, error)]),
    }
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if length as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger than 1 MiB"));
    }
    Ok(text)
}

/// Opens a regular file, and nothing else: a pipe would block until another process writes to it.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(file)
}

fn parse(text: &str, path: &Path) -> (Layer, Vec<ConfigError>) {
    let line = |at: usize, key| Origin::Line(path.to_owned(), line_of(text, at), key);
    let mut layer = Layer::default();
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            return (layer, vec![ConfigError::syntax(line(at, None), error)]);
        }
    };
    // Entries are sorted by position, not by name, so that the first mistake in the file gives the
    // first warning.
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    entries.sort_unstable_by_key(|(key, _)| key.span().start);
    let mut wrong = Vec::new();
    for (key, value) in entries {
        let at = key.span().start;
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key.get_ref()) else {
            let known = SETTINGS.iter().map(|setting| setting.key);
            let known = known.filter(|&key| key != ENABLED).collect();
            wrong.push(ConfigError::unknown(line(at, None), Some(key.get_ref()), known));
            continue;
        };
        let origin = line(at, Some(setting.key));
        let found = match value.get_ref() {
            // A table may be written in several parts, or be implied by a key with a dot, so there
            // is no single text to quote.
            DeValue::Table(_) => "a table",
            _ => text.get(value.span()).unwrap_or("another value"),
        };
        if setting.key == ENABLED {
            // The key could never turn a session on, because a session that is off reads no file.
            let expected = "MEMPROF=1 or enabled(true) instead of this key";
            wrong.push(ConfigError::value(origin, expected, found));
            continue;
        }
        let takes = &setting.takes;
        let set = raw(value.get_ref()).and_then(|raw| takes.set(raw, &origin, &mut layer));
        if set.is_none() {
            let expected = takes.expected(&origin).to_string();
            wrong.push(ConfigError::value(origin, expected, found));
        }
    }
    (layer, wrong)
}

/// Returns the value, if it has a type that a setting accepts.
fn raw<'a>(value: &'a DeValue<'_>) -> Option<Raw<'a>> {
    match value {
        DeValue::String(text) => Some(Raw::Text(text)),
        DeValue::Integer(number) => {
            u64::from_str_radix(number.as_str(), number.radix()).ok().map(Raw::Number)
        }
        DeValue::Boolean(on) => Some(Raw::Switch(*on)),
        DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    before.split(|&byte| byte == b'\n').count()
}
