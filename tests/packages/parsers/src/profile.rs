//! Profiles: folded text and JSON.

use memprof_export::Page;
use memprof_export::Pprof;
use memprof_profile::Profile;
use std::io::sink;

/// Checks folded text.
///
/// # Panics
/// Panics if a view panics, or if the written profile is different when it is read.
pub fn folded(input: &[u8]) {
    let read = Profile::read_folded(input);
    if let Ok(text) = str::from_utf8(input) {
        let same = Profile::from_folded(text);
        assert_eq!(read.is_ok(), same.is_ok(), "a text and a reader are parsed alike");
    }
    match read {
        Ok(profile) => check(&profile),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks a profile's JSON.
///
/// # Panics
/// Panics if a view panics, or if the written profile is different when it is read.
pub fn profile_json(input: &[u8]) {
    match Profile::read_json(input) {
        Ok(profile) => check(&profile),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Checks every view of a profile.
pub(crate) fn check(profile: &Profile) {
    assert!(!profile.to_string().is_empty());
    let leaves: u64 = profile.leaves().map(|(_, leaf)| leaf.bytes()).sum();
    assert_eq!(leaves, profile.total_bytes(), "only leaves carry bytes");
    let json = profile.to_json().expect("a profile that was read can be written");
    let again = Profile::from_json(&json).expect("memprof reads what it writes");
    assert_eq!(again.total_bytes(), profile.total_bytes());
    assert!(again.diff(profile).is_empty(), "JSON reads back the same");
    let folded = Profile::from_folded(&profile.to_folded());
    if let Ok(folded) = folded {
        assert_eq!(folded.total_bytes(), profile.total_bytes(), "folded text reads back the same");
    }
    assert!(!profile.to_yaml().is_empty());
    assert!(!profile.report().to_string().is_empty());
    assert!(!profile.top(10).to_string().is_empty() || profile.total_bytes() == 0);
    // A page takes about a hundred times as long as all other views, so only some profiles get one.
    if profile.total_bytes().is_multiple_of(16) {
        Page::of_profile(profile).write(sink()).expect("there is room");
    }
    // A profile may exceed the limits of a format; then the export rejects it.
    drop(Pprof::of_profile(profile, None));
}
