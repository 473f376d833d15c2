//! `cargo xtask exports`: what memprof writes, read by programs that others wrote.

mod names;

use crate::{Failure, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares what two YAML parsers read with the JSON, and parses the drawing as XML.
const COMPARE: &str = include_str!("exports/compare.py");

/// The parsers, one of YAML 1.1 and one of 1.2.
const PACKAGES: [&str; 2] = ["PyYAML", "ruamel.yaml"];

/// A drawing of fewer bytes is blank.
const LEAST_PICTURE: u64 = 4096;

pub(crate) fn run() -> Result<(), Failure> {
    let folder = workspace().canonicalize()?.join("target/exports");
    fs::create_dir_all(&folder)?;
    let model = workspace().join("tests/golden/json/model.json");
    fs::copy(model, folder.join("model.json"))?;
    fs::write(folder.join("names.json"), names::profile())?;
    let python = python(&folder)?;
    let chromium = chromium()?;
    let mut printed = Vec::new();
    for name in ["model", "names"] {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        for format in ["yaml", "svg"] {
            export(&file("json"), format, &file(format))?;
        }
        let compared = output(
            Command::new(&python).args(["-c", COMPARE]).args(["json", "yaml", "svg"].map(&file)),
        )?;
        let picture = file("png");
        draw(chromium, &file("svg"), &picture)?;
        let bytes = fs::metadata(&picture)?.len();
        if bytes < LEAST_PICTURE {
            return Err(format!("{} is blank", picture.display()).into());
        }
        printed.push(format!("{name}: {}; drawn: {}", compared.trim(), picture.display()));
    }
    println!("{}", printed.join("\n"));
    Ok(())
}

fn export(profile: &Path, format: &str, target: &Path) -> Result<(), Failure> {
    output(
        Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "memprof-cli", "--", "export", "--to", format])
            .args(["--force".as_ref(), "-o".as_ref(), target, profile])
            .current_dir(workspace()),
    )
    .map(drop)
}

/// A Python that has the parsers, in an environment of its own.
fn python(folder: &Path) -> Result<PathBuf, Failure> {
    let environment = folder.join("python");
    let python = environment.join("bin/python");
    if !python.exists() {
        output(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    output(install.args(PACKAGES))?;
    Ok(python)
}

/// The browser; on Debian it is installed if it may be.
fn chromium() -> Result<&'static str, Failure> {
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        if Command::new(name).arg("--version").output().is_ok() {
            return Ok(name);
        }
    }
    output(Command::new("apt-get").args(["update", "--quiet"]))?;
    output(Command::new("apt-get").args(["install", "--quiet", "--yes", "chromium"]))?;
    Ok("chromium")
}

fn draw(chromium: &str, svg: &Path, picture: &Path) -> Result<(), Failure> {
    let _ = fs::remove_file(picture);
    output(
        Command::new(chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .arg("--window-size=1200,400")
            .arg(format!("--screenshot={}", picture.display()))
            .arg(format!("file://{}", svg.display())),
    )
    .map(drop)
}

/// What a program prints, if it ends well.
fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}
