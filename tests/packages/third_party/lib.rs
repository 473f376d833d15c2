//! A library with one test, that of the manifest. The package consists of its tests.

/// The tests compile the types of every crate that memprof has a feature for.
#[cfg(test)]
#[test]
fn each_feature_for_a_crate_is_tested() {
    let facade = include_str!("../../../Cargo.toml");
    let tests = include_str!("Cargo.toml");
    let (_, features) = facade.split_once("\n[features]\n").expect("the facade has features");
    let (features, _) = features.split_once("\n[").expect("a table follows");
    let names = features.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    // The name of a feature for a crate ends in the crate's version.
    let crates: Vec<_> =
        names.filter(|name| name.ends_with(|c: char| c.is_ascii_digit())).collect();
    assert!(crates.len() > 30, "{crates:?}");
    let untested: Vec<_> =
        crates.iter().filter(|name| !tests.contains(&format!("\"memprof/{name}\""))).collect();
    assert!(untested.is_empty(), "tests/packages/third_party/Cargo.toml lacks {untested:?}");
}
