//! The user's browser.

use crate::failure::Failure;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, absolute};
use std::process::{Command, Stdio};

/// `BROWSER` replaces the browser of the desktop. It lists commands, separated by `:`, or by `;` on
/// Windows; in each, the path of the file replaces `%s`.
pub(crate) fn open(path: &Path) -> Result<(), Failure> {
    let whole = absolute(path).unwrap_or_else(|_| path.into());
    let named = env::var("BROWSER").ok().filter(|named| !named.trim().is_empty());
    let opened = match named {
        Some(named) => open_with(&named, &whole),
        None => open::that_detached(&whole),
    };
    opened.map_err(|error| Failure::Browser(path.into(), error))
}

fn with_path(word: &str, path: &Path) -> OsString {
    let mut parts = word.split("%s");
    let mut whole = OsString::from(parts.next().unwrap_or_default());
    for part in parts {
        whole.push(path);
        whole.push(part);
    }
    whole
}

/// Opens a file with the first of these commands that can be run.
fn open_with(named: &str, path: &Path) -> io::Result<()> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    // Paths on Windows contain colons.
    let separator = if cfg!(windows) { ';' } else { ':' };
    for line in named.split(separator) {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        let mut is_named = false;
        for word in words {
            is_named |= word.contains("%s");
            command.arg(with_path(word, path));
        }
        if !is_named {
            command.arg(path);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C for this command must not close the browser.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        result = command.spawn().map(drop);
        if result.is_ok() {
            break;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::with_path;
    use std::path::Path;

    #[test]
    fn the_path_replaces_percent_s_anywhere_in_a_word() {
        let path = Path::new("/a b/page.html");
        for (word, expected) in [
            ("%s", "/a b/page.html"),
            ("--app=file://%s", "--app=file:///a b/page.html"),
            ("%s#%s", "/a b/page.html#/a b/page.html"),
            ("--new", "--new"),
        ] {
            assert_eq!(with_path(word, path), expected);
        }
    }
}
