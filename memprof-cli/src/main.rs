//! The program `memprof`.

#[cfg(target_os = "linux")]
mod sigpipe;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if sigpipe::was_ignored() {
        memprof_cli::ignore_sigpipe_in_programs();
    }
    memprof_cli::main_with(std::env::args_os())
}
