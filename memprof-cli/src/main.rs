//! The program `memprof`.

use std::process::ExitCode;

fn main() -> ExitCode {
    memprof_cli::main_with(std::env::args_os())
}
