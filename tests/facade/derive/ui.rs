//! Compiler errors for incorrect uses: each `tests/data/ui/<category>/<mistake>.rs` has its expected
//! output.

#[test]
fn wrong_uses_are_errors_with_a_correction() {
    trybuild::TestCases::new().compile_fail("tests/data/ui/*/*.rs");
}
