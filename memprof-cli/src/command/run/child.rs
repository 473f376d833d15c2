//! A child process that receives the signals or the console events of this process.

#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub(super) use unix::{run, signal_name};

/// The console sends Ctrl-C to the command too, so this process only has to outlive it.
#[cfg(windows)]
pub(super) fn run(
    command: &mut std::process::Command,
) -> std::io::Result<(u32, std::process::ExitStatus)> {
    ctrlc::set_handler(|| {}).map_err(std::io::Error::other)?;
    let mut child = command.spawn()?;
    Ok((child.id(), child.wait()?))
}

#[cfg(windows)]
pub(super) fn signal_name(signal: i32) -> String {
    format!("signal {signal}")
}
