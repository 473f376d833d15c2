//! The messages for values that a profile can't read completely.

use crate::message;
use expect_test::expect;
use memprof::heap::exact::{ExactError, check_exact};
use memprof::{MemoryProfile, assert_exact};
use std::io::LineWriter;

#[derive(MemoryProfile)]
#[expect(dead_code, reason = "is only measured")]
struct Job {
    name: String,
    work: Box<dyn Fn() -> u64>,
    #[profile(skip)]
    scratch: Vec<u8>,
}

#[test]
fn opaque_values_are_named() {
    let make = || {
        let captured = [7_u64; 5];
        Job { name: "job".into(), work: Box::new(move || captured[0]), scratch: vec![0; 100] }
    };
    let error = check_exact(make).expect_err("it is opaque");
    assert!(matches!(error, ExactError::NotExact(_)));
    expect![[r#"
        the profile is not exact; its last line states the reason
        type        asserts::inexact::Job
        profile      107 B
        allocator    207 B = 64 B of the value itself + 143 B allocated (3) - 0 B freed (0)
        difference  −100 B

        Job         ≥ 107 B  100.0 %
        ├─ work      ≥ 56 B   52.3 %   foreign
        ├─ name        27 B   25.2 %
        └─ scratch   ≥ 24 B   22.4 %   skipped
        not exact: 1 foreign, 1 skipped · 2 allocations"#]]
    .assert_eq(&error.to_string());
}

#[test]
fn estimated_values_are_named() {
    // The estimate happens to be right, but it is still an estimate.
    expect![[r#"
        the profile is not exact; its last line states the reason
        type        std::io::buffered::linewriter::LineWriter<alloc::vec::Vec<u8>>
        profile     1,080 B
        allocator   1,080 B = 56 B of the value itself + 1,024 B allocated (1) - 0 B freed (0)
        difference      0 B

        LineWriter  1,080 B  100.0 %   1,024 B spare, 1,024 B estimated
        not exact: 1 estimated (1,024 B) · 1 allocation · 1,024 B spare (94.8 %)"#]]
    .assert_eq(&message(|| LineWriter::new(Vec::<u8>::new())));
}

#[test]
fn a_reference_is_refused() {
    let numbers = vec![1_u32, 2, 3];
    expect!["`&alloc::vec::Vec<u32>` is a reference and owns nothing; pass the value itself, for example `value.clone()`"].assert_eq(&message(|| &numbers));
    assert_exact!(numbers.clone());
}
