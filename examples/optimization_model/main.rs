//! Reads an optimisation model, profiles and draws it, and explains what dominates its memory.
//!
//! ```console
//! $ cargo run --release --example optimization_model [FILE] [--out DIR]
//! ```

mod matrix;
mod model;
mod mps;

mod arguments;
mod drawings;
mod explain;

use arguments::{Arguments, USAGE};
use memprof::Profile;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// The model that is profiled if the command line names no file.
const DEFAULT_MODEL: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/examples/optimization_model/data/25fv47.mps");

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", one_line(&*error));
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let report = match Arguments::parse(std::env::args_os().skip(1))? {
        Some(arguments) => report(&arguments)?,
        None => USAGE.to_owned(),
    };
    match io::stdout().write_all(report.as_bytes()) {
        // The reader may close the pipe early, as `head` does.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn report(arguments: &Arguments) -> Result<String, Box<dyn Error>> {
    let mut model = mps::read(&arguments.model)?;
    let profile = Profile::named("model", &model);
    let drawings = drawings::write(&profile, &arguments.out)?;

    model.shrink_to_fit();
    let shrunk = Profile::named("model", &model);

    let sentences = explain::sentences(&profile, &shrunk).join("\n");
    Ok(format!("{model}\n\n{profile}\n\n{sentences}\n\n{drawings}\n"))
}

/// Formats an error and its causes on one line, even if a file's name contains a line break.
fn one_line(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line = format!("{line}: {error}");
        cause = error.source();
    }
    line.replace(char::is_control, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::{Arguments, DEFAULT_MODEL, report};

    #[test]
    fn the_default_model_is_profiled_and_drawn() {
        let out = std::env::temp_dir().join(format!("memprof-model-{}", std::process::id()));
        let report = report(&Arguments { model: DEFAULT_MODEL.into(), out: out.clone() });
        let drawn = std::fs::read_dir(&out).map_or(0, Iterator::count);
        let _ = std::fs::remove_dir_all(&out);
        let report = report.expect("the model is read");
        assert!(report.starts_with("25FV47: 1571 variables"), "{report}");
        assert!(drawn > 1, "{report}");
    }
}
