//! `cargo xtask third-party` and `cargo xtask candle`: the types of other crates, compared with a
//! counting allocator.

use crate::features::{feature_names, is_of_a_crate};
use crate::{Failure, workspace};

/// The package that contains these tests.
const PACKAGE: &str = "memprof-third-party";

/// The feature that turns on all crates of the tests except candle.
const ALL: &str = "memprof-third-party/all";

/// Features of `serde_json` that any crate of a build may turn on, and that change how JSON is
/// stored.
const JSON: &str = "all,serde_json/preserve_order,serde_json/arbitrary_precision";

/// Tests every crate except candle, and JSON in each of its forms.
pub(crate) fn run() -> Result<(), Failure> {
    let missing = untested()?;
    if !missing.is_empty() {
        return Err(
            format!("tests/packages/third_party/Cargo.toml lacks {}", missing.join(" ")).into()
        );
    }
    // The unit tests of memprof-core run with the same features too, because features change the
    // words that core reads from values of other crates.
    test(&["--package", "memprof-core", "--features", ALL, "--lib", "--test", "third_party"])?;
    test(&["--features", JSON, "--test", "third_party", "--", "serde_json1", "keyed"])?;
    let others = ["tracing_subscriber03", "other_crates", "weigh"];
    let others: Vec<&str> = others.iter().flat_map(|name| ["--test", name]).collect();
    test(&[["--features", "all"].as_slice(), &others].concat())?;
    println!("the bytes of other crates' types equal the allocator's, or are marked as inexact");
    Ok(())
}

/// Tests candle, whose dependencies compile for minutes.
pub(crate) fn candle() -> Result<(), Failure> {
    let features = "memprof-third-party/candle";
    test(&["--package", "memprof-core", "--features", features, "--lib", "--test", "candle"])?;
    println!("the bytes of tensors equal the allocator's, and are marked as inexact");
    Ok(())
}

fn test(arguments: &[&str]) -> Result<(), Failure> {
    let passed =
        crate::cargo().args(["test", "--package", PACKAGE]).args(arguments).status()?.success();
    if passed { Ok(()) } else { Err(format!("{PACKAGE} {} failed", arguments.join(" ")).into()) }
}

/// Returns the features for other crates that the tests do not turn on.
fn untested() -> Result<Vec<String>, Failure> {
    let facade = std::fs::read_to_string(workspace().join("Cargo.toml"))?;
    let tests = std::fs::read_to_string(workspace().join("tests/packages/third_party/Cargo.toml"))?;
    let named = feature_names(&facade).into_iter().filter(|name| is_of_a_crate(name));
    Ok(named.filter(|name| !tests.contains(&format!("\"memprof/{name}\""))).collect())
}
