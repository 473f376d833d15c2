//! Tests that run the command `memprof` as a user does.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

mod bad_input;
mod cargo_memprof;
mod checks;
mod colors;
mod completions;
mod exports;
mod golden;
mod gpu;
mod help;
mod hostile_names;
mod html;
mod manual;
mod memprof;
mod overwriting;
mod pages;
mod pipes;
mod recordings;
#[cfg(unix)]
mod run;
mod runs;
mod samples;
mod served;
mod sessions;
mod source_index;
mod suspects;
