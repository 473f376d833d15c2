//! Tests of the folded stacks and the largest paths of the sample model.

use crate::Profile;
use crate::views::samples::{Sample, model};
use expect_test::expect;

#[test]
fn the_plain_form_has_a_line_per_name() {
    expect![[r#"
        Model 8
        Model;cache 24
        Model;matrix 72
        Model;matrix;col_idx 33554432
        Model;matrix;row_ptr 16777216
        Model;matrix;values 67108864
        Model;units 112
        Model;variables 19534336
        Model;variables;fixed 1000000
        Model;variables;kind 1000000
        Model;variables;lower 8000000
        Model;variables;name 39845888
        Model;variables;upper 8000000
    "#]]
    .assert_eq(&model().to_folded());
}

#[test]
fn the_detailed_form_has_a_line_per_leaf_and_marks_opaque_values() {
    expect![[r#"
        Model;[padding] 8
        Model;cache;[data] 24
        Model;cache;[opaque] 0
        Model;matrix;[inline] 72
        Model;matrix;col_idx;[data] 33554432
        Model;matrix;row_ptr;[data] 12582912
        Model;matrix;row_ptr;[spare] 4194304
        Model;matrix;values;[data] 67108864
        Model;units;[data] 112
        Model;variables;[spare] 9437184
        Model;variables;[nodes] 2097152
        Model;variables;[keys];[inline] 8000000
        Model;variables;fixed;[data] 1000000
        Model;variables;kind;[data] 1000000
        Model;variables;lower;[data] 8000000
        Model;variables;name;[data] 39845888
        Model;variables;upper;[data] 8000000
    "#]]
    .assert_eq(&model().to_folded_detailed());
}

#[test]
fn the_largest_paths_come_first_and_the_rest_is_added_up() {
    expect![[r#"
          64.0 MiB  34.4 %  Model;matrix;values
          38.0 MiB  20.5 %  Model;variables;name
          32.0 MiB  17.2 %  Model;matrix;col_idx
          18.6 MiB  10.0 %  Model;variables
        ≥ 33.2 MiB  17.9 %  …9 more"#]]
    .assert_eq(&model().top(4).to_string());
    expect![[r#"
        | bytes | share | path |
        | ---: | ---: | :--- |
        | 64.0 MiB | 34.4 % | `Model;matrix;values` |
        | 38.0 MiB | 20.5 % | `Model;variables;name` |
        | ≥ 83.8 MiB | 45.1 % | …11 more |
    "#]]
    .assert_eq(&model().top(2).to_markdown());
    expect!["≥ 185.8 MiB  100.0 %  …13 more"].assert_eq(&model().top(0).to_string());
    assert_eq!(Profile::of(&()).top(9).to_string(), "no bytes");
}

#[test]
fn the_largest_paths_are_cut_to_the_width_in_their_middle() {
    let long = Sample::data(&"x".repeat(1_000_000), 5).profile();
    for (width, expected) in [(0, 40), (60, 60), (100, 100)] {
        let line = long.top(1).width(width).to_string();
        assert_eq!(line.chars().count(), expected, "{line}");
    }
    let whole = long.top(1).to_string();
    assert!(whole.len() > 1_000_000);
    assert_eq!(long.top(1).width(usize::MAX).to_string(), whole);
}
