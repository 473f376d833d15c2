//! The page of tests shows the messages of assertions that fail.

use memprof::testing::assert_profile;
use memprof::{MemoryProfile, assert_budget};
use std::panic::catch_unwind;

const PAGE: &str = include_str!("../../docs/testing.md");

fn assert_shown(message: &str) {
    let message = message.trim_end();
    assert!(PAGE.contains(&format!("```text\n{message}\n```")), "the page lacks\n{message}");
}

/// Returns the message of the panic.
fn panic_of(work: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = catch_unwind(work).expect_err("it panics");
    *payload.downcast::<String>().expect("a panic with a message")
}

#[test]
fn the_page_of_tests_shows_the_message_of_a_budget() {
    #[derive(MemoryProfile)]
    struct Model {
        matrix: Matrix,
        names: Vec<String>,
    }
    #[derive(MemoryProfile)]
    struct Matrix {
        values: Vec<f64>,
        col_idx: Vec<u32>,
    }
    let model = Model {
        matrix: Matrix { values: vec![0.0; 8192], col_idx: vec![0; 8192] },
        names: (0..100).map(|i| format!("row {i}")).collect(),
    };
    let message = panic_of(|| {
        assert_budget!(model, "64 KiB", "matrix;values" => "32 KiB", "matrix;cols" => "1 KiB");
    });
    assert_shown(&message);
}

#[test]
fn the_page_of_tests_shows_the_difference_from_a_stored_profile() {
    let matrix = (vec![0.0_f64; 5000], vec![0_u32; 4096]);
    let message = panic_of(|| assert_profile!(matrix, "tests/data/profiles/matrix.json"));
    assert_shown(&message);
}
