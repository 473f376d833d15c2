//! Tests of readers that close the output early: `memprof tree FILE | head`.

use crate::memprof::{command, file, folder};
use std::fmt::Write;
use std::io::Read;
use std::process::Stdio;

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let mut stacks = String::new();
    for index in 0..50_000 {
        writeln!(stacks, "root;a_branch_with_a_long_name_{index:06} {}", index + 1).unwrap();
    }
    let folder = folder("pipes");
    let (path, other) =
        (file(&folder, "long.folded", stacks), file(&folder, "other.folded", "root 1\n"));
    let commands: [&[&str]; 8] = [
        &["tree", "--min-share", "0", "--widest", "50000", &path],
        &["tree", "--json", &path],
        &["top", "-n", "50000", &path],
        &["top", "-n", "50000", "--json", &path],
        &["diff", "--json", &path, &other],
        &["export", "--to", "folded", &path],
        &["export", "--to", "yaml", &path],
        &["export", "--to", "json", &path],
    ];
    for arguments in commands {
        let mut child =
            command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}
