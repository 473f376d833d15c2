//! URLs, which hide the capacity of their text.

use crate::asserted::{assert_estimated, assert_exact};
use url::{Host, Url};

#[test]
fn a_url_is_an_estimate_by_its_length() {
    let url = Url::parse("https://user@example.com:8080/path?query#fragment").expect("it is one");
    assert_estimated(&url, size_of::<Url>() + url.as_str().len());
}

#[test]
fn a_host_owns_only_its_name() {
    assert_exact(|| Host::Domain(String::from("example.com")));
    assert_exact(|| Host::<String>::Ipv4([127, 0, 0, 1].into()));
}
