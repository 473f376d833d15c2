//! The settings in the environment.

use super::error::{ConfigError, Origin, quoted};
use super::layer::Layer;
use super::setting::{Raw, SETTINGS, Setting};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The variable that names the file to read.
pub(super) const CONFIG: &str = "MEMPROF_CONFIG";

/// The variable that turns a session on or off.
const ENABLED: &str = "MEMPROF";

/// Variables that begin with `MEMPROF` but are not settings of a session.
const OTHERS: [&str; 3] = [
    // Set by `memprof run`, and copied to the files.
    memprof_recording::document::Metadata::RUN,
    // Read by tests with stored profiles.
    "MEMPROF_UPDATE",
    // Read by the runtime of LLVM's profiler, which is also called memprof.
    "MEMPROF_OPTIONS",
];

/// Returns `true` if the environment turns a session on, `false` if it turns the session off, and
/// `None` if it does neither.
///
/// A session that is off reads nothing else.
pub(super) fn enabled(environment: &[(OsString, OsString)]) -> Result<Option<bool>, ConfigError> {
    let is_named = |name: &OsStr| upper_case(name).is_some_and(|name| name == ENABLED);
    let Some((_, value)) = environment.iter().find(|(name, _)| is_named(name)) else {
        return Ok(None);
    };
    let mut layer = Layer::default();
    set(&SETTINGS[0], value, &Origin::Variable(ENABLED.to_owned()), &mut layer)?;
    Ok(layer.enabled)
}

/// Returns the settings of the environment, the file that it names, and the invalid variables.
pub(super) fn read(
    environment: Vec<(OsString, OsString)>,
) -> (Layer, Option<PathBuf>, Vec<ConfigError>) {
    let mut variables: Vec<_> = environment.into_iter().filter_map(ours).collect();
    // The order of the environment is arbitrary, but warnings need a fixed order.
    variables.sort_unstable();
    let mut layer = Layer::default();
    let mut file = None;
    let mut wrong = Vec::new();
    for (name, value) in variables {
        let origin = Origin::Variable(name.clone());
        if name == CONFIG {
            file = Some(PathBuf::from(value));
        } else if let Some(setting) = SETTINGS.iter().find(|setting| setting.variable == name) {
            wrong.extend(set(setting, &value, &origin, &mut layer).err());
        } else {
            let known = SETTINGS.iter().map(|setting| setting.variable).chain([CONFIG]);
            wrong.push(ConfigError::unknown(origin, None, known.collect()));
        }
    }
    (layer, file, wrong)
}

fn set(
    setting: &Setting,
    value: &OsStr,
    origin: &Origin,
    layer: &mut Layer,
) -> Result<(), ConfigError> {
    let takes = &setting.takes;
    takes.set(Raw::Variable(value), origin, layer).ok_or_else(|| {
        let expected = takes.expected(origin).to_string();
        ConfigError::value(origin.clone(), expected, quoted(value))
    })
}

/// Returns the variable if its name belongs to a session.
fn ours((name, value): (OsString, OsString)) -> Option<(String, OsString)> {
    let name = upper_case(&name)?;
    let rest = name.strip_prefix("MEMPROF")?;
    let is_ours = rest.is_empty() || rest.starts_with('_');
    (is_ours && !OTHERS.contains(&name.as_str())).then_some((name, value))
}

/// Returns the name if it begins with `MEMPROF`. On Windows the result is in upper case, because
/// names ignore case there.
///
/// Nearly all names begin with other letters, and are not copied.
fn upper_case(name: &OsStr) -> Option<String> {
    let start = name.as_encoded_bytes().get(..7)?;
    if cfg!(windows) {
        start.eq_ignore_ascii_case(b"MEMPROF").then(|| name.to_string_lossy().to_ascii_uppercase())
    } else {
        (start == b"MEMPROF").then(|| name.to_string_lossy().into_owned())
    }
}
