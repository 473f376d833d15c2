//! Tests that output has colours only on a terminal, unless an argument requests them.

use crate::memprof::{command, file, folder};
use crate::samples::{LATER, json, model};
use expect_test::expect;
use std::process::Command;

const ESCAPE: char = '\u{1b}';

fn out(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[test]
fn a_pipe_gets_colours_only_on_request() {
    let folder = folder("colors");
    let (model, later) =
        (file(&folder, "model.json", json(&model())), file(&folder, "later.folded", LATER));
    let commands =
        [&["tree", &model][..], &["diff", &model, &later], &["report", "--detailed", &model]];
    for arguments in commands {
        let plain = out(&mut command(arguments));
        assert!(!plain.contains(ESCAPE));
        for (when, no_color, expected) in [
            ("always", None, true),
            ("always", Some("1"), true),
            ("auto", None, false),
            ("never", None, false),
        ] {
            let mut command = command(arguments);
            command.args(["--color", when]);
            if let Some(value) = no_color {
                command.env("NO_COLOR", value);
            }
            let printed = out(&mut command);
            assert_eq!(printed.contains(ESCAPE), expected, "{when} {no_color:?}: {printed}");
            let mut unpainted = printed;
            for code in ["0", "2", "31", "32", "33"] {
                unpainted = unpainted.replace(&format!("\u{1b}[{code}m"), "");
            }
            assert_eq!(unpainted, plain, "colours are all that differs");
        }
    }
}

#[test]
fn colours_repeat_what_the_text_states() {
    let folder = folder("colors-of-parts");
    let (model, later) =
        (file(&folder, "model.json", json(&model())), file(&folder, "later.folded", LATER));
    let painted = |arguments: &[&str]| {
        let arguments = [arguments, &["--color", "always"]].concat();
        out(&mut command(&arguments)).replace(ESCAPE, "␛")
    };
    let tree = painted(&["tree", "--depth", "1", "--width", "60", &model]);
    let diff = painted(&["diff", "-n", "2", &model, &later]);
    let report = painted(&["report", &model]);
    expect![[r"
        Model      ≥ 9.3 MiB  100.0 %
        ␛[2m├─ ␛[0mmatrix    8.1 MiB   86.7 %
        ␛[2m├─ ␛[0mnames     1.2 MiB   13.3 %   60,000 values
        ␛[2m└─ ␛[0mcache      ≥ 48 B    0.0 %   locked
        ␛[33mnot exact: 1 locked · 60,003 allocations␛[0m
        ␛[33m97.7 KiB spare (1.0 %)␛[0m
    "]]
    .assert_eq(&tree);
    expect![[r#"
        ␛[31m+781.3 KiB␛[0m    7.6 MiB →    8.4 MiB  +10.0 %  Model;matrix;values
        ␛[31m+488.3 KiB␛[0m          – →  488.3 KiB      new  Model;index
         ␛[32m−97.7 KiB␛[0m    1.2 MiB →    1.1 MiB   −7.7 %  Model;names
           ␛[33munknown␛[0m  ≥ 9.3 MiB →   10.5 MiB           total
        ␛[2m3 paths changed: 1 new, 1 grown, 1 shrunk · not exact before: 1 locked␛[0m
        ␛[2mnot exact after: folded stacks do not record exactness · unknown: a walk did not visit all values␛[0m
    "#]]
    .assert_eq(&diff);
    expect![[r"
        Model: ≥ 9.3 MiB, 0 B inline, 60,003 allocations
          data         9.2 MiB   98.3 %
          metadata   161.7 KiB    1.7 %  0.02 B for each byte of data, 97.7 KiB spare in total
          info       not exact: 1 locked; print the tree with `detailed()` to see where
        ␛[33mnot exact: 1 locked · 60,003 allocations · 97.7 KiB spare (1.0 %)␛[0m
    "]]
    .assert_eq(&report);
}

#[test]
fn json_has_no_colours() {
    let model = file(&folder("no-colors"), "model.json", json(&model()));
    let printed = out(&mut command(&["tree", "--json", "--color", "always", &model]));
    assert!(!printed.contains(ESCAPE));
}

/// Returns `true` if `script`, which runs a command in a terminal, belongs to util-linux.
#[cfg(target_os = "linux")]
fn has_script() -> bool {
    let version = Command::new("script").arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("util-linux"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_colours_unless_disabled() {
    let model = file(&folder("terminal"), "model.json", json(&model()));
    if !has_script() {
        return memprof_test_support::skip("`script` of util-linux is not installed");
    }
    let on_terminal = |environment: &[(&str, &str)], arguments: &str| {
        let binary = env!("CARGO_BIN_EXE_memprof");
        let line = format!("stty cols 60; '{binary}' {arguments} '{model}'");
        let mut script = Command::new("script");
        script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
        script.env_remove("NO_COLOR").env("TERM", "xterm").envs(environment.iter().copied());
        let output = script.output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    };
    let (painted, _) = on_terminal(&[], "tree");
    assert!(painted.contains(ESCAPE), "{painted:?}");
    assert!(painted.lines().all(|line| line.chars().count() < 90), "as wide as the terminal");
    for (environment, arguments) in [
        (&[("NO_COLOR", "1")][..], "tree"),
        (&[("TERM", "dumb")], "tree"),
        (&[], "tree --color never"),
        (&[], "info"),
    ] {
        let (plain, _) = on_terminal(environment, arguments);
        assert!(!plain.contains(ESCAPE), "{environment:?} {arguments}: {plain:?}");
    }
    let (refused, code) = on_terminal(&[], "flamegraph");
    assert!(
        refused.contains("standard output: not writing binary data to a terminal"),
        "{refused}"
    );
    assert_eq!(code, Some(2));
    let (refused, code) = on_terminal(&[], "export --to pprof");
    assert!(refused.contains("use `-o FILE` or a pipe"), "{refused}");
    assert_eq!(code, Some(2));
}
