//! Random JSON, and the estimates for the forms that features of other crates turn on.

use crate::asserted::assert_exact;
use crate::random::Random;
use crate::values::Value;
use memprof::Profile;
use serde_json::{Map, Number, Value as Json, json};
use std::collections::BTreeMap;

impl Value for Json {
    fn random(random: &mut Random) -> Self {
        match random.below(if random.may_nest() { 7 } else { 5 }) {
            0 => Self::Null,
            1 => Self::Bool(random.flip()),
            2 => Self::from(random.next()),
            3 => Self::from(random.next() as f64),
            4 => Self::String(String::random(random)),
            5 => Self::Array(Vec::random(random)),
            _ => Self::Object(Map::random(random)),
        }
    }
}

impl Value for Map<String, Json> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map: Self = <(String, Json)>::several(random).into_iter().collect();
            for _ in 0..random.below(3) {
                match random.below(4) {
                    0 => map.extend(<(String, Json)>::several(random)),
                    1 => map.retain(|_, _| random.flip()),
                    2 => map = map.clone(),
                    _ => map.clear(),
                }
            }
            map
        })
    }
}

/// Returns `true` if another crate of this build makes objects keep the order of their entries.
fn objects_are_in_order() -> bool {
    size_of::<Map<String, Json>>() != size_of::<BTreeMap<String, Json>>()
}

#[test]
fn a_parsed_document_is_exact_unless_objects_keep_their_order() {
    let text = r#"{"a": [1, 2.5, null, {"deep": ["x", "yy"]}], "b": {"c": true}}"#;
    let parse = || serde_json::from_str::<Json>(text).expect("it is JSON");
    if objects_are_in_order() {
        let profile = Profile::of(&parse());
        assert!(!profile.is_exact(), "{profile:?}");
    } else {
        assert_exact(parse);
    }
}

#[test]
fn an_emptied_object_is_exact_or_marked() {
    let mut object = json!({"a": 1}).as_object().expect("it is an object").clone();
    object.remove("a");
    assert_eq!(Profile::of(&object).is_exact(), !objects_are_in_order());
}

#[test]
fn numbers_own_nothing_unless_they_are_text() {
    let number = Number::from(7);
    assert_eq!(Profile::of(&number).is_exact(), !std::mem::needs_drop::<Number>());
}

#[test]
fn values_inside_values_fold() {
    let nested = json!([["x"], [["y"]]]);
    let folded = Profile::named("json", &nested).to_folded();
    assert!(folded.lines().all(|line| line.matches("Array").count() <= 1), "{folded}");
}
