//! The checks that take longer than a test: `cargo xtask NAME`.
fn main() {}
