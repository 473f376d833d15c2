//! The panic of `assert_exact!`. Its text begins with the expression, and its location is in the
//! caller.

use expect_test::expect;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, assert_exact};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A value that owns more than it reports.
struct Quiet(String);

impl MemoryProfile for Quiet {
    fn owned<'a>(&'a self, _walk: &mut Walk<'a>, _at: Position) {
        assert!(!self.0.is_empty());
    }
}

/// Returns the text of the panic.
fn panic_of(work: impl FnOnce()) -> String {
    crate::without_backtraces();
    let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it panics");
    *payload.downcast::<String>().expect("a panic with a message")
}

#[test]
fn the_expression_comes_first() {
    let text = panic_of(|| assert_exact!(Quiet("two".repeat(2))));
    expect![[r#"
        assert_exact!(Quiet("two".repeat(2))): the profile and the allocator disagree
        type        asserts::panics::Quiet
        profile     24 B
        allocator   30 B = 24 B of the value itself + 6 B allocated (1) - 0 B freed (0)
        difference  −6 B

        Quiet  24 B  100.0 %
        exact

        6 B are not in the profile. Common causes:
        - a hand-written impl leaves out a field, or uses a length instead of a capacity
        - the expression also allocates for something else: a cache, a static, a first use"#]]
    .assert_eq(&text);
}

#[test]
fn a_long_expression_is_cut() {
    let text = panic_of(|| {
        assert_exact!({
            let first = "a line of the expression";
            let second = "another line of the expression, which is longer";
            let third = "and a third one, after which nobody reads on";
            Quiet([first, second, third].concat())
        });
    });
    let first_line = text.lines().next().unwrap_or_default();
    expect![[r#"assert_exact!({ let first = "a line of the expression…): the profile and the allocator disagree"#]].assert_eq(first_line);
}

#[test]
#[should_panic(expected = "the profile and the allocator disagree")]
fn a_failure_panics() {
    crate::without_backtraces();
    assert_exact!(Quiet("one".to_owned()));
}
