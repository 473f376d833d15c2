//! `memprof symbolize`: a recording with the names of its addresses.

use crate::arguments::SymbolizeArguments;
use crate::failure::Failure;
use crate::{input, output};
use memprof_recording::Symbolized;

pub(crate) fn run(arguments: &SymbolizeArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let source = &arguments.file.source;
    let Symbolized { text, named, missing, .. } =
        input::symbolized(source, &arguments.symbols.search()?)?;
    if named == 0 && !missing.is_empty() {
        return Err(Failure::Check(vec![format!("{source}: no names found; nothing was written")]));
    }
    Ok(output::write(target, force, |out| Ok(out.write_all(text.as_bytes())?))?)
}
