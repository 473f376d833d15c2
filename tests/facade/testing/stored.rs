//! `assert_profile!`: profiles stored in this repository.

use super::panic_of;
use expect_test::expect;
use memprof::Profile;
use memprof::testing::assert_profile;

fn matrix(values: usize) -> (Vec<f64>, Vec<u32>) {
    (vec![0.0; values], vec![0; 4096])
}

#[test]
fn a_profile_is_compared_with_the_stored_one() {
    let stored = matrix(4096);
    assert_profile!(stored, "tests/data/profiles/matrix.json");
    assert_profile!(&stored, String::from("tests/data/profiles/matrix.json"));
    assert_profile!(Profile::named("other", &stored), "tests/data/profiles/matrix.json",);
    assert_profile!(matrix(4200), "tests/data/profiles/matrix.json", within "2%");
    assert_profile!(matrix(4097), "tests/data/profiles/matrix.json", within "8 B",);
}

/// Returns `true` if the tests write profiles instead of comparing them.
fn is_updating() -> bool {
    std::env::var_os("MEMPROF_UPDATE").is_some()
}

#[test]
fn a_difference_is_reported_with_the_command_to_store_it() {
    if is_updating() {
        return;
    }
    let profile = matrix(5000);
    let path = "tests/data/profiles/matrix.json";
    expect![[r#"
        assert_profile!(profile): differs from tests/data/profiles/matrix.json
        +7.1 KiB  32.0 KiB →  39.1 KiB  +22.1 %  tuple;0
        +7.1 KiB  48.0 KiB →  55.1 KiB  +14.7 %  total
        1 path grown · exact before and after
        to accept the change: MEMPROF_UPDATE=1 cargo test"#]]
    .assert_eq(&panic_of(|| assert_profile!(profile, path)));
    expect![[r#"
        assert_profile!(profile): differs from tests/data/profiles/matrix.json by more than 5 %
        +7.1 KiB  32.0 KiB →  39.1 KiB  +22.1 %  tuple;0
        +7.1 KiB  48.0 KiB →  55.1 KiB  +14.7 %  total
        1 path grown · exact before and after
        to accept the change: MEMPROF_UPDATE=1 cargo test"#]]
    .assert_eq(&panic_of(|| assert_profile!(profile, path, within "5%")));
    expect![[r#"assert_profile!(profile): "5 pc" is neither a percentage nor an amount of memory: expected one such as "5%" or "4 KiB""#]].assert_eq(&panic_of(|| assert_profile!(profile, path, within "5 pc")));
    expect![[r#"
        assert_profile!(profile): no stored profile tests/no.json
        to write it: MEMPROF_UPDATE=1 cargo test"#]]
    .assert_eq(&panic_of(|| assert_profile!(profile, "tests/no.json")));
    expect![[r#"assert_profile!(profile): Cargo.toml: not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`"#]].assert_eq(&panic_of(|| assert_profile!(profile, "Cargo.toml")));
    expect!["assert_profile!(&&profile): `&(alloc::vec::Vec<f64>, alloc::vec::Vec<u32>)` is a reference and owns nothing; pass `*profile`"].assert_eq(&panic_of(|| assert_profile!(&&profile, path)));
}
