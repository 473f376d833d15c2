//! A child process that receives the signals or the console events of this process.

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub(super) use unix::run;

/// The console sends Ctrl-C to the command too, so this process only has to outlive it.
#[cfg(windows)]
pub(super) fn run(
    command: &mut std::process::Command,
) -> std::io::Result<std::process::ExitStatus> {
    ctrlc::set_handler(|| {}).map_err(std::io::Error::other)?;
    command.spawn()?.wait()
}
