//! `memprof export --to speedscope`: a session or a profile as speedscope's JSON.

use crate::arguments::ExportArguments;
use crate::failure::Failure;
use crate::input::Content;
use crate::{input, output};
use memprof_export::speedscope;

pub(super) fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let source = &arguments.file.source;
    if let Some(root) = arguments.root.name() {
        let profile = input::profile(source, Some(root))?;
        return Ok(output::write(target, force, |out| {
            Ok(speedscope::write_profile(&profile, out)?)
        })?);
    }
    let mut input = input::read(source)?;
    if let Content::Recording(recording) = &mut input.content {
        input::name(recording, &arguments.symbols.search()?);
    }
    let snapshot = match &input.content {
        Content::Profile(..) => None,
        // A session without a snapshot can still have calls.
        Content::Recording(recording) => {
            input.named_snapshot(recording)?.or(recording.snapshots.last())
        }
    };
    output::write(target, force, |out| match &input.content {
        Content::Profile(profile, _) => Ok(speedscope::write_profile(profile, out)?),
        Content::Recording(recording) => {
            input.print_missing(recording, snapshot);
            Ok(speedscope::write(recording, snapshot, out)?)
        }
    })
    .map_err(|error| Failure::exporting(source, error))
}
