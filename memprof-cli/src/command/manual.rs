//! The help outside of the command line: `memprof man` prints manual pages as roff, and
//! `memprof completions` a script that completes arguments in a shell.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output::{self, Target};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::path::{Path, PathBuf};

const MAN_EXAMPLES: &str = "\
Examples:
  memprof man
  memprof man --output-dir /usr/local/share/man/man1

To read the page now: memprof man | man -l -";

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct ManArguments {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    output_dir: Option<PathBuf>,
    /// Overwrite existing pages
    #[arg(long, requires = "output_dir")]
    force: bool,
}

pub(crate) fn man(arguments: &ManArguments) -> Result<(), Failure> {
    let mut memprof = Arguments::command().disable_help_subcommand(true);
    // `build` gives each subcommand its full name, which is also the name of its page.
    memprof.build();
    let Some(folder) = &arguments.output_dir else {
        return output::print(|out| Ok(Man::new(memprof).render(out)?));
    };
    let target = Target::File(folder.clone());
    fs::create_dir_all(folder).map_err(|error| output::opening(&target, &error))?;
    write_all(&memprof, folder, arguments.force)
}

fn write_all(command: &Command, folder: &Path, force: bool) -> Result<(), Failure> {
    let page = Man::new(command.clone());
    let target = Target::File(folder.join(page.get_filename()));
    output::write(&target, force, |out| Ok(page.render(out)?))?;
    let mut inner = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    inner.try_for_each(|inner| write_all(inner, folder, force))
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  memprof completions bash
  memprof completions zsh

To install the script:
  bash  memprof completions bash > ~/.local/share/bash-completion/completions/memprof
  zsh   memprof completions zsh > ~/.zfunc/_memprof, with ~/.zfunc in `fpath`
  fish  memprof completions fish > ~/.config/fish/completions/memprof.fish";

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct CompletionsArguments {
    /// The shell for which to write the script
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "memprof", &mut script);
    output::print(|out| Ok(out.write_all(&script)?))
}
