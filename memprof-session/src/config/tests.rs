//! Tests of merging layers that are given as data.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use super::{CONFIG, Config, ConfigError, SETTINGS, SessionBuilder, Source};
use expect_test::{Expect, expect};
use memprof_heap::Level;
use std::error::Error as _;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("memprof-config-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder for temporary files is writable");
        Self(path)
    }

    fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.join(name), text).expect("the folder is writable");
        self
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn variables(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

fn resolve(
    code: SessionBuilder,
    environment: &[(&str, &str)],
    folder: &Folder,
) -> Result<Config, ConfigError> {
    settle(code, variables(environment), folder.path())
}

/// Returns the first warning as an error. If the folder has a file `memprof.toml`, the environment
/// names it.
fn settle(
    code: SessionBuilder,
    mut environment: Vec<(OsString, OsString)>,
    folder: &Path,
) -> Result<Config, ConfigError> {
    let file = folder.join("memprof.toml");
    if file.exists() && !environment.iter().any(|(name, _)| name == CONFIG) {
        environment.push((CONFIG.into(), file.into()));
    }
    let resolved = code.merged(Source::environment(environment), folder)?;
    resolved.warnings.into_iter().next().map_or(Ok(resolved.config), Err)
}

/// Compares the errors, one per line, after the folder's path is replaced.
fn check<T>(cases: impl IntoIterator<Item = Result<T, ConfigError>>, folder: &Folder, to: &Expect) {
    let folder = folder.path().to_str().expect("the path is a text");
    let lines = cases.into_iter().map(|case| {
        let message = format!("{:?}", case.err().expect("it is wrong"));
        assert!(!message.contains('\n') && message.len() < 500, "{message}");
        message.replace(folder, "FOLDER") + "\n"
    });
    to.assert_eq(&lines.collect::<String>());
}

fn code() -> SessionBuilder {
    SessionBuilder::default()
}

#[test]
fn without_settings_there_is_no_session() {
    let config = resolve(code(), &[], &Folder::new("nothing")).unwrap();
    assert_eq!(config, Config::default());
    assert!(!config.enabled);
}

#[test]
fn the_file_gives_way_to_code_and_code_to_the_environment() {
    let folder = Folder::new("precedence").with("memprof.toml", "interval = \"1s\"\n");
    let none = Folder::new("no-precedence");
    let second = code().interval(Duration::from_secs(2));
    let third = [("MEMPROF_INTERVAL", "3s")];
    let interval = |code: SessionBuilder, environment: &[_], folder| {
        resolve(code, environment, folder).unwrap().interval.as_secs()
    };
    assert_eq!(interval(code(), &[], &none), 5);
    assert_eq!(interval(code(), &[], &folder), 1);
    assert_eq!(interval(second.clone(), &[], &folder), 2);
    assert_eq!(interval(second, &third, &folder), 3);
    assert_eq!(interval(code(), &third, &folder), 3);
}

#[test]
fn the_setting_with_the_highest_precedence_enables_a_session() {
    let (silent, on, off) = (None, Some(true), Some(false));
    let cases = [
        (silent, silent, false),
        (off, silent, false),
        (on, silent, true),
        (silent, on, true),
        (off, on, true),
        (on, off, false),
    ];
    let folder = Folder::new("enabled");
    for (at, (in_code, environment, expected)) in cases.into_iter().enumerate() {
        let code = in_code.map_or_else(code, |on| code().enabled(on));
        let environment = environment.map(|on| ("MEMPROF", if on { "1" } else { "0" }));
        let resolved = code.resolve(variables(environment.as_slice()), folder.path()).unwrap();
        assert_eq!(resolved.config.enabled, expected, "case {at}");
        assert!(resolved.warnings.is_empty(), "case {at}");
    }
}

#[test]
fn a_session_that_is_off_reads_no_setting_and_cannot_fail() {
    let folder = Folder::new("off").with("memprof.toml", "interval = 5");
    let wrong = [
        ("MEMPROF_INTERVAL", "5"),
        ("MEMPROF_FOO", "1"),
        ("MEMPROF_CONFIG", "memprof.toml"),
        ("MEMPROF_OUTPUT_DIR", "/proc/self/fdinfo"),
    ];
    let in_code = code().interval(Duration::ZERO).config_file("missing.toml");
    let resolved = in_code.resolve(variables(&wrong), folder.path()).unwrap();
    assert_eq!(resolved.config, Config::default());
    assert!(resolved.warnings.is_empty(), "{:?}", resolved.warnings);
    // A session that is off reads only this variable.
    let resolved = code().resolve(variables(&[("MEMPROF", "yes")]), folder.path()).unwrap();
    assert!(!resolved.config.enabled);
    assert!(resolved.warnings[0].to_string().starts_with("MEMPROF: expected one of 1, 0"));
}

#[test]
fn an_enabled_session_ignores_wrong_settings_outside_the_code_with_warnings() {
    let folder =
        Folder::new("on").with("a.toml", "interval = 5\nwalk_budget = '20ms'\nenabled = true");
    let environment = [
        ("MEMPROF", "1"),
        ("MEMPROF_CONFIG", "a.toml"),
        ("MEMPROF_FOO", "1"),
        ("MEMPROF_LEVEL", "all"),
        ("MEMPROF_OPERATION_EVENTS", "7"),
    ];
    let resolved = code().resolve(variables(&environment), folder.path()).unwrap();
    let Config { enabled, interval, walk_budget, operation_events, level, .. } = resolved.config;
    assert!(enabled);
    assert_eq!(interval, Config::default().interval);
    assert_eq!(level, Config::default().level);
    assert_eq!((walk_budget, operation_events), (Duration::from_millis(20), 7));
    assert_eq!(resolved.warnings.len(), 4, "{:?}", resolved.warnings);
    // An invalid value in code is an error.
    let wrong = code().enabled(true).interval(Duration::ZERO);
    assert!(wrong.resolve([], folder.path()).is_err());
}

#[test]
fn resolving_the_settings_writes_nothing() {
    let folder = Folder::new("untouched");
    let on = code().enabled(true).output_dir("new");
    let resolved = on.resolve([], folder.path()).unwrap();
    assert!(resolved.config.enabled && resolved.config.output_dir.is_absolute());
    assert!(resolved.warnings.is_empty());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_settings_file_is_read_only_if_it_is_named() {
    let folder = Folder::new("unnamed").with("memprof.toml", "interval = '1s'");
    let on = || code().enabled(true);
    let resolved = on().resolve([], folder.path()).unwrap();
    assert_eq!(resolved.config.interval, Config::default().interval);
    for resolved in [
        on().config_file("memprof.toml").resolve([], folder.path()),
        on().resolve(variables(&[(CONFIG, "memprof.toml")]), folder.path()),
    ] {
        assert_eq!(resolved.unwrap().config.interval, Duration::from_secs(1));
    }
}

/// Uses a pipe without a writer as the settings file.
#[cfg(unix)]
#[test]
fn a_pipe_named_as_the_file_is_a_warning_and_does_not_hang() {
    let folder = Folder::new("pipe");
    let pipe = folder.path().join("memprof.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there");
    assert!(made.success());
    let resolved = code().enabled(true).config_file(&pipe).resolve([], folder.path()).unwrap();
    let [warning] = &resolved.warnings[..] else { panic!("{:?}", resolved.warnings) };
    assert!(format!("{warning:?}").contains("it is not a regular file"), "{warning:?}");
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/session.md");
    let page = fs::read_to_string(path).expect("the page is there");
    let (_, settings) = page.split_once("\n## Settings\n").expect("it has the section");
    settings.to_owned()
}

#[test]
fn the_page_has_every_setting_with_its_default() {
    let page = page();
    let rows = page.lines().filter_map(|line| {
        let mut cells =
            line.strip_prefix("| `")?.split('|').map(|cell| cell.trim_matches([' ', '`']));
        Some((cells.next()?.to_owned(), cells.next()?.to_owned(), cells.next()?.to_owned()))
    });
    let rows: Vec<_> = rows.collect();
    let settings = SETTINGS.iter().map(|setting| (setting.key, setting.variable()));
    let named: Vec<_> = rows.iter().map(|(key, name, _)| (&key[..], name.clone())).collect();
    let file = ("config_file` (builder only)", CONFIG.to_owned());
    let expected: Vec<_> = settings.chain([file]).collect();
    assert_eq!(named, expected);
    let defaults = rows.iter().take(SETTINGS.len());
    let defaults: Vec<_> = defaults.map(|(_, name, value)| (&name[..], &value[..])).collect();
    let config = resolve(code(), &defaults, &Folder::new("page-defaults")).unwrap();
    // An interval that is set applies from the start. The page has the time of an optimized build.
    let walk_budget = Duration::from_millis(10);
    assert_eq!(config, Config { begins_dense: false, walk_budget, ..Config::default() });
}

#[test]
fn the_file_on_the_page_can_be_read() {
    let page = page();
    let (_, rest) = page.split_once("```toml\n").expect("it has an example");
    let (text, _) = rest.split_once("```").expect("the example ends");
    let folder = Folder::new("page-file").with("memprof.toml", text);
    let config = resolve(code(), &[], &folder).unwrap();
    assert!(config.output_dir.ends_with("profiles"), "{config:?}");
    assert!(SETTINGS.iter().skip(1).all(|setting| text.contains(setting.key)));
}

#[test]
fn the_messages_on_the_page_are_those_of_wrong_settings() {
    let page = page();
    let (_, rest) = page.split_once("```text\n").expect("it has messages");
    let (shown, _) = rest.split_once("```").expect("the messages end");
    let empty = Folder::new("page-messages");
    let file = "interval = \"1s\"\n\nlevel = \"all\"\n";
    let folder = Folder::new("page-wrong-file").with("memprof.toml", file);
    let wrong = [
        resolve(code(), &[("MEMPROF_INTERVAL", "5")], &empty),
        resolve(code(), &[], &folder),
        resolve(code().interval(Duration::ZERO), &[], &empty),
    ];
    let prefix = format!("{}/", folder.path().display());
    let messages = wrong.map(|wrong| format!("{:?}\n", wrong.unwrap_err()).replace(&prefix, ""));
    assert_eq!(messages.concat(), shown);
}

fn unlike_defaults() -> Config {
    Config {
        enabled: false,
        output_dir: "out".into(),
        interval: Duration::from_millis(1500),
        begins_dense: false,
        level: Level::Counters,
        walk_budget: Duration::from_micros(250),
        operation_events: 0,
        timeline_bytes: 3 << 20,
        signals: false,
        on_exit: false,
        wall_time: false,
    }
}

#[test]
fn each_source_can_say_everything() {
    let file = "\
        output_dir = 'out'\n interval = '1s 500ms'\n level = 'counters'\n\
        walk_budget = '250us'\n operation_events = 0\n timeline_bytes = '3 MiB'\n\
        signals = false\n on_exit = false\n wall_time = false\n\n";
    let folder = Folder::new("file").with("memprof.toml", file);
    assert_eq!(resolve(code(), &[], &folder).unwrap(), unlike_defaults());

    let environment = [
        ("MEMPROF", "off"),
        ("MEMPROF_OUTPUT_DIR", "out"),
        ("MEMPROF_INTERVAL", "1500ms"),
        ("MEMPROF_LEVEL", "counters"),
        ("MEMPROF_WALK_BUDGET", "250us"),
        ("MEMPROF_OPERATION_EVENTS", "0"),
        ("MEMPROF_TIMELINE_BYTES", "3 MiB"),
        ("MEMPROF_SIGNALS", "0"),
        ("MEMPROF_ON_EXIT", "false"),
        ("MEMPROF_WALL_TIME", "off"),
    ];
    let none = Folder::new("environment");
    assert_eq!(resolve(code(), &environment, &none).unwrap(), unlike_defaults());

    let builder = code()
        .enabled(false)
        .output_dir("out")
        .interval(Duration::from_millis(1500))
        .walk_budget(Duration::from_micros(250))
        .operation_events(0)
        .timeline_bytes(3 << 20)
        .signals(false)
        .on_exit(false)
        .wall_time(false);
    let builder = builder.level(Level::Counters);
    let level = Level::Counters;
    assert_eq!(resolve(builder, &[], &none).unwrap(), Config { level, ..unlike_defaults() });
}

#[test]
fn the_longest_and_the_shortest_are_taken() {
    let folder = Folder::new("limits");
    for (interval, walk_budget) in [("10ms", "100us"), ("1day", "10s"), ("24h", "10000ms")] {
        let environment = [("MEMPROF_INTERVAL", interval), ("MEMPROF_WALK_BUDGET", walk_budget)];
        resolve(code(), &environment, &folder).unwrap();
    }
    for bytes in ["1048576", "1 MiB", "18446744073709551615"] {
        let environment = [
            ("MEMPROF_TIMELINE_BYTES", bytes),
            ("MEMPROF_OPERATION_EVENTS", "18446744073709551615"),
        ];
        resolve(code(), &environment, &folder).unwrap();
    }
}

#[test]
fn the_error_for_a_wrong_variable_lists_its_accepted_values() {
    let folder = Folder::new("variables");
    let cases = [
        ("MEMPROF", "yes"),
        ("MEMPROF", ""),
        ("MEMPROF", "TRUE"),
        ("MEMPROF_OUTPUT_DIR", ""),
        ("MEMPROF_CONFIG", ""),
        ("MEMPROF_INTERVAL", "5"),
        ("MEMPROF_INTERVAL", "0s"),
        ("MEMPROF_INTERVAL", "-5s"),
        ("MEMPROF_INTERVAL", "9ms"),
        ("MEMPROF_INTERVAL", "25h"),
        ("MEMPROF_INTERVAL", "99999999999999999999y"),
        ("MEMPROF_WALK_BUDGET", "99us"),
        ("MEMPROF_WALK_BUDGET", "11s"),
        ("MEMPROF_LEVEL", "Sampled"),
        ("MEMPROF_OPERATION_EVENTS", "1e6"),
        ("MEMPROF_OPERATION_EVENTS", "-1"),
        ("MEMPROF_TIMELINE_BYTES", "64 Mib"),
        ("MEMPROF_TIMELINE_BYTES", "1 KiB"),
        ("MEMPROF_TIMELINE_BYTES", "16 EiB"),
        ("MEMPROF_SIGNALS", "\u{1b}[31m2"),
        ("MEMPROF_INTERVALL", "5s"),
        ("MEMPROF_", "1"),
    ];
    check(
        cases.map(|case| resolve(code(), &[case], &folder)),
        &folder,
        &expect![[r#"
            MEMPROF: expected one of 1, 0, true, false, on, off; found "yes"; correct the variable or unset it
            MEMPROF: expected one of 1, 0, true, false, on, off; found ""; correct the variable or unset it
            MEMPROF: expected one of 1, 0, true, false, on, off; found "TRUE"; correct the variable or unset it
            MEMPROF_OUTPUT_DIR: expected the path of a folder; found ""; correct the variable or unset it
            MEMPROF_CONFIG: expected the path of a TOML file; found ""; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "5"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "0s"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "-5s"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "9ms"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "25h"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "99999999999999999999y"; correct the variable or unset it
            MEMPROF_WALK_BUDGET: expected a time from 100us to 10s, such as 500ms or 5s; found "99us"; correct the variable or unset it
            MEMPROF_WALK_BUDGET: expected a time from 100us to 10s, such as 500ms or 5s; found "11s"; correct the variable or unset it
            MEMPROF_LEVEL: expected one of off, counters, sampled; found "Sampled"; correct the variable or unset it
            MEMPROF_OPERATION_EVENTS: expected an integer, 0 for none; found "1e6"; correct the variable or unset it
            MEMPROF_OPERATION_EVENTS: expected an integer, 0 for none; found "-1"; correct the variable or unset it
            MEMPROF_TIMELINE_BYTES: expected at least 1.0 MiB, such as 64MiB or 67108864; found "64 Mib"; correct the variable or unset it
            MEMPROF_TIMELINE_BYTES: expected at least 1.0 MiB, such as 64MiB or 67108864; found "1 KiB"; correct the variable or unset it
            MEMPROF_TIMELINE_BYTES: expected at least 1.0 MiB, such as 64MiB or 67108864; found "16 EiB"; correct the variable or unset it
            MEMPROF_SIGNALS: expected one of 1, 0, true, false, on, off; found "\u{1b}[31m2"; correct the variable or unset it
            MEMPROF_INTERVALL: unknown variable; expected one of MEMPROF, MEMPROF_OUTPUT_DIR, MEMPROF_INTERVAL, MEMPROF_LEVEL, MEMPROF_WALK_BUDGET, MEMPROF_OPERATION_EVENTS, MEMPROF_TIMELINE_BYTES, MEMPROF_SIGNALS, MEMPROF_ON_EXIT, MEMPROF_WALL_TIME, MEMPROF_CONFIG; correct the variable or unset it
            MEMPROF_: unknown variable; expected one of MEMPROF, MEMPROF_OUTPUT_DIR, MEMPROF_INTERVAL, MEMPROF_LEVEL, MEMPROF_WALK_BUDGET, MEMPROF_OPERATION_EVENTS, MEMPROF_TIMELINE_BYTES, MEMPROF_SIGNALS, MEMPROF_ON_EXIT, MEMPROF_WALL_TIME, MEMPROF_CONFIG; correct the variable or unset it
        "#]],
    );
    let long = "9".repeat(10_000);
    let error = resolve(code(), &[("MEMPROF_INTERVAL", &long)], &folder).unwrap_err();
    assert!(format!("{error:?}").len() < 300, "{error}");
}

#[test]
fn variables_of_others_are_left_alone() {
    let others = [
        ("MEMPROF_UPDATE", "1"),
        ("MEMPROF_RUN", "7-1"),
        ("MEMPROF_OPTIONS", "verbosity=1"),
        ("MEMPROFILE", "x"),
        ("memprof_interval", if cfg!(windows) { "5s" } else { "x" }),
        ("MEM", "x"),
        ("", "x"),
    ];
    let config = resolve(code(), &others, &Folder::new("others")).unwrap();
    assert_eq!(config, Config::default());
}

#[test]
fn the_first_error_is_the_same_in_any_order() {
    let folder = Folder::new("order");
    let [first, second] = [("MEMPROF_A", "1"), ("MEMPROF_B", "1")];
    let message = |pairs: &[_]| resolve(code(), pairs, &folder).unwrap_err().to_string();
    assert_eq!(message(&[first, second]), message(&[second, first]));
}

#[cfg(unix)]
#[test]
fn a_variable_need_not_be_utf_8_if_it_is_a_path() {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes = || OsString::from_vec(b"o\xffut".to_vec());
    let folder = Folder::new("bytes");
    let config =
        settle(code(), vec![("MEMPROF_OUTPUT_DIR".into(), bytes())], folder.path()).unwrap();
    assert_eq!(config.output_dir.as_os_str(), bytes());
    let cases = [
        ("MEMPROF".into(), bytes()),
        ("MEMPROF_INTERVAL".into(), bytes()),
        (OsString::from_vec(b"MEMPROF_\xff".to_vec()), "1".into()),
    ];
    check(
        cases.map(|case| settle(code(), vec![case], folder.path())),
        &folder,
        &expect![[r#"
            MEMPROF: expected one of 1, 0, true, false, on, off; found "o\xFFut"; correct the variable or unset it
            MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "o\xFFut"; correct the variable or unset it
            MEMPROF_�: unknown variable; expected one of MEMPROF, MEMPROF_OUTPUT_DIR, MEMPROF_INTERVAL, MEMPROF_LEVEL, MEMPROF_WALK_BUDGET, MEMPROF_OPERATION_EVENTS, MEMPROF_TIMELINE_BYTES, MEMPROF_SIGNALS, MEMPROF_ON_EXIT, MEMPROF_WALL_TIME, MEMPROF_CONFIG; correct the variable or unset it
        "#]],
    );
}

#[test]
fn the_error_for_a_wrong_line_lists_its_accepted_values() {
    let cases = [
        "enabled = 1",
        "enabled = 'on'",
        "\n\n  interval = 5",
        "# five\ninterval = '5'",
        "interval = '0s'",
        "interval = '-1s'",
        "interval = 1.5",
        "interval = ['1s']",
        "walk_budget = '1m'",
        "level = 'all'",
        "operation_events = -1",
        "operation_events = '5'",
        "operation_events = 99999999999999999999",
        "timeline_bytes = '64 Mib'",
        "timeline_bytes = 4096",
        "timeline_bytes = 0x1000",
        "output_dir = ''",
        "output_dir = 7",
        "output_dir = 1979-05-27",
        "signals = 'SIGTERM'",
        "intervall = '5s'",
        "interval = '5s'\nconfig_file = 'x'",
        "[session]\nenabled = true",
        "interval.seconds = 5",
        "\"a\\u001b[31m\" = 5",
        "enabled = true\nenabled = false",
        "enabled",
        "enabled = ",
        "= 1",
        "interval = '5s",
        "signals = 3\ninterval = 4",
    ];
    let folder = Folder::new("lines");
    let case = |text: &str| {
        fs::write(folder.path().join("memprof.toml"), text).unwrap();
        resolve(code(), &[], &folder)
    };
    check(
        cases.map(case),
        &folder,
        &expect![[r#"
            FOLDER/memprof.toml:1: enabled: expected MEMPROF=1 or `enabled(true)` instead of this key; found 1; correct the line or remove it
            FOLDER/memprof.toml:1: enabled: expected MEMPROF=1 or `enabled(true)` instead of this key; found 'on'; correct the line or remove it
            FOLDER/memprof.toml:3: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found 5; correct the line or remove it
            FOLDER/memprof.toml:2: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found '5'; correct the line or remove it
            FOLDER/memprof.toml:1: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found '0s'; correct the line or remove it
            FOLDER/memprof.toml:1: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found '-1s'; correct the line or remove it
            FOLDER/memprof.toml:1: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found 1.5; correct the line or remove it
            FOLDER/memprof.toml:1: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found ['1s']; correct the line or remove it
            FOLDER/memprof.toml:1: walk_budget: expected a time from 100us to 10s, such as "500ms" or "5s"; found '1m'; correct the line or remove it
            FOLDER/memprof.toml:1: level: expected one of "off", "counters", "sampled"; found 'all'; correct the line or remove it
            FOLDER/memprof.toml:1: operation_events: expected an integer, 0 for none; found -1; correct the line or remove it
            FOLDER/memprof.toml:1: operation_events: expected an integer, 0 for none; found '5'; correct the line or remove it
            FOLDER/memprof.toml:1: operation_events: expected an integer, 0 for none; found 99999999999999999999; correct the line or remove it
            FOLDER/memprof.toml:1: timeline_bytes: expected at least 1.0 MiB, such as "64MiB" or 67108864; found '64 Mib'; correct the line or remove it
            FOLDER/memprof.toml:1: timeline_bytes: expected at least 1.0 MiB, such as "64MiB" or 67108864; found 4096; correct the line or remove it
            FOLDER/memprof.toml:1: timeline_bytes: expected at least 1.0 MiB, such as "64MiB" or 67108864; found 0x1000; correct the line or remove it
            FOLDER/memprof.toml:1: output_dir: expected the path of a folder; found ''; correct the line or remove it
            FOLDER/memprof.toml:1: output_dir: expected the path of a folder; found 7; correct the line or remove it
            FOLDER/memprof.toml:1: output_dir: expected the path of a folder; found 1979-05-27; correct the line or remove it
            FOLDER/memprof.toml:1: signals: expected true or false; found 'SIGTERM'; correct the line or remove it
            FOLDER/memprof.toml:1: unknown key "intervall"; expected one of output_dir, interval, level, walk_budget, operation_events, timeline_bytes, signals, on_exit, wall_time; correct the line or remove it
            FOLDER/memprof.toml:2: unknown key "config_file"; expected one of output_dir, interval, level, walk_budget, operation_events, timeline_bytes, signals, on_exit, wall_time; correct the line or remove it
            FOLDER/memprof.toml:1: unknown key "session"; expected one of output_dir, interval, level, walk_budget, operation_events, timeline_bytes, signals, on_exit, wall_time; correct the line or remove it
            FOLDER/memprof.toml:1: interval: expected a time from 10ms to 1day, such as "500ms" or "5s"; found a table; correct the line or remove it
            FOLDER/memprof.toml:1: unknown key "a\u{1b}[31m"; expected one of output_dir, interval, level, walk_budget, operation_events, timeline_bytes, signals, on_exit, wall_time; correct the line or remove it
            FOLDER/memprof.toml:2: not TOML: duplicate key; correct the line or remove it
            FOLDER/memprof.toml:1: not TOML: key with no value, expected `=`; correct the line or remove it
            FOLDER/memprof.toml:1: not TOML: string values must be quoted, expected literal string; correct the line or remove it
            FOLDER/memprof.toml:1: not TOML: unquoted keys cannot be empty, expected letters, numbers, `-`, `_`; correct the line or remove it
            FOLDER/memprof.toml:1: not TOML: invalid literal string, expected `'`; correct the line or remove it
            FOLDER/memprof.toml:1: signals: expected true or false; found 3; correct the line or remove it
        "#]],
    );
    for hostile in ["[".repeat(100_000), format!("a = {}", "[".repeat(100_000)), "\0".repeat(9)] {
        let message = format!("{:?}", case(&hostile).unwrap_err());
        assert!(message.len() < 500, "{message}");
    }
    let long = format!("interval = '{}'", "é".repeat(10_000));
    assert!(format!("{:?}", case(&long).unwrap_err()).len() < 500);
}

#[test]
fn a_wrong_value_in_code_names_the_method() {
    let folder = Folder::new("methods");
    let cases = [
        code().interval(Duration::ZERO),
        code().interval(Duration::MAX),
        code().interval(Duration::from_nanos(9_999_999)),
        code().walk_budget(Duration::from_mins(1)),
        code().timeline_bytes(0),
        code().output_dir(""),
        code().config_file(""),
    ];
    check(
        cases.map(|code| resolve(code, &[], &folder)),
        &folder,
        &expect![[r#"
            interval(): expected a time from 10ms to 1day; found 0s; correct the call
            interval(): expected a time from 10ms to 1day; found 584542046090years 7months 15days 17h 5m 3s 999ms 999us 999ns; correct the call
            interval(): expected a time from 10ms to 1day; found 9ms 999us 999ns; correct the call
            walk_budget(): expected a time from 100us to 10s; found 1m; correct the call
            timeline_bytes(): expected at least 1.0 MiB; found 0 bytes; correct the call
            output_dir(): expected the path of a folder; found ""; correct the call
            config_file(): expected the path of a TOML file; found ""; correct the call
        "#]],
    );
}

#[test]
fn the_file_that_the_environment_names_is_read_instead() {
    let folder = Folder::new("named")
        .with("a.toml", "interval = '2s'")
        .with("b.toml", "\u{feff}interval = '3s'\r\n");
    let interval =
        |code, environment: &[_]| resolve(code, environment, &folder).unwrap().interval.as_secs();
    assert_eq!(interval(code().config_file("a.toml"), &[]), 2);
    assert_eq!(interval(code().config_file("a.toml"), &[("MEMPROF_CONFIG", "b.toml")]), 3);
    let absolute = folder.path().join("b.toml");
    assert_eq!(interval(code(), &[("MEMPROF_CONFIG", absolute.to_str().unwrap())]), 3);
}

#[test]
fn an_unreadable_file_is_named_with_its_origin() {
    let folder = Folder::new("unreadable")
        .with("binary.toml", [0xff, 0xfe])
        .with("large.toml", " ".repeat((1 << 20) + 1));
    let named = |name| resolve(code(), &[("MEMPROF_CONFIG", name)], &folder);
    let cases = [
        resolve(code().config_file("missing.toml"), &[], &folder),
        named("missing.toml"),
        named("binary.toml"),
        named("large.toml"),
    ];
    assert!(cases.iter().all(|case| case.as_ref().unwrap_err().source().is_some()));
    if cfg!(unix) {
        check(
            cases,
            &folder,
            &expect![[r#"
                config_file(): cannot read FOLDER/missing.toml; correct the call (No such file or directory (os error 2))
                MEMPROF_CONFIG: cannot read FOLDER/missing.toml; correct the variable or unset it (No such file or directory (os error 2))
                MEMPROF_CONFIG: cannot read FOLDER/binary.toml; correct the variable or unset it (stream did not contain valid UTF-8)
                MEMPROF_CONFIG: cannot read FOLDER/large.toml; correct the variable or unset it (it is larger than 1 MiB)
            "#]],
        );
    }
    fs::create_dir(folder.path().join("memprof.toml")).unwrap();
    assert!(resolve(code(), &[], &folder).is_err(), "a folder is not a file");
}

#[test]
fn an_unwritable_output_folder_is_reported_with_its_origin() {
    let folder = Folder::new("folders").with("memprof.toml", "\noutput_dir = 'in-file'");
    let none = Folder::new("no-folders");
    let on = || code().enabled(true);
    let file = folder.path().join("memprof.toml").into_os_string();
    let unwritable = |code: SessionBuilder, environment: Vec<(OsString, OsString)>| {
        let resolved = code.resolve(environment, folder.path()).unwrap();
        let (path, named_by) = (resolved.config.output_dir, resolved.folder_named_by);
        assert!(path.is_absolute());
        let full = io::Error::other("no room");
        Err::<(), _>(ConfigError::output_folder(named_by, &path, full))
    };
    let cases = [
        unwritable(on(), Vec::new()),
        unwritable(on().output_dir("in-code"), Vec::new()),
        unwritable(on().output_dir("in-code"), variables(&[("MEMPROF_OUTPUT_DIR", "named")])),
        unwritable(on(), vec![(CONFIG.into(), file)]),
    ];
    check(
        cases,
        &folder,
        &expect![[r#"
            output folder: cannot write to the folder FOLDER; it must be writable and have free space; set one with MEMPROF_OUTPUT_DIR (no room)
            output_dir(): cannot write to the folder FOLDER/in-code; it must be writable and have free space; correct the call (no room)
            MEMPROF_OUTPUT_DIR: cannot write to the folder FOLDER/named; it must be writable and have free space; correct the variable or unset it (no room)
            FOLDER/memprof.toml:2: output_dir: cannot write to the folder FOLDER/in-file; it must be writable and have free space; correct the line or remove it (no room)
        "#]],
    );
    // If there is no session, the folder stays as given.
    let off = code().output_dir("folder");
    assert_eq!(resolve(off, &[], &none).unwrap().output_dir, Path::new("folder"));
}
