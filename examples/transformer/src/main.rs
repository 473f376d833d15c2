//! A transformer whose memory is foretold by formula, measured, and set side by side:
//! `cargo run --release --package memprof-transformer --features candle`.
//!
//! Weights and KV cache are profiled by the model's own names; activations are registered while
//! they live. Where both sides don't agree byte for byte, the program says so and fails.

#![expect(clippy::cast_precision_loss, reason = "sizes and places are far below 2⁵²")]

mod arguments;
mod device;
mod expected;
mod generate;
mod measured;
mod model;
mod parts;
mod report;
mod room;
mod run;
mod shape;
#[cfg(test)]
mod tests;

use arguments::{Arguments, Asked};
use std::process::ExitCode;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> ExitCode {
    let arguments = match Arguments::parse(std::env::args_os().skip(1)) {
        Ok(Asked::Run(arguments)) => arguments,
        Ok(Asked::Help) => {
            println!("{}", arguments::HELP);
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("transformer: {message}");
            return ExitCode::from(2);
        }
    };
    if arguments.dry_run {
        println!("{}", report::foretold(&arguments));
        return ExitCode::SUCCESS;
    }
    match run::run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Its first line: candle's errors may have a backtrace below.
            let text = error.to_string();
            eprintln!("transformer: {}", text.lines().next().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}
