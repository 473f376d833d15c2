//! Checks of the std that the tests run on.

use super::{Part, is_certified};

#[test]
fn every_part_of_this_std_is_certified() {
    for part in [Part::Tables, Part::Trees, Part::Lists, Part::Counts, Part::WeakHandles] {
        assert!(is_certified(part), "{part:?}");
        assert!(is_certified(part), "{part:?}, from memory");
    }
}
