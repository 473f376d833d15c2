//! Tests that the scripts of `memprof completions` complete in the shells that are installed.

use crate::memprof::{file, folder, run};
use std::process::Command;

fn script(shell: &str) -> String {
    run(&["completions", shell]).well()
}

/// Runs a script in a shell, and returns what it printed. Returns `None` if the shell is not
/// installed.
fn printed(shell: &str, arguments: &[&str]) -> Option<String> {
    let Ok(output) = Command::new(shell).args(arguments).output() else {
        memprof_test_support::skip(&format!("{shell} is not installed"));
        return None;
    };
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && error.is_empty(), "{shell}: {error}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn bash_completes_commands_options_and_values() {
    let path = file(&folder("bash"), "memprof.bash", script("bash"));
    for (line, expected) in [
        ("memprof r", "report run"),
        ("memprof diff --fail", "--fail-if-grows"),
        ("memprof export --to pprof-", "pprof-operations pprof-sites"),
        ("memprof run --level s", "sampled"),
    ] {
        let words: Vec<_> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let (last, words) = (words.len() - 1, words.join(" "));
        let code = format!(
            "source '{path}'; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _memprof memprof \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last}-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\" | sort | paste -sd' '"
        );
        let Some(printed) = printed("bash", &["--norc", "-c", &code]) else { return };
        assert_eq!(printed.trim_end(), expected, "{line}");
    }
}

#[test]
fn zsh_accepts_its_script() {
    let path = file(&folder("zsh"), "_memprof", script("zsh"));
    printed("zsh", &["--no-rcs", "-n", &path]);
}

#[test]
fn fish_completes_commands() {
    let path = file(&folder("fish"), "memprof.fish", script("fish"));
    let code = format!("source '{path}'; complete --do-complete 'memprof le'");
    let Some(printed) = printed("fish", &["--no-config", "-c", &code]) else { return };
    assert!(printed.starts_with("leaks\t"), "{printed}");
}

#[test]
fn each_shell_has_a_script() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(script(shell).contains("fail-if-grows"), "{shell}");
    }
}
