//! Sessions as speedscope's JSON, checked by its schema and opened in its page.

use super::node::{drive, readers};
use super::programs::{export, output, python};
use super::sessions::sessions;
use crate::Failure;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Compares the file, by its schema, and the page with the session.
const COMPARE: &str = include_str!("speedscope.py");

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let release = readers(&["speedscope@1.25.0"])?.join("node_modules/speedscope/dist/release");
    let python = python(&["jsonschema"])?;
    let (page, schema) = (release.join("index.html"), release.join("file-format-schema.json"));
    let mut results = Vec::new();
    for (name, session) in sessions(folder)? {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        let (profiles, decoded) = (file("speedscope.json"), file("said.json"));
        export(&session, "speedscope", &profiles)?;
        let picture = file("png");
        let arguments = [page.as_os_str(), profiles.as_ref(), picture.as_ref()];
        fs::write(&decoded, drive("speedscope.mjs", &arguments)?)?;
        let files = [&session, &schema, &profiles, &decoded];
        let compared = output(Command::new(&python).args(["-c", COMPARE]).args(files))?;
        results.push(format!("speedscope, {name}: {}; {}", compared.trim(), picture.display()));
    }
    Ok(results.join("\n"))
}
