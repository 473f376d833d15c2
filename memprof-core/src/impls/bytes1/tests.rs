//! Views of each kind, and words that do not belong to a view.

use super::{Contents, HEADER, HEADER_MUT, Header, View, indices_in, view_of, view_of_mut};
use bytes::{Buf, Bytes, BytesMut};

#[test]
fn kinds_of_views_are_distinguished() {
    assert_eq!(view_of(&Bytes::new()), View::Borrowed);
    assert_eq!(view_of(&Bytes::from_static(b"static")), View::Borrowed);
    let unique = Bytes::from(vec![1; 10]);
    assert_eq!(view_of(&unique), View::Unique { capacity: 10 });
    let clone = unique.clone();
    let contents = Some(Contents { capacity: 10, views: 2 });
    assert!(matches!(
        view_of(&clone),
        View::Shared(Header { size: HEADER, contents: found, .. }) if cfg!(miri) || found == contents
    ));
    assert_eq!(view_of(&clone), view_of(&unique));
    let slice = clone.slice(3..5);
    assert_eq!(view_of(&slice), view_of(&unique));
    assert_eq!(view_of(&Bytes::from_owner([1_u8, 2])), View::Unknown);
}

#[test]
fn a_view_cut_at_the_front_has_the_capacity_of_its_whole_buffer() {
    let mut unique = Bytes::from(vec![1; 10]);
    unique.advance(4);
    assert_eq!(view_of(&unique), View::Unique { capacity: 10 });
    let mut own = BytesMut::with_capacity(64);
    own.extend_from_slice(b"0123456789");
    own.advance(4);
    assert_eq!(view_of_mut(&own), View::Unique { capacity: 64 });
}

#[test]
fn mutable_and_frozen_parts_of_a_buffer_have_one_header() {
    let mut rest = BytesMut::zeroed(64);
    let part = rest.split_to(10);
    let View::Shared(header) = view_of_mut(&rest) else { panic!("two parts share it") };
    assert_eq!(header.size, HEADER_MUT);
    let contents = Some(Contents { capacity: 64, views: 2 });
    assert!(cfg!(miri) || header.contents == contents);
    assert_eq!(view_of_mut(&part), View::Shared(header));
    assert_eq!(view_of(&part.freeze()), View::Shared(header));
}

#[test]
fn ambiguous_words_have_no_indices() {
    assert!(indices_in([0x5000, 3, 0, 0x6000], 0x5000, 3).is_some());
    assert!(indices_in([0x5000, 3, 3, 0x6000], 0x5000, 3).is_none());
    assert!(indices_in([0x5000, 3, 0, 0], 0x5000, 3).is_none());
    assert!(indices_in([0x5000, 3, 0, 0x6000], 0x7000, 3).is_none());
}
