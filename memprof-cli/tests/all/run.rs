//! Tests of `memprof run`: exit codes, signals, recordings, and advice for programs without them.

use crate::memprof::{Ran, command, file, folder, run};
use memprof_test_support::wait_until;
#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::process::Output;
use std::process::{Child, Command, Stdio};

/// Returns the path of an example of this package.
fn example(name: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_memprof"));
    let example = binary.with_file_name("examples").join(name);
    assert!(
        example.exists(),
        "`cargo build --examples` builds {name}, `cargo test --test all` does not"
    );
    example.to_str().expect("its name is UTF-8").to_owned()
}

/// Returns `memprof run` with a folder for the recording.
fn recording(into: &Path, arguments: &[&str]) -> Command {
    let mut command = command(&["run", "--output-dir", into.to_str().expect("UTF-8")]);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(command: &mut Command) -> Ran {
    command.output().expect("memprof runs").into()
}

/// Records no call sites, whose names take a second to look up in programs without optimization.
fn without_sites(command: &mut Command) -> &mut Command {
    command.env("MEMPROF_LEVEL", "counters")
}

/// Returns the files of a folder with this extension.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|is| is == extension)).collect()
}

/// Waits until the program records, and sends `signal` to `memprof run`.
fn signal(child: Child, folder: &Path, signal: &str) -> Ran {
    let pid = child.id();
    signal_to(child, folder, signal, |_| pid)
}

/// Waits until the program records, and sends `signal` to the process that `pid` chooses from the
/// timeline.
fn signal_to(mut child: Child, folder: &Path, signal: &str, pid: impl FnOnce(&str) -> u32) -> Ran {
    // The file is there before the session handles signals, but its first snapshot is not.
    let has_snapshot = |path: &PathBuf| {
        fs::read_to_string(path).is_ok_and(|text| text.contains("\n{\"snapshot\":"))
    };
    wait_until("the program records", || {
        assert!(child.try_wait().expect("it is a child").is_none(), "memprof has ended");
        files(folder, "jsonl").iter().any(has_snapshot)
    });
    let timeline = fs::read_to_string(&files(folder, "jsonl")[0]).expect("it is there");
    let sent = Command::new("kill").args([signal, &pid(&timeline).to_string()]).status();
    assert!(sent.expect("kill runs").success());
    child.wait_with_output().expect("memprof ends").into()
}

#[test]
fn a_program_is_recorded_and_keeps_its_exit_code_and_its_output() {
    let folder = folder("run");
    let ran = ran(&mut recording(&folder, &[&example("growing_log"), "0.5", "3"]));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.out.ends_with(" entries\n") && ran.out.lines().count() == 1, "{ran:?}");
    let [document] = &files(&folder, "json")[..] else { panic!("one recording: {ran:?}") };
    assert!(ran.err.contains(&format!(": {}\n", document.display())), "{ran:?}");
    assert!(ran.err.starts_with("\ngrowing_log · process "), "{ran:?}");
    assert!(ran.err.contains("live in"), "{ran:?}");
}

#[test]
fn standard_input_and_arguments_with_dashes_reach_the_program() {
    let folder = folder("run-input");
    let mut command = recording(&folder, &["sh", "-c", "cat; echo $1", "--", "--open"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("memprof runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, b"a line\n").expect("the program reads");
    drop(stdin);
    let ran: Ran = child.wait_with_output().expect("memprof ends").into();
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "a line\n--open\n"), "{ran:?}");
}

/// Returns `true` if this process ignores a signal, as its children then do.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

#[test]
fn a_signal_goes_to_the_program_and_sets_the_exit_code() {
    // In a terminal, Ctrl-C would reach both processes. These children have no terminal.
    for (name, number) in [("-TERM", 15), ("-INT", 2)] {
        // A shell without job control ignores SIGINT in the programs that it starts in the
        // background, such as these tests.
        if is_ignored(number) {
            continue;
        }
        let code = 128 + number;
        let folder = folder(&format!("run{name}"));
        let mut command = recording(&folder, &[&example("growing_log"), "60"]);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let ran = signal(command.spawn().expect("memprof runs"), &folder, name);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert_eq!(files(&folder, "json").len(), 1, "the document is complete: {ran:?}");
        assert!(ran.err.contains("ended by SIG"), "{ran:?}");
    }
}

#[test]
fn the_signal_that_killed_the_program_is_named() {
    let recorded = |timeline: &str| {
        let first = timeline.lines().next().expect("it has lines");
        let first: serde_json::Value = serde_json::from_str(first).expect("it is JSON");
        u32::try_from(first["metadata"]["pid"].as_u64().expect("it is a number")).expect("a pid")
    };
    let program = example("growing_log");
    let script = format!("'{program}' 60; true");
    let cases: [(&[&str], &str); 2] = [
        (&[&program, "60"], "killed by SIGKILL"),
        // Only the shell knows how the program ended.
        (&["sh", "-c", &script], "still running when this was written, or killed"),
    ];
    for (command, expected) in cases {
        let folder = folder(&format!("run-killed-{}", command.len()));
        let child = without_sites(&mut recording(&folder, command)).spawn().expect("memprof runs");
        let ran = signal_to(child, &folder, "-KILL", recorded);
        assert!(ran.err.contains(expected), "{expected}: {ran:?}");
        assert!(ran.err.contains("\nmissing     everything after "), "{ran:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = folder("run-nohup");
    let memprof = recording(&folder, &[&example("growing_log"), "1"]);
    let arguments = memprof.get_args().map(ToOwned::to_owned);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(memprof.get_program());
    shell.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = signal(shell.spawn().expect("sh runs"), &folder, "-HUP");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// The line of `/proc` with the ignored signals of a program that a shell script replaces itself
/// with, alone and with `memprof run`.
#[cfg(target_os = "linux")]
fn ignored_signals(script: &str) -> [String; 2] {
    let folder = folder("run-ignored");
    let memprof = recording(&folder, &[]);
    let run = [memprof.get_program()].into_iter().chain(memprof.get_args());
    let program = ["grep", "^SigIgn:", "/proc/self/status"];
    let line = |command: &mut Command| {
        let ran = ran(command.args(program));
        assert_eq!(ran.code, Some(0), "{script}: {ran:?}");
        ran.out
    };
    let shell = |arguments: &[&OsStr]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).args(arguments);
        shell
    };
    let env = OsStr::new("env");
    let with_run: Vec<_> = run.collect();
    [line(&mut shell(&[env])), line(&mut shell(&with_run))]
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_ignores_the_signals_that_it_ignores_without_memprof() {
    let is_ignored = |line: &str, number: i32| {
        let mask = u64::from_str_radix(line.trim_start_matches("SigIgn:").trim(), 16);
        mask.expect("it is a hexadecimal number") >> (number - 1) & 1 == 1
    };
    let exec = "exec \"$0\" \"$@\"";
    for (script, number, expected) in [
        (exec, 13, false),
        ("exec env --ignore-signal=CHLD \"$0\" \"$@\"", 17, true),
        (&format!("trap '' HUP USR2; {exec}"), 12, true),
    ] {
        let [alone, with_memprof] = ignored_signals(script);
        assert_eq!(alone, with_memprof, "{script}");
        assert_eq!(is_ignored(&alone, number), expected, "{script}: {alone}");
    }
}

#[test]
fn each_process_has_its_recording() {
    let folder = folder("run-processes");
    let program = example("growing_log");
    let script = format!("'{program}' 0.4 & '{program}' 0.4; wait");
    let ran = ran(without_sites(&mut recording(&folder, &["sh", "-c", &script])));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = ran.err.lines().filter(|line| line.starts_with("memprof: growing_log, process "));
    assert_eq!((lines.count(), files(&folder, "json").len()), (2, 2), "{ran:?}");
}

#[test]
fn recordings_of_other_programs_in_the_folder_are_not_listed() {
    let folder = folder("run-others");
    let program = example("growing_log");
    // A program that `memprof run` did not start, and the program of an inner `memprof run`.
    let other = format!("env -u MEMPROF_RUN '{program}' 0.4");
    let inner = format!("'{}' run --output-dir . '{program}' 0.4", env!("CARGO_BIN_EXE_memprof"));
    let script =
        format!("cd '{}'; {other}; {inner} 2>inner.txt; '{program}' 0.4", folder.display());
    let ran = ran(without_sites(&mut recording(&folder, &["sh", "-c", &script])));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let listed = |text: &str| text.matches("memprof: growing_log, process ").count();
    assert_eq!((listed(&ran.err), files(&folder, "json").len()), (2, 3), "{ran:?}");
    let inner = fs::read_to_string(folder.join("inner.txt")).expect("it was written");
    assert_eq!(listed(&inner), 1, "{inner}");
}

#[test]
fn the_page_is_written_and_opened() {
    let folder = folder("run-page");
    let script = file(&folder, "browser", "#!/bin/sh\necho \"$@\" > \"$0.txt\"\n");
    fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("it is ours");
    let page = folder.join("page.html");
    let arguments =
        ["--open", "--html", page.to_str().expect("UTF-8"), &example("growing_log"), "0.1"];
    let mut command = recording(&folder, &arguments);
    let ran = ran(command.env("BROWSER", format!("no-such-browser:{script} --new %s")));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(fs::read_to_string(&page).is_ok_and(|page| page.starts_with("<!DOCTYPE html>")));
    let opened = folder.join("browser.txt");
    wait_until("the page is opened", || fs::read(&opened).is_ok_and(|text| text.ends_with(b"\n")));
    let opened = fs::read_to_string(opened).expect("it is there");
    assert_eq!(opened, format!("--new {}\n", page.display()));
}

#[test]
fn a_program_without_a_recording_gets_the_lines_to_add() {
    let folder = folder("run-advice");
    let first = "memprof: no recording was written, because ";
    let allocator = "#[global_allocator]";
    let session = "let _session = memprof::Session::start();";
    let neither = ran(&mut recording(&folder, &["true"]));
    assert_eq!(neither.code, Some(0), "{neither:?}");
    assert!(neither.err.contains(&format!("{first}neither true nor ")), "{neither:?}");
    assert!(neither.err.contains(allocator) && neither.err.contains(session), "{neither:?}");
    // This program has a session, which `off` prevents here.
    let program = example("growing_log");
    let script = format!("MEMPROF=0 exec '{program}' 0");
    let unknown = ran(&mut recording(&folder, &["sh", "-c", &script]));
    assert!(unknown.err.contains("neither sh nor a process that it started"), "{unknown:?}");
}

#[test]
fn a_session_that_ended_at_once_is_explained() {
    let folder = folder("run-dropped");
    let log = example("growing_log");
    let ran = ran(without_sites(&mut recording(&folder, &[&log, "1.5", "0", "drop"])));
    assert!(ran.err.contains("the program dropped the session after "), "{ran:?}");
    assert!(ran.err.contains("keep the session in"), "{ran:?}");
    let whole = super::run::ran(without_sites(&mut recording(&folder, &[&log, "1.5"])));
    assert!(!whole.err.contains("dropped the session"), "{whole:?}");
}

#[test]
fn mistakes_are_found_before_the_program_runs() {
    let folder = folder("run-mistakes");
    let blocked = file(&folder, "blocked", "a file");
    let page = file(&folder, "page.html", "a page");
    let script = file(&folder, "script", "#!/no/such/interpreter\n");
    let text = file(&folder, "text", "text");
    fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("it is ours");
    let marker = folder.join("ran");
    let at = |name: &str| format!("{}/{name}", folder.display());
    let nowhere = at("nowhere/page.html");
    let touch = ["touch", marker.to_str().expect("UTF-8")];
    let touch_with = |options: &[&str]| run(&[&["run"], options, &touch].concat());
    let cases = [
        (
            touch_with(&["--output-dir", &blocked]),
            2,
            "cannot write recordings here (it is not a folder)",
        ),
        (touch_with(&["--output-dir", &at("blocked/in")]), 2, "here (it is not a folder)"),
        (touch_with(&["--html", &page]), 2, "already exists"),
        (touch_with(&["--html", &nowhere]), 2, "no such folder"),
        (touch_with(&["--html", &at("."), "--force"]), 2, "is a directory"),
        (touch_with(&["--interval", "1ms"]), 2, "expected a time from 10ms to 1day"),
        (run(&["run"]), 2, "COMMAND"),
        (run(&["run", "--output-dir", folder.to_str().unwrap(), "no-such-command"]), 127, "PATH"),
        (
            run(&["run", "--output-dir", folder.to_str().unwrap(), ""]),
            127,
            "memprof: \"\": no such",
        ),
        (run(&["run", "--output-dir", folder.to_str().unwrap(), &text]), 126, "chmod +x"),
        (run(&["run", "--output-dir", folder.to_str().unwrap(), &script]), 126, "interpreter"),
    ];
    for (ran, code, expected) in cases {
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.err.contains(expected), "{expected}: {ran:?}");
    }
    assert!(!marker.exists(), "the program did not run");
}

/// Runs a shell script with `memprof run` in a terminal, and returns the exit code. `keys` are typed
/// after the script has printed a line. Returns `None` if `script` of util-linux is not installed.
#[cfg(target_os = "linux")]
fn in_a_terminal(name: &str, script: &str, keys: &str) -> Option<i32> {
    use std::io::{Read, Write};

    let version = Command::new("script").arg("--version").output();
    let is_of_util_linux =
        |output: Output| String::from_utf8_lossy(&output.stdout).contains("util-linux");
    if !version.is_ok_and(is_of_util_linux) {
        memprof_test_support::skip("`script` of util-linux is not installed");
        return None;
    }
    let into = folder(name);
    let script = file(&into, "script.sh", script);
    let binary = env!("CARGO_BIN_EXE_memprof");
    // A program that runs the tests in the background may have made them ignore Ctrl-C. Without
    // `exec` some shells wait for the command, and Ctrl-C ends them.
    let run = format!("'{binary}' run --output-dir '{}' sh '{script}'", into.display());
    let line = format!("exec env --default-signal=INT {run}");
    let mut terminal = Command::new("script");
    terminal.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let terminal = terminal.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut terminal = terminal.spawn().expect("script runs");
    let output = terminal.stdout.as_mut().expect("it is a pipe");
    assert!(output.read(&mut [0; 64]).is_ok_and(|bytes| bytes > 0), "the script prints a line");
    let mut input = terminal.stdin.take().expect("it is a pipe");
    input.write_all(keys.as_bytes()).expect("the terminal reads");
    terminal.wait().expect("it ends").code()
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_of_another_process_is_passed_on_in_a_terminal_too() {
    // The script sends the signals to `memprof run` alone, and ends after 5 s without them.
    let script = "trap 'exit 7' INT; echo ready; kill -INT $PPID
        for _ in $(seq 500); do sleep 0.01; done; exit 9";
    let code = in_a_terminal("run-interrupted", script, "");
    assert!(code.is_none_or(|code| code == 7), "{code:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_in_a_terminal_reaches_the_program_once() {
    // The exit code is the number of signals within a second after the first.
    let script = "trap 'n=$((n + 1))' INT; n=0; echo ready
        for _ in $(seq 500); do sleep 0.01; [ $n -gt 0 ] && break; done
        for _ in $(seq 100); do sleep 0.01; done; exit $n";
    let code = in_a_terminal("run-ctrl-c", script, "\x03");
    assert!(code.is_none_or(|code| code == 1), "{code:?}");
}

#[test]
fn an_option_that_run_does_not_have_is_no_command() {
    let ran = run(&["run", "--all-frames", "ls"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("unexpected argument '--all-frames'"),
        "{ran:?}"
    );
}

#[test]
fn the_hint_about_folded_frames_is_a_command_that_shows_them() {
    let folder = folder("run-hint");
    let growing = example("growing_log");
    let ran = ran(&mut recording(&folder, &["--interval", "100ms", &growing, "3", "0"]));
    let hint = ran.err.lines().find(|line| line.contains("more frame"));
    let Some(command) = hint.and_then(|hint| hint.split('`').nth(1)) else { panic!("{ran:?}") };
    let [document] = &files(&folder, "json")[..] else { panic!("one recording: {ran:?}") };
    let name = document.to_str().expect("it is UTF-8");
    assert_eq!(command, format!("memprof leaks --all-frames {name}"));
    let all = run(&["leaks", "--all-frames", name]).well();
    assert!(all.contains("    from ") && !all.contains("more frame"), "{all}");
}
