//! What wrong uses look like: `tests/ui/<category>/<mistake>.rs`, each with what the compiler says.

#[test]
fn wrong_uses_are_errors_that_say_what_to_write() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}
