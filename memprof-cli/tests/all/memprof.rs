//! Functions that run the built binary.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("memprof prints UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// Returns the output of a run that succeeded without messages.
    pub(crate) fn well(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        self.out
    }
}

/// Returns the command without environment variables that change its output.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memprof"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
    command.env("TERM", "xterm");
    command
}

pub(crate) fn run(arguments: &[&str]) -> Ran {
    command(arguments).stdin(Stdio::null()).output().expect("memprof runs").into()
}

/// Runs the command with this input on standard input.
pub(crate) fn feed(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("memprof runs");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    let input = input.to_vec();
    // The command may reject the input before it has read all of it.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("memprof ends");
    writer.join().expect("the writer ends");
    output.into()
}

/// Returns an empty folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Writes a file to a folder and returns its path as an argument.
pub(crate) fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("the folder is writable");
    path.to_str().expect("its name is UTF-8").to_owned()
}
