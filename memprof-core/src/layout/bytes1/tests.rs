//! Views of each kind, and words that do not belong to a view.

use super::{HEADER, HEADER_MUT, View, ViewMut, places_in, view_of, view_of_mut};
use bytes::{Buf, Bytes, BytesMut};

#[test]
fn views_are_told_apart() {
    assert_eq!(view_of(&Bytes::new()), View::Borrowed);
    assert_eq!(view_of(&Bytes::from_static(b"static")), View::Borrowed);
    let sole = Bytes::from(vec![1; 10]);
    assert_eq!(view_of(&sole), View::Sole { capacity: 10 });
    let clone = sole.clone();
    assert!(matches!(view_of(&clone), View::Shared { header: HEADER, .. }));
    assert_eq!(view_of(&clone), view_of(&sole));
    assert_eq!(view_of(&clone.slice(3..5)), view_of(&sole));
    assert_eq!(view_of(&Bytes::from_owner([1_u8, 2])), View::Unknown);
}

#[test]
fn a_view_that_was_cut_at_the_front_knows_its_whole_buffer() {
    let mut sole = Bytes::from(vec![1; 10]);
    sole.advance(4);
    assert_eq!(view_of(&sole), View::Sole { capacity: 10 });
    let mut own = BytesMut::with_capacity(64);
    own.extend_from_slice(b"0123456789");
    own.advance(4);
    assert_eq!(view_of_mut(&own), ViewMut::Sole { capacity: 64 });
}

#[test]
fn parts_of_a_buffer_have_one_header_frozen_or_not() {
    let mut rest = BytesMut::zeroed(64);
    let part = rest.split_to(10);
    let ViewMut::Shared { address } = view_of_mut(&rest) else { panic!("two parts share it") };
    assert_eq!(view_of_mut(&part), ViewMut::Shared { address });
    assert_eq!(view_of(&part.freeze()), View::Shared { address, header: HEADER_MUT });
}

#[test]
fn words_that_could_be_two_things_show_no_places() {
    assert!(places_in([0x5000, 3, 0, 0x6000], 0x5000, 3).is_some());
    assert!(places_in([0x5000, 3, 3, 0x6000], 0x5000, 3).is_none());
    assert!(places_in([0x5000, 3, 0, 0], 0x5000, 3).is_none());
    assert!(places_in([0x5000, 3, 0, 0x6000], 0x7000, 3).is_none());
}
