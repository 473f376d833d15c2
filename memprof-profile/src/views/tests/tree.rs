//! Tests of the drawn tree.

use crate::Profile;
use crate::tree::{LeafKind, OpaqueReason};
use crate::views::Units;
use crate::views::samples::{Sample, model};
use expect_test::{Expect, expect, expect_file};
use std::cell::RefCell;
use std::sync::Arc;

fn check(tree: &dyn core::fmt::Display, expected: &Expect) {
    expected.assert_eq(&tree.to_string());
}

#[test]
fn a_model_is_drawn_as_in_the_documentation() {
    let model = model();
    let golden = |name: &str, tree: &dyn core::fmt::Display| {
        let path = format!("{}/../tests/data/tree/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        expect_file![path].assert_eq(&format!("{tree}\n"));
    };
    golden("model", &model);
    golden("model-depth-1-si", &model.tree().depth(1).units(Units::Si));
    golden("model-width-60", &model.tree().width(60));
    golden("model-width-40-bytes", &model.tree().width(0).units(Units::Bytes));
    golden("model-widest-2", &model.tree().widest(2));
    golden("model-detailed", &model.tree().min_share(0.0).detailed());
}

#[test]
fn lines_without_facts_have_no_notes() {
    check(
        &Profile::named("nothing", &()),
        &expect![[r#"
        nothing  0 B  –
        exact"#]],
    );
    check(
        &Profile::named("number", &7_u64),
        &expect![[r#"
        number  8 B  100.0 %
        exact"#]],
    );
    check(
        &Profile::named("list", &Vec::<u8>::new()),
        &expect![[r#"
        list  24 B  100.0 %
        exact"#]],
    );
    check(
        &Profile::named("text", &Box::new(String::from("hello"))),
        &expect![[r#"
        text  37 B  100.0 %
        exact · 2 allocations"#]],
    );
}

#[test]
fn shared_and_externally_held_bytes_are_noted() {
    let unit = Arc::new(String::from("kWh"));
    let inside: Vec<_> = (0..4).map(|index| (unit.clone(), index)).collect();
    check(
        &Profile::named("rows", &inside),
        &expect![[r#"
            rows          131 B  100.0 %   4 values
            ├─ 0           75 B   57.3 %   shared by 5
            ├─ [inline]    24 B   18.3 %
            ├─ 1           16 B   12.2 %
            └─ [padding]   16 B   12.2 %
            exact · 3 allocations · 43 B externally held"#]],
    );
    drop(unit);
    check(
        &Profile::named("rows", &inside),
        &expect![[r#"
            rows          131 B  100.0 %   4 values
            ├─ 0           75 B   57.3 %   shared by 4
            ├─ [inline]    24 B   18.3 %
            ├─ 1           16 B   12.2 %
            └─ [padding]   16 B   12.2 %
            exact · 3 allocations"#]],
    );
    let many: Vec<_> = inside.iter().map(|row| row.0.clone()).chain([Arc::default()]).collect();
    check(
        &Profile::named("units", &[many.clone(), many]),
        &expect![[r#"
            units  211 B  100.0 %   12 values, 5 allocations, 2 allocations shared by 14
            exact · 5 allocations · 43 B externally held"#]],
    );
}

#[test]
fn opaque_values_are_marked_at_their_line_and_counted_in_the_footer() {
    let cells: Vec<_> = (0..3).map(|len| RefCell::new(vec![0_u8; len])).collect();
    let _guards: Vec<_> = cells[1..].iter().map(RefCell::borrow_mut).collect();
    check(
        &Profile::named("cells", &cells),
        &expect![[r#"
            cells  ≥ 120 B  100.0 %   3 values, 2 borrowed
            not exact: 2 borrowed · 1 allocation"#]],
    );
    let sample = Sample::new("doubts").with([
        Sample::data("foreign", 1000).opaque(OpaqueReason::Foreign).opaque(OpaqueReason::Foreign),
        Sample::data("partly", 1000).estimated(LeafKind::Table, 500).counts(12, 1, 0),
        Sample::new("wholly").estimated(LeafKind::Nodes, 900),
        Sample::new("skipped").leaf(LeafKind::Skipped, 24).opaque(OpaqueReason::Skipped),
        Sample::new("empty").opaque(OpaqueReason::Borrowed),
    ]);
    check(
        &sample.profile(),
        &expect![[r#"
            doubts      ≥ 3.3 KiB  100.0 %
            ├─ partly     1.5 KiB   43.8 %   12 values, 500 B estimated
            ├─ foreign  ≥ 1,000 B   29.2 %   2 foreign
            ├─ wholly       900 B   26.3 %   estimated
            ├─ skipped     ≥ 24 B    0.7 %   skipped
            └─ empty        ≥ 0 B    0.0 %   borrowed
            not exact: 1 borrowed, 2 foreign, 1 skipped, 2 estimated (1.4 KiB) · 1 allocation"#]],
    );
}

#[test]
fn hidden_lines_pass_their_warnings_to_the_sum() {
    let small = |index: u32| {
        let sample = Sample::data(&format!("small {index:02}"), 1);
        if index.is_multiple_of(2) { sample.opaque(OpaqueReason::Locked) } else { sample }
    };
    let sample = Sample::new("x").with((0..40).map(small)).with([Sample::data("large", 1 << 20)]);
    check(
        &sample.profile().tree().min_share(1.1),
        &expect![[r#"
            x            ≥ 1.0 MiB  100.0 %
            ├─ large       1.0 MiB  100.0 %
            ├─ small 00      ≥ 1 B    0.0 %   locked
            ├─ small 02      ≥ 1 B    0.0 %   locked
            ├─ small 04      ≥ 1 B    0.0 %   locked
            ├─ small 06      ≥ 1 B    0.0 %   locked
            ├─ small 08      ≥ 1 B    0.0 %   locked
            ├─ small 10      ≥ 1 B    0.0 %   locked
            ├─ small 12      ≥ 1 B    0.0 %   locked
            ├─ small 14      ≥ 1 B    0.0 %   locked
            ├─ small 16      ≥ 1 B    0.0 %   locked
            ├─ small 18      ≥ 1 B    0.0 %   locked
            ├─ small 20      ≥ 1 B    0.0 %   locked
            └─ …29 more     ≥ 29 B    0.0 %   9 locked
            not exact: 20 locked"#]],
    );
    check(
        &sample.profile().tree().depth(0),
        &expect![[r#"
            x  ≥ 1.0 MiB  100.0 %   20 locked
            not exact: 20 locked"#]],
    );
    check(
        &sample.profile().tree().widest(1),
        &expect![[r#"
            x            ≥ 1.0 MiB  100.0 %
            ├─ large       1.0 MiB  100.0 %
            └─ …40 more     ≥ 40 B    0.0 %   20 locked
            not exact: 20 locked"#]],
    );
}

#[test]
fn small_lines_are_added_up_unless_there_is_only_one() {
    let entries = |count: usize, bytes| {
        (0..count).map(move |index| Sample::data(&format!("e{index}"), bytes))
    };
    let sample = |count| Sample::data("x", 1 << 20).with(entries(count, 100)).profile();
    check(
        &sample(1),
        &expect![[r#"
        x          1.0 MiB  100.0 %
        ├─ [data]  1.0 MiB  100.0 %
        └─ e0        100 B    0.0 %
        exact"#]],
    );
    check(
        &sample(2).tree().min_share(1.1),
        &expect![[r#"
        x           1.0 MiB  100.0 %
        ├─ [data]   1.0 MiB  100.0 %
        └─ …2 more    200 B    0.0 %
        exact"#]],
    );
    let sample = Sample::new("x").with(entries(1000, 1000)).profile();
    check(
        &sample,
        &expect![[r#"
        x             976.6 KiB  100.0 %
        ├─ e0           1,000 B    0.1 %
        ├─ e1           1,000 B    0.1 %
        ├─ e10          1,000 B    0.1 %
        └─ …997 more  973.6 KiB   99.7 %
        exact"#]],
    );
    check(
        &sample.tree().widest(0),
        &expect![[r#"
        x  976.6 KiB  100.0 %
        exact"#]],
    );
    let sample = Sample::new("x").with(entries(16, 1000)).profile();
    assert_eq!(sample.to_string().lines().count(), 18, "what is large is never hidden");
}

#[test]
fn long_names_lose_their_middle() {
    let long = "a_name_that_goes_on_and_on_until_nobody_remembers_how_it_began";
    let sample =
        Sample::new("x").with([Sample::data(long, 100).counts(25, 1, 0), Sample::data("名前", 50)]);
    check(
        &sample.profile().tree().width(50),
        &expect![[r#"
        x                       150 B  100.0 %
        ├─ a_name_th…_it_began  100 B   66.7 %   25 values
        └─ 名前                  50 B   33.3 %
        exact · 1 allocation"#]],
    );
}

#[test]
fn no_field_of_the_root_is_hidden_however_small() {
    let small = (0..30).map(|index| Sample::data(&format!("small {index:02}"), 1));
    let large = Sample::data("large", 1_000_000).with([Sample::data("nested", 1)]);
    let profile = Sample::new("root").with(small.chain([large])).profile();
    let tree = profile.to_string();
    assert!(tree.contains("small 00") && tree.contains("small 29"), "{tree}");
    assert!(!profile.tree().widest(12).to_string().contains("small 29"));
    assert!(!profile.tree().min_share(2.0).to_string().contains("small 29"));
    let entries = (0..100).map(|index| Sample::data(&format!("{index:02}"), 1));
    let many = Sample::new("map").with(entries.chain([Sample::data("large", 1_000_000)]));
    assert!(many.profile().to_string().contains("…"), "a map with many entries");
}

#[test]
fn the_number_of_single_bytes_is_not_noted() {
    assert_eq!(
        Profile::named("bytes", &vec![1_u8; 1000]).to_string(),
        "bytes  1.0 KiB  100.0 %\nexact · 1 allocation"
    );
    let words = Profile::named("words", &vec![1_u16; 1000]).to_string();
    assert!(words.contains("1,000 values"), "{words}");
}
