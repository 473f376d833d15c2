//! Tests of the comparison of a value with a raw baseline.

use crate::Profile;
use crate::tree::OpaqueReason;
use crate::views::Units;
use crate::views::samples::{Sample, model};
use expect_test::expect;

#[test]
fn the_overhead_takes_three_lines() {
    let raw = vec![0.0_f64; 1 << 20];
    let baseline = Profile::named("Vec<f64>", &raw);
    let ours = Profile::named("UnitArray", &(raw, String::from("kWh"), 1.5));
    expect![[r#"
        UnitArray  8.0 MiB
        Vec<f64>   8.0 MiB
        overhead     +35 B  +0.0 %"#]]
    .assert_eq(&ours.against(&baseline).to_string());
    expect![[r#"
        Vec<f64>   8,388,632 B
        UnitArray  8,388,667 B
        overhead         −35 B  −0.0 %"#]]
    .assert_eq(&baseline.against(&ours).units(Units::Bytes).to_string());
    expect![[r#"
        | value | baseline | overhead | growth | compared |
        | ---: | ---: | ---: | ---: | :--- |
        | 8.0 MiB | 8.0 MiB | +35 B | +0.0 % | `UnitArray` with `Vec<f64>` |
    "#]]
    .assert_eq(&ours.against(&baseline).to_markdown());
}

#[test]
fn an_empty_baseline_gives_no_percentage_and_inexactness_is_shown() {
    let nothing = Profile::named("()", &());
    let comparison = nothing.against(&nothing);
    assert_eq!((comparison.overhead_bytes(), comparison.overhead_percent()), (0, None));
    assert!(comparison.is_exact());
    expect![[r#"
        ()         0 B
        ()         0 B
        overhead  ±0 B  –"#]]
    .assert_eq(&comparison.to_string());
    let model = model();
    let opaque = Sample::data("overhead", 7).opaque(OpaqueReason::Foreign).profile();
    expect![[r#"
        Model     ≥ 185.8 MiB
        overhead        ≥ 7 B
        overhead   +185.8 MiB  ×27,831,565
        the value is not exact: 1 locked
        the baseline is not exact: 1 foreign"#]]
    .assert_eq(&model.against(&opaque).to_string());
    expect![[r#"
        | value | baseline | overhead | growth | compared |
        | ---: | ---: | ---: | ---: | :--- |
        | ≥ 185.8 MiB | ≥ 7 B | +185.8 MiB | ×27,831,565 | `Model` with `overhead` |

        the value is not exact: 1 locked

        the baseline is not exact: 1 foreign
    "#]]
    .assert_eq(&model.against(&opaque).to_markdown());
}

#[cfg(feature = "json")]
#[test]
fn the_json_is_one_line() {
    let (nothing, model) = (Profile::named("()", &()), model());
    expect![[r#"
        {"format":"memprof comparison","version":1,"value":{"name":"()","bytes":0,"exact":true},"baseline":{"name":"Model","bytes":194820952,"exact":false,"lower_bound":true},"overhead_bytes":-194820952,"overhead_percent":-100.0}
    "#]].assert_eq(&nothing.against(&model).to_json());
    expect![[r#"
        {"format":"memprof comparison","version":1,"value":{"name":"Model","bytes":194820952,"exact":false,"lower_bound":true},"baseline":{"name":"()","bytes":0,"exact":true},"overhead_bytes":194820952,"overhead_percent":null}
    "#]].assert_eq(&model.against(&nothing).to_json());
}
