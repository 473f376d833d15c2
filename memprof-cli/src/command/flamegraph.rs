//! `memprof flamegraph`: an SVG for a browser, of one profile or of the changes between two.

use crate::arguments::FlamegraphArguments;
use crate::command::diff;
use crate::failure::Failure;
use crate::input::Source;
use crate::{input, output};
use memprof_profile::Profile;
use std::error::Error;
use std::io::Write;

pub(crate) fn run(arguments: &FlamegraphArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    output::check_terminal(target)?;
    let (file, root) = (&arguments.file.source, arguments.root.name());
    let Some(source) = &arguments.before else {
        let profile = input::profile(file, root)?;
        return Ok(output::write(target, force, |out| draw(&profile, out))?);
    };
    let (before, after) = diff::read(source, file, root)?;
    // Users share these pictures, so folder names are left out unless the file names are equal.
    let short = [source, file].map(Source::file_name);
    let whole = [source, file].map(ToString::to_string);
    let [was, is] = if short[0] == short[1] { whole } else { short };
    let picture = after.to_flamegraph_since(&before, [&was, &is]);
    Ok(output::write(target, force, |out| Ok(out.write_all(picture?.as_bytes())?))?)
}

pub(crate) fn draw(profile: &Profile, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    Ok(out.write_all(profile.to_flamegraph()?.as_bytes())?)
}
