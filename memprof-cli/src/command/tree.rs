//! `memprof tree`: the bytes by name, largest first.

use crate::arguments::TreeArguments;
use crate::failure::Failure;
use crate::paint::Paint;
use crate::{input, output, terminal};

pub(crate) fn run(arguments: &TreeArguments) -> Result<(), Failure> {
    let profile = input::profile(&arguments.file.source, arguments.root.name())?;
    if arguments.printing.json {
        // The reading program selects parts of the JSON itself.
        return Ok(output::print(|out| Ok(profile.write_json(out)?))?);
    }
    let mut tree = profile
        .tree()
        .units(arguments.printing.units.into())
        .width(arguments.width.unwrap_or_else(terminal::width))
        .min_share(arguments.min_share);
    if let Some(levels) = arguments.depth {
        tree = tree.depth(levels);
    }
    if let Some(lines) = arguments.widest {
        tree = tree.widest(lines);
    }
    if arguments.detailed {
        tree = tree.detailed();
    }
    let paint = Paint::new(arguments.printing.color);
    let text = paint.text(&tree.styled());
    Ok(output::print(|out| Ok(writeln!(out, "{text}")?))?)
}
