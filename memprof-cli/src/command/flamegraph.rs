//! `memprof flamegraph`: an SVG for a browser.

use crate::arguments::FlamegraphArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_core::Profile;
use std::error::Error;
use std::io::Write;

pub(crate) fn run(arguments: &FlamegraphArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    output::check_drawing(target)?;
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    Ok(output::write(target, force, |out| draw(&profile, out))?)
}

pub(crate) fn draw(profile: &Profile, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    Ok(out.write_all(profile.to_flamegraph()?.as_bytes())?)
}
