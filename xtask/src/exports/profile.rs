//! Profiles as YAML, read by two parsers, and as a flame graph, drawn by a browser.

use super::names;
use super::programs::{chromium, draw, export, output, python};
use crate::{Failure, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Compares the results of two YAML parsers with the JSON, and parses the drawing as XML.
const COMPARE: &str = include_str!("profile.py");

/// A parser of YAML 1.1 and one of YAML 1.2.
const PACKAGES: [&str; 2] = ["PyYAML", "ruamel.yaml"];

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let model = workspace().join("tests/data/json/model.json");
    fs::copy(model, folder.join("model.json"))?;
    fs::write(folder.join("names.json"), names::profile())?;
    let python = python(&PACKAGES)?;
    let chromium = chromium()?;
    let mut results = Vec::new();
    for name in ["model", "names"] {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        for format in ["yaml", "svg"] {
            export(&file("json"), format, &file(format))?;
        }
        let compared = output(
            Command::new(&python).args(["-c", COMPARE]).args(["json", "yaml", "svg"].map(&file)),
        )?;
        let picture = file("png");
        draw(&chromium, &file("svg"), &picture, "1200,400")?;
        results.push(format!("{name}: {}; drawn: {}", compared.trim(), picture.display()));
    }
    Ok(results.join("\n"))
}
