//! Prints the cost of a unit, by operation, type, size and device.

fn main() -> std::process::ExitCode {
    memprof_wrapper_benches::program::program(std::env::args().skip(1))
}
