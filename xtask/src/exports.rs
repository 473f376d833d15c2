//! `cargo xtask exports [FORMAT…]`: programs of other projects read the files that memprof exports.

use crate::built::built;
use crate::tools::python_environment;
use crate::{Failure, target, workspace};
use std::path::absolute;
use std::process::Command;

const FOLDER: &str = "memprof-export/tests/consumers";

pub(crate) const FORMATS: [&str; 5] = ["profile", "pprof", "folded", "perfetto", "prometheus"];

pub(crate) fn run(formats: &[String]) -> Result<(), Failure> {
    let program = |package, kind, name, path| built(&["--package", package, kind, name], path);
    let index = program("memprof", "--example", "source_index", "debug/examples/source_index")?;
    let total =
        program("memprof-export", "--example", "folded_total", "debug/examples/folded_total")?;
    let memprof = program("memprof-cli", "--bin", "memprof", "debug/memprof")?;
    let python = python_environment("exports/python", &format!("{FOLDER}/requirements.txt"))?;
    let mut pytest = Command::new(python);
    pytest.current_dir(workspace().join(FOLDER)).args(["-m", "pytest", "-p", "no:cacheprovider"]);
    pytest.args(["--verbose", "--durations=0", "--durations-min=1"]);
    pytest.args(formats.iter().map(|name| format!("test_{}.py", name.replace('-', "_"))));
    pytest.env("MEMPROF", memprof).env("SOURCE_INDEX", index).env("FOLDED_TOTAL", total);
    pytest.env("EXPORTS", absolute(target("exports"))?).env("PYTHONDONTWRITEBYTECODE", "1");
    if pytest.status()?.success() { Ok(()) } else { Err("a check of an export failed".into()) }
}
