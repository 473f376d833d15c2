//! What a TOML file says.

use super::error::{ConfigError, Origin};
use super::layer::Layer;
use super::setting::{Raw, SETTINGS};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// The file that is read if it is there.
pub(super) const NAME: &str = "memprof.toml";

/// Larger than any such file, so that a device or a log by mistake doesn't fill the memory.
const LARGEST: u64 = 1 << 20;

/// What the file at `path` from `folder` says, which `named_by` named.
pub(super) fn read(folder: &Path, path: &Path, named_by: Origin) -> Result<Layer, ConfigError> {
    if path.as_os_str().is_empty() {
        return Err(ConfigError::value(named_by, "the path of a TOML file", "\"\""));
    }
    let path = folder.join(path);
    match text(&path) {
        Ok(text) => parse(&text, &path),
        Err(error) => Err(ConfigError::read(named_by, &path, error)),
    }
}

/// What the file at `path` says, if there is one.
pub(super) fn read_if_there(path: &Path) -> Result<Layer, ConfigError> {
    match text(path) {
        Ok(text) => parse(&text, path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Layer::default()),
        Err(error) => Err(ConfigError::read(Origin::File(path.to_owned()), path, error)),
    }
}

fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let length = File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if length as u64 > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is larger than 1 MiB"));
    }
    Ok(text)
}

fn parse(text: &str, path: &Path) -> Result<Layer, ConfigError> {
    let line = |at: usize, key| Origin::Line(path.to_owned(), line_of(text, at), key);
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        ConfigError::syntax(line(at, None), error)
    })?;
    // By place and not by name, so that the first mistake is the one that is told.
    let mut entries: Vec<_> = table.get_ref().iter().collect();
    entries.sort_unstable_by_key(|(key, _)| key.span().start);
    let mut layer = Layer::default();
    for (key, value) in entries {
        let at = key.span().start;
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key.get_ref()) else {
            let known = SETTINGS.iter().map(|setting| setting.key).collect();
            return Err(ConfigError::unknown(line(at, None), Some(key.get_ref()), known));
        };
        let takes = &setting.takes;
        let origin = line(at, Some(setting.key));
        let set = raw(value.get_ref()).and_then(|raw| takes.set(raw, &origin, &mut layer));
        set.ok_or_else(|| {
            let expected = takes.expected(&origin).to_string();
            // Tables may be in pieces, or be made by a key with a dot.
            let found = match value.get_ref() {
                DeValue::Table(_) => "a table",
                _ => text.get(value.span()).unwrap_or("another value"),
            };
            ConfigError::value(origin, expected, found)
        })?;
    }
    Ok(layer)
}

/// The value, if it is of a type that some setting takes.
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
