//! `memprof man`: the manual pages, as roff.

use crate::arguments::{Arguments, ManArguments};
use crate::failure::Failure;
use crate::output::{self, OutputError, Target};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::fs;
use std::path::Path;

pub(crate) fn run(arguments: &ManArguments) -> Result<(), Failure> {
    let mut memprof = Arguments::command().disable_help_subcommand(true);
    // `build` gives each subcommand its full name, which is also the name of its page.
    memprof.build();
    match &arguments.output_dir {
        None => Ok(output::print(|out| Ok(Man::new(memprof).render(out)?))?),
        Some(folder) => {
            let target = Target::File(folder.clone());
            fs::create_dir_all(folder).map_err(|error| OutputError::opening(&target, error))?;
            write_all(&memprof, folder, arguments.force)
        }
    }
}

fn write_all(command: &Command, folder: &Path, force: bool) -> Result<(), Failure> {
    let page = Man::new(command.clone());
    let target = Target::File(folder.join(page.get_filename()));
    output::write(&target, force, |out| Ok(page.render(out)?))?;
    let inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    inner.into_iter().try_for_each(|inner| write_all(inner, folder, force))
}
