//! `cargo xtask browser`: pages of sessions in headless Chromium, driven by Playwright. The checks
//! compare the page with the file, and test its layout, its loading time and its frame rate.

use crate::built::{built, source_index};
use crate::tools::{DRIVER, chromium, node_packages, output};
use crate::usage::chosen;
use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages: the browser's driver and a checker of accessibility.
const PACKAGES: [&str; 2] = [DRIVER, "axe-core@4"];

/// The script that runs the checks or prints their names.
const CHECKS: &str = "xtask/src/browser/check.mjs";

/// The sessions whose pages are checked, each with the name of its file; `sessions.mjs` writes
/// them.
const SESSIONS: [&str; 10] = [
    "everything",
    "concurrent",
    "hostile",
    "empty",
    "no_operations",
    "one_snapshot",
    "unknown",
    "clock_jumps",
    "negative",
    "killed",
];

/// The sessions with large pages.
const LARGE_SESSIONS: [&str; 3] = ["million", "million_random", "snapshots"];

/// The names of checks that open a large page and limit its time begin with these words.
const SPEED: &str = "a million";

/// Choices of the command line.
pub(crate) struct Choices {
    /// Parts of the names of checks (default: all).
    pub(crate) parts: Vec<String>,
    /// `true` to run the checks of large pages, which limit times. They use an optimised build of
    /// the command line.
    pub(crate) speed: bool,
    /// `true` if a missing program is not a failure.
    pub(crate) skip_if_missing: bool,
}

/// Runs the checks whose name contains one of the parts: `cargo xtask browser tooltip`.
pub(crate) fn run(choices: &Choices) -> Result<(), Failure> {
    let (names, stage) = match names().and_then(|names| Ok((names, Stage::new()?))) {
        Err(error) if choices.skip_if_missing => {
            println!("skipped: {error}");
            return Ok(());
        }
        prepared => prepared?,
    };
    let names = names.lines().filter(|name| choices.speed || !name.starts_with(SPEED));
    let names = chosen("check", &choices.parts, names)?;
    let Stage { folder, scripts, chromium } = stage;
    let (memprof, large) = if choices.speed {
        (memprof()?, &LARGE_SESSIONS[..])
    } else {
        (built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?, &[][..])
    };
    let sessions = [&SESSIONS, large].concat();
    output(Command::new("node").arg(scripts.join("sessions.mjs")).arg(&folder).args(&sessions))?;
    for name in sessions {
        page(&memprof, &folder.join(format!("{name}.json")), &folder.join(format!("{name}.html")))?;
    }
    // A profile without a session, in the form that tests write.
    let profile = workspace().join("tests/data/json/model.json");
    page(&memprof, &profile, &folder.join("profile.html"))?;
    let mut check = Command::new("node");
    check.arg(scripts.join("check.mjs")).arg(&folder).arg(chromium).args(names);
    let status = check.status()?;
    println!("pictures to be looked at: {}", folder.join("pictures").display());
    if status.success() { Ok(()) } else { Err("a check failed".into()) }
}

/// Returns the names of all checks, one on a line.
fn names() -> Result<String, Failure> {
    output(Command::new("node").arg(workspace().join(CHECKS)).arg("--names"))
}

/// Draws a picture of each view of a session of the example `source_index`.
pub(crate) fn gallery() -> Result<(), Failure> {
    let Stage { folder, scripts, chromium } = Stage::new()?;
    let memprof = memprof()?;
    let recorded = folder.join("source_index");
    if recorded.exists() {
        fs::remove_dir_all(&recorded)?;
    }
    let mut example = Command::new(source_index()?);
    example.current_dir(workspace()).args(["--rounds", "10", "--output-dir"]);
    output(example.arg(&recorded))?;
    let mut files = fs::read_dir(&recorded)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_document = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let session = files.find(is_document).ok_or("the example wrote no document")?;
    let drawn = folder.join("source_index.html");
    page(&memprof, &session, &drawn)?;
    let pictures = workspace().join("docs/gallery").canonicalize()?;
    let mut draw = Command::new("node");
    draw.arg(scripts.join("gallery.mjs")).arg(&folder).arg(chromium).args([&drawn, &pictures]);
    print!("{}", output(&mut draw)?);
    Ok(())
}

/// The paths that are needed to make and open pages.
struct Stage {
    folder: PathBuf,
    scripts: PathBuf,
    chromium: PathBuf,
}

impl Stage {
    fn new() -> Result<Self, Failure> {
        let folder = node_packages(&target("browser"), &PACKAGES)?;
        let scripts = workspace().join("xtask/src/browser").canonicalize()?;
        Ok(Self { folder, scripts, chromium: chromium()? })
    }
}

/// Builds the command line as users have it, except for link-time optimisation.
fn memprof() -> Result<PathBuf, Failure> {
    built(&["--locked", "--profile", "bench", "--package", "memprof-cli"], "release/memprof")
}

fn page(memprof: &Path, session: &Path, page: &Path) -> Result<(), Failure> {
    let mut html = Command::new(memprof);
    html.args(["html", "--force", "-o"]).arg(page).arg(session);
    output(&mut html).map(drop)
}
