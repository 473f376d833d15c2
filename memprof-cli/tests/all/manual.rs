//! Tests of the manual pages.

use crate::memprof::{folder, run};
use std::fs;
use std::process::{Command, Stdio};

#[test]
fn each_command_has_a_page_that_the_others_name() {
    let folder = folder("man");
    let arguments = ["man", "--output-dir", folder.to_str().expect("UTF-8")];
    run(&arguments).well();
    let names = ["memprof.1", "memprof-run.1", "memprof-leaks.1", "memprof-gpu.1"];
    for name in names {
        let page = fs::read_to_string(folder.join(name)).expect(name);
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    let all = fs::read_to_string(folder.join("memprof.1")).expect("it is there");
    assert_eq!(run(&["man"]).well(), all);
    assert!(all.contains("memprof\\-run(1)"), "{all}");
    let again = run(&arguments);
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.err.contains("already exists"), "{again:?}");
    run(&[&arguments[..], &["--force"]].concat()).well();
}

#[test]
fn groff_accepts_each_page() {
    let folder = folder("man-groff");
    run(&["man", "--output-dir", folder.to_str().expect("UTF-8")]).well();
    for entry in fs::read_dir(&folder).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let mut groff = Command::new("groff");
        groff.args(["-man", "-Kutf8", "-Tutf8", "-ww"]).arg(&path).stdin(Stdio::null());
        let Ok(output) = groff.output() else {
            return memprof_test_support::skip("groff is not installed");
        };
        let warnings = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && warnings.is_empty(), "{}: {warnings}", path.display());
        assert!(!output.stdout.is_empty(), "{}", path.display());
    }
}
