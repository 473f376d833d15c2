//! Arguments that are well-formed and not accepted, and names chosen by their parts.

use std::fmt;

/// An argument that is well-formed and not accepted. It ends the command with exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Returns names that contain a part, all names without parts, or [`Usage`] for an unmatched part.
pub(crate) fn chosen<'a>(
    subject: &str,
    parts: &[String],
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<&'a str>, Usage> {
    let names: Vec<_> = names.into_iter().collect();
    if let Some(unknown) = parts.iter().find(|part| !names.iter().any(|name| name.contains(*part)))
    {
        let expected = names.join("\n  ");
        return Err(Usage(format!(
            "no {subject} has `{unknown}` in its name; expected a part of one of:\n  {expected}"
        )));
    }
    let is_chosen = |name: &&str| parts.is_empty() || parts.iter().any(|part| name.contains(part));
    Ok(names.into_iter().filter(is_chosen).collect())
}
