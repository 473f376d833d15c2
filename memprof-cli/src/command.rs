//! The commands. Each reads its input, calls the library and prints the result. A file has the commands
//! for one kind of input, with their arguments.

pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod gpu;
pub(crate) mod html;
pub(crate) mod info;
pub(crate) mod manual;
pub(crate) mod profile;
pub(crate) mod recording;
pub(crate) mod run;
