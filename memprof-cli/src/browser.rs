//! The user's browser.

use crate::failure::Failure;
use std::env;
use std::io;
use std::path::{Path, absolute};
use std::process::{Command, Stdio};

/// Opens a file in the browser, without waiting for it. The variable `BROWSER` replaces the
/// browser of the desktop. The variable has commands with `:` between them. In a command, `%s`
/// stands for the file.
pub(crate) fn open(path: &Path) -> Result<(), Failure> {
    let whole = absolute(path).unwrap_or_else(|_| path.into());
    let named = env::var("BROWSER").ok().filter(|named| !named.trim().is_empty());
    let opened = match named {
        Some(named) => open_with(&named, &whole),
        None => open::that_detached(&whole),
    };
    opened.map_err(|error| Failure::Browser(path.into(), error))
}

/// Opens a file with the first of these commands that can be run.
fn open_with(named: &str, path: &Path) -> io::Result<()> {
    let mut result = Err(io::ErrorKind::NotFound.into());
    // A path of Windows has a colon of its own.
    let separator = if cfg!(windows) { ';' } else { ':' };
    for line in named.split(separator) {
        let mut words = line.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        let mut is_named = false;
        for word in words {
            if word == "%s" {
                command.arg(path);
                is_named = true;
            } else {
                command.arg(word);
            }
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
