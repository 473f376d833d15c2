//! Snapshots as metrics, from a file and from the server. Prometheus' own tool checks them and its
//! client reads them.

use super::programs::{export, output, python};
use super::sessions::sessions;
use crate::Failure;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compares the client's results with the session and with the server's answer.
const COMPARE: &str = include_str!("prometheus.py");

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let python = python(&["prometheus_client"])?;
    let tool = promtool(folder)?;
    let mut results = Vec::new();
    for (name, session) in sessions(folder)? {
        let metrics = folder.join(format!("{name}.prom"));
        export(&session, "prometheus", &metrics)?;
        output(Command::new(&tool).args(["check", "metrics"]).stdin(File::open(&metrics)?))?;
        let (mut server, url) = serve(&session)?;
        let compared =
            output(Command::new(&python).args(["-c", COMPARE]).args([&session, &metrics]).arg(url));
        server.kill()?;
        server.wait()?;
        results
            .push(format!("prometheus, {name}: promtool reports no problem; {}", compared?.trim()));
    }
    Ok(results.join("\n"))
}

/// Returns Prometheus' own tool. On Debian the package is only unpacked, so that no server starts.
fn promtool(folder: &Path) -> Result<PathBuf, Failure> {
    if Command::new("promtool").arg("--version").output().is_ok() {
        return Ok("promtool".into());
    }
    let unpacked = folder.join("prometheus");
    let tool = unpacked.join("usr/bin/promtool");
    if !tool.exists() {
        fs::create_dir_all(&unpacked)?;
        output(Command::new("apt-get").args(["download", "prometheus"]).current_dir(&unpacked))?;
        let package = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "deb");
        let mut files = fs::read_dir(&unpacked)?.filter_map(|entry| Some(entry.ok()?.path()));
        let package = files.find(package).ok_or("apt-get downloaded nothing")?;
        output(Command::new("dpkg").arg("-x").args([&package, &unpacked]))?;
    }
    Ok(tool)
}

/// Starts the command that serves a session. Returns its process and address.
fn serve(session: &Path) -> Result<(std::process::Child, String), Failure> {
    let mut server = crate::cargo()
        .args(["run", "--quiet", "--package", "memprof-cli", "--", "export"])
        .args(["--to", "prometheus", "--listen", "127.0.0.1:0"])
        .arg(session)
        .stderr(Stdio::piped())
        .spawn()?;
    let stderr = server.stderr.take().ok_or("it has no standard error")?;
    let line = BufReader::new(stderr).lines().next().ok_or("it printed nothing")??;
    let url = line.split(' ').find(|word| word.starts_with("http://"));
    let url = url.ok_or_else(|| format!("it printed {line:?} and not its address"))?;
    Ok((server, url.to_owned()))
}
