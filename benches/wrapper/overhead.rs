//! Prints the cost of a unit: `cargo bench -p memprof-wrapper-benches -- --device cpu`.

use memprof_wrapper_benches::program::program;

fn main() -> std::process::ExitCode {
    let output = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/wrapper");
    let mut arguments = vec!["--output".to_owned(), output.to_owned()];
    arguments.extend(std::env::args().skip(1));
    // `cargo test --all-targets` runs this too, without `--bench`.
    if !arguments.iter().any(|argument| argument == "--bench") {
        arguments.push("--effort=quick".to_owned());
    }
    program(arguments)
}
