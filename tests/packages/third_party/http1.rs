//! Maps of headers, whose vectors and texts have private capacities.

use crate::asserted::{assert_estimated, assert_exact, assert_marked, assert_near};
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http::{HeaderMap, HeaderName, HeaderValue};
use memprof::Profile;
use memprof::tree::OpaqueReason;

fn headers(names: usize, values: usize) -> HeaderMap {
    let mut map = HeaderMap::new();
    for number in 0..names {
        let name: HeaderName = format!("x-header-{number}").parse().expect("it is a name");
        let text = |value: usize| format!("value {number} {value}").parse().expect("it is a value");
        // Cloning a name allocates a header, which the profile does not count.
        for value in 1..values {
            map.append(&name, text(value));
        }
        map.append(name, text(0));
    }
    map
}

#[test]
fn maps_with_one_value_for_each_name_are_near_the_allocator() {
    for names in [1, 2, 6, 7, 50, 1_000] {
        assert_near(1, || headers(names, 1));
    }
}

#[test]
fn further_values_are_estimates_without_excess_capacity() {
    for values in [2, 3, 10] {
        assert_near(15, || headers(50, values));
    }
    assert_near(25, || headers(50, 3).clone());
}

#[test]
fn constant_names_own_nothing_and_others_their_text() {
    assert_exact(|| [ACCEPT, HOST, HeaderName::from_static("content-type")]);
    let name = HeaderName::from_bytes(b"x-request-id").expect("it is a name");
    assert_estimated(&name, size_of::<HeaderName>() + 12);
}

#[test]
fn values_are_estimates_by_their_length() {
    let value = HeaderValue::from_str("text/html").expect("it is a value");
    assert_estimated(&value, size_of::<HeaderValue>() + 9);
    let empty = HeaderValue::from_static("");
    assert_marked(&empty, OpaqueReason::Foreign, size_of::<HeaderValue>());
}

#[test]
fn a_map_of_other_values_visits_them() {
    let mut map: HeaderMap<Vec<u8>> = HeaderMap::default();
    assert_exact(HeaderMap::<Vec<u8>>::default);
    map.insert(CONTENT_TYPE, vec![0; 10_000]);
    let profile = Profile::of(&map);
    assert_eq!(profile.root().counts().values, 1 + 10_000);
    assert!(profile.total_bytes() > 10_000 && profile.total_bytes() < 12_000, "{profile:?}");
}
