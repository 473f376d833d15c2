//! Tests that files are overwritten only with `--force`, and that no incomplete file remains.

use crate::memprof::{file, folder, run};
use crate::samples::{LATER, json, model};
use std::fs;

#[test]
fn a_file_is_written_once_and_overwritten_by_force() {
    let folder = folder("overwriting");
    let (model_file, later) =
        (file(&folder, "model.json", json(&model())), file(&folder, "later.folded", LATER));
    let target = folder.join("out.svg");
    let name = target.to_str().unwrap();
    assert_eq!(run(&["flamegraph", &model_file, "-o", name]).well(), "");
    let first = fs::read_to_string(&target).unwrap();
    assert!(first.ends_with("</svg>\n") || first.ends_with("</svg>"), "{first}");

    let refused = run(&["export", "--to", "svg", &later, "-o", name]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(
        refused.err,
        format!("memprof: {name}: already exists; choose another name or use `--force`\n")
    );
    assert_eq!(fs::read_to_string(&target).unwrap(), first);

    run(&["export", "--to", "svg", &later, "--output", name, "--force"]).well();
    assert_ne!(fs::read_to_string(&target).unwrap(), first);
}

#[test]
fn a_file_can_be_converted_onto_itself_by_force() {
    let name = file(&folder("onto-itself"), "model.json", json(&model()));
    run(&["export", "--to", "folded", &name, "-o", &name, "--force"]).well();
    assert_eq!(fs::read_to_string(&name).unwrap(), model().to_folded());
}

#[test]
fn a_bad_file_leaves_no_output() {
    let folder = folder("no-output");
    let bad = file(&folder, "bad.json", "{");
    let target = folder.join("out.yaml");
    let ran = run(&["export", "--to", "yaml", &bad, "-o", target.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(!target.exists());
}

#[test]
fn an_unwritable_path_is_an_error() {
    let folder = folder("no-place");
    let model = file(&folder, "model.json", json(&model()));
    let write = |target: &str| run(&["export", "--to", "json", &model, "-o", target]);
    let missing = folder.join("missing/out.json");
    assert!(write(missing.to_str().unwrap()).err.contains("no such folder"));
    assert!(write("").err.starts_with("memprof: \"\": "), "{:?}", write(""));
    let ran = run(&["flamegraph", &model, "--force", "-o", folder.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is a directory; specify a file"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn overwriting_keeps_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("link");
    let model_file = file(&folder, "model.json", json(&model()));
    let real = file(&folder, "real.txt", "old");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.join("link.txt");
    symlink("real.txt", &link).unwrap();
    let link = link.to_str().unwrap();
    let export = |force: &[&str]| {
        run(&[&["export", "--to", "folded", &model_file, "-o", link], force].concat())
    };
    assert_eq!(export(&[]).code, Some(2));
    assert_eq!(fs::read_to_string(&real).unwrap(), "old");
    export(&["--force"]).well();
    assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&real).unwrap(), model().to_folded());
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "nothing else is left there");
}

/// A limit on the size of files simulates a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_overwrite_keeps_the_old_file() {
    let folder = folder("no-room");
    let stacks: Vec<String> = (0..10_000).map(|index| format!("root;branch_{index} 1\n")).collect();
    let long = file(&folder, "long.folded", stacks.concat());
    let old = file(&folder, "old.json", "old");
    let new = folder.join("new.json");
    for (target, left) in [(old.as_str(), Some("old")), (new.to_str().unwrap(), None)] {
        let binary = env!("CARGO_BIN_EXE_memprof");
        let line = format!(
            "trap '' XFSZ; ulimit -f 10; exec '{binary}' export --to json --force '{long}' -o '{target}'"
        );
        let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.starts_with(&format!("memprof: {target}: could not write: ")), "{err}");
        assert_eq!(fs::read_to_string(target).ok().as_deref(), left);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing else is left there");
}

#[cfg(unix)]
#[test]
fn devices_need_no_force() {
    let model = file(&folder("device"), "model.json", json(&model()));
    run(&["export", "--to", "json", &model, "-o", "/dev/null"]).well();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = folder("full");
    let model = file(&folder, "model.json", json(&model()));
    let session = file(&folder, "run.json", crate::recordings::importer().report());
    for command in [
        &["tree", "--json", &model][..],
        &["export", "--to", "json", &model],
        &["export", "--to", "perfetto", &session],
        &["html", "-o", "-", &session],
        &["--help"],
        &["run", "--help"],
        &["--version"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = crate::memprof::command(command).stdout(full).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.starts_with("memprof: standard output: could not write: No space"), "{err}");
        assert_eq!(err.matches("No space").count(), 1, "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}
