//! `memprof symbolize`: a recording with the names of its addresses.

use crate::arguments::SymbolizeArguments;
use crate::failure::Failure;
use crate::{input, output};

pub(crate) fn run(arguments: &SymbolizeArguments) -> Result<(), Failure> {
    let (target, force) = (&arguments.output.target, arguments.output.force);
    let named = input::symbolized(&arguments.file.source, &arguments.symbols.search())?;
    Ok(output::write(target, force, |out| Ok(out.write_all(named.as_bytes())?))?)
}
