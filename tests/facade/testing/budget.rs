//! `assert_budget!`: values, references and profiles, numbers and texts.

use super::panic_of;
use expect_test::expect;
use memprof::testing::Budget;
use memprof::{MemoryProfile, Profile, assert_budget};
use std::sync::{Arc, Mutex};

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

fn model() -> Model {
    Model {
        matrix: Matrix { values: vec![0.0; 8192], col_idx: vec![0; 8192] },
        names: vec![String::from("row"); 100],
    }
}

#[test]
fn any_profiled_value_is_compared_with_any_amount() {
    let model = model();
    assert_budget!(model, "128 KiB");
    assert_budget!(&model, "128 KiB", "matrix;values" => "65 KiB", "names" => 4096,);
    assert_budget!(Profile::of(&model), 1 << 17, "" => 1_u64 << 17, "matrix" => 100_000_usize);
    let (text, budget) = (String::from("65 KiB"), Budget::of_bytes(65 << 10));
    assert_budget!(model.matrix.values, &text);
    assert_budget!(model.matrix.values[..10], budget);
    assert_budget!(vec![0_u8; 100], "124 B");
    assert_budget!(Arc::new(Mutex::new(model)), "128 KiB");
    let erased: &dyn MemoryProfile = &vec![0_u8; 100];
    assert_budget!(erased, 124_u32);
}

#[test]
fn a_budget_applies_to_the_target_of_a_reference() {
    fn check(model: &Model) {
        let text = panic_of(|| assert_budget!(model, "1 KiB"));
        assert!(text.starts_with("assert_budget!(model): Model is over budget\n"), "{text}");
        let text = panic_of(|| assert_budget!(&model, "1 MiB"));
        expect!["assert_budget!(&model): `&facade::testing::budget::Model` is a reference and owns nothing; pass `*model`"].assert_eq(&text);
    }
    check(&model());
    let mut model = model();
    let text = panic_of(|| assert_budget!(&mut model, "1 MiB"));
    assert!(text.contains("is a reference and owns nothing; pass `*model`"), "{text}");
}

#[test]
fn an_exceeded_budget_is_reported_with_the_tree() {
    let model = model();
    let text = panic_of(|| {
        assert_budget!(
            model,
            "64 KiB",
            "matrix;values" => "32 KiB",
            "names" => "1 MiB",
            "matrix;cols" => "32 KiB",
        );
    });
    expect![[r#"
        assert_budget!(model): Model is over budget. One path does not exist.
        total          98.7 KiB  of 64.0 KiB  +34.7 KiB   +54.2 %
        matrix;values  64.0 KiB  of 32.0 KiB  +32.0 KiB  +100.1 %
        no path "matrix;cols" in Model; "matrix" has "values", "col_idx"

        Model          98.7 KiB  100.0 %
        ├─ matrix      96.0 KiB   97.3 %
        │  ├─ values   64.0 KiB   64.9 %   8,192 values
        │  └─ col_idx  32.0 KiB   32.4 %   8,192 values
        └─ names        2.7 KiB    2.7 %   100 values, 101 allocations
        exact · 103 allocations"#]]
    .assert_eq(&text);
}

#[test]
fn an_invalid_budget_is_reported() {
    let names: Vec<String> = Vec::new();
    expect![[r#"assert_budget!(names): "64 Mib" is not an amount of memory: unknown unit "Mib", did you mean "MiB"?"#]].assert_eq(&panic_of(|| assert_budget!(names, "64 Mib")));
    expect![[
        r#"assert_budget!(names): "-1" is not an amount of memory: expected at least 0 bytes"#
    ]]
    .assert_eq(&panic_of(|| assert_budget!(names, -1)));
    expect![[r#"assert_budget!(names): "a lot" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B""#]].assert_eq(&panic_of(|| assert_budget!(names, "1 MiB", "" => "a lot")));
}

#[test]
fn a_long_expression_is_cut() {
    let text = panic_of(|| {
        assert_budget!(
            {
                let first = "a line of the expression";
                let second = "another line of the expression, which is longer";
                [first, second].concat()
            },
            1
        );
    });
    expect![[r#"assert_budget!({ let first = "a line of the expression…): String is over budget"#]]
        .assert_eq(text.lines().next().unwrap());
}
