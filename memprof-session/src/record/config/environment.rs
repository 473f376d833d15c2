//! What the environment says.

use super::error::{ConfigError, Origin, quoted};
use super::layer::Layer;
use super::setting::{Raw, SETTINGS};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The path of the file to read instead of `memprof.toml`.
pub(super) const CONFIG: &str = "MEMPROF_CONFIG";

/// Variables that begin alike and are no session's.
const OTHERS: [&str; 6] = [
    // Tests with stored profiles.
    "MEMPROF_UPDATE",
    // The runtime of LLVM's profiler of the same name.
    "MEMPROF_OPTIONS",
    // The tests of this workspace.
    "MEMPROF_EXACTNESS_VALUES",
    "MEMPROF_EXACTNESS_FIRST",
    "MEMPROF_STACK_KIB",
    "MEMPROF_HEAP_TEST_ROLE",
];

/// What the environment says, and the file that it names.
pub(super) fn read(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<(Layer, Option<PathBuf>), ConfigError> {
    let mut variables: Vec<_> = environment.into_iter().filter_map(ours).collect();
    // The order of an environment is nobody's, and errors should come in the same.
    variables.sort_unstable();
    let mut layer = Layer::default();
    let mut file = None;
    for (name, value) in variables {
        let origin = Origin::Variable(name.clone());
        if name == CONFIG {
            file = Some(PathBuf::from(value));
        } else if let Some(setting) = SETTINGS.iter().find(|setting| setting.variable == name) {
            let takes = &setting.takes;
            takes.set(Raw::Variable(&value), &origin, &mut layer).ok_or_else(|| {
                let expected = takes.expected(&origin).to_string();
                ConfigError::value(origin, expected, quoted(&value))
            })?;
        } else {
            let known = SETTINGS.iter().map(|setting| setting.variable).chain([CONFIG]);
            return Err(ConfigError::unknown(origin, None, known.collect()));
        }
    }
    Ok((layer, file))
}

/// The variable, if its name says that it is for a session.
fn ours((name, value): (OsString, OsString)) -> Option<(String, OsString)> {
    let name = upper_case(&name)?;
    let rest = name.strip_prefix("MEMPROF")?;
    let is_ours = rest.is_empty() || rest.starts_with('_');
    (is_ours && !OTHERS.contains(&name.as_str())).then_some((name, value))
}

/// The name as it is, or on Windows, where letters of both cases are the same, in upper case.
/// Before it is copied, those are sorted out that can't be ours: nearly all.
fn upper_case(name: &OsStr) -> Option<String> {
    let start = name.as_encoded_bytes().get(..7)?;
    if cfg!(windows) {
        start.eq_ignore_ascii_case(b"MEMPROF").then(|| name.to_string_lossy().to_ascii_uppercase())
    } else {
        (start == b"MEMPROF").then(|| name.to_string_lossy().into_owned())
    }
}
