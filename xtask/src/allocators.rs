//! `cargo xtask allocators`: memprof around jemalloc, mimalloc and the system's allocator.

use crate::Failure;

/// Tests memprof around each allocator that compiles on this machine.
pub(crate) fn run() -> Result<(), Failure> {
    let mut failed = Vec::new();
    for (allocator, features) in
        [("system", ""), ("mimalloc", "mimalloc"), ("jemalloc", "jemalloc")]
    {
        let passed = crate::cargo()
            .args(["test", "--package", "memprof-allocators", "--features", features])
            .args(["--test", allocator])
            .status()?
            .success();
        println!("{allocator}: {}", if passed { "exact" } else { "FAILED" });
        if !passed {
            failed.push(allocator);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join(" ").into()) }
}
