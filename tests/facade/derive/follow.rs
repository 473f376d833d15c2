//! `#[profile(follow)]`: the target of a reference counts, but only once.

use super::check;
use expect_test::expect;
use memprof::tree::{Branch, OpaqueReason};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

#[test]
fn references_are_followed_only_on_request() {
    #[derive(MemoryProfile)]
    struct View<'a> {
        #[profile(follow)]
        text: &'a str,
        #[profile(follow)]
        numbers: &'a Vec<u64>,
        other: &'a [u8],
    }
    let numbers = vec![1, 2, 3];
    let view = View { text: "hello", numbers: &numbers, other: &[1, 2, 3] };
    let _ = view.other;
    assert!(!View::is_flat());
    check(
        &view,
        &expect![[r#"
        View;numbers 56
        View;other 16
        View;text 21
    "#]],
    );
    assert!(Profile::of(&view).is_exact());
}

#[test]
fn the_target_of_several_references_counts_once() {
    #[derive(MemoryProfile)]
    struct Rows<'a> {
        #[profile(follow)]
        all: Vec<&'a [u32]>,
        #[profile(follow)]
        first: Option<&'a [u32]>,
        #[profile(follow)]
        pair: [&'a String; 2],
        #[profile(follow)]
        named: BTreeMap<u8, &'a String>,
    }
    let (row, text) = ([1, 2, 3, 4], String::from("abc"));
    let rows = Rows {
        all: vec![&row, &row, &row[..2]],
        first: Some(&row),
        pair: [&text, &text],
        named: BTreeMap::from([(1, &text)]),
    };
    check(
        &rows,
        &expect![[r#"
        Rows;all 96
        Rows;first 16
        Rows;named 136
        Rows;pair 43
    "#]],
    );
}

#[test]
fn a_walk_over_a_cycle_ends() {
    #[derive(MemoryProfile)]
    struct Node<'a> {
        name: String,
        #[profile(follow)]
        next: Cell<Option<&'a Node<'a>>>,
    }
    let node = |name: &str| Node { name: String::from(name), next: Cell::new(None) };
    let (a, b) = (node("a"), node("b"));
    a.next.set(Some(&b));
    b.next.set(Some(&a));
    // The cycle leads back to the root, which then counts a second time, as followed memory.
    assert_eq!(total_bytes(&a), 3 * (32 + 1));
    assert!(!Profile::of(&a).is_exact());
}

#[test]
fn a_long_chain_does_not_overflow_the_stack() {
    #[derive(MemoryProfile)]
    struct Link<'a> {
        #[profile(follow)]
        next: Option<&'a Link<'a>>,
        value: u64,
    }
    let mut last: &Link<'static> = Box::leak(Box::new(Link { next: None, value: 0 }));
    for value in 1..100_000 {
        last = Box::leak(Box::new(Link { next: Some(last), value }));
    }
    assert_eq!(last.value, 99_999);
    assert_eq!(total_bytes(last), 100_000 * 16);
}

#[test]
fn a_variant_may_follow() {
    #[derive(MemoryProfile)]
    enum Text<'a> {
        Borrowed(#[profile(follow)] &'a str),
        Owned(String),
    }
    check(
        &[Text::Borrowed("abc"), Text::Owned(String::from("de"))],
        &expect![[r#"
            array 48
            array;Borrowed 3
            array;Owned 2
        "#]],
    );
}

#[test]
fn targets_that_the_root_may_own_too_are_marked() {
    #[derive(MemoryProfile)]
    struct Own<'a> {
        data: Rc<Vec<u8>>,
        #[profile(follow)]
        view: &'a Vec<u8>,
    }

    #[derive(MemoryProfile)]
    struct Views<'a> {
        #[profile(follow)]
        views: Vec<&'a [u64]>,
    }

    let marks = |profile: &Profile| -> u64 {
        let marks = profile.root().subtree().flat_map(Branch::opaque);
        marks.filter(|mark| mark.0 == OpaqueReason::Followed).map(|mark| mark.1).sum()
    };
    let data = Rc::new(vec![0; 1000]);
    let own = Own { data: data.clone(), view: &data };
    assert_eq!(marks(&Profile::of(&own)), 1);
    assert!(!Profile::of(&own).is_exact());

    let numbers = vec![0; 100];
    let apart = Views { views: vec![&numbers[..50], &numbers[50..], &numbers[..50]] };
    assert!(Profile::of(&apart).is_exact());
    let overlapping = Views { views: vec![&numbers[..51], &numbers[50..]] };
    assert_eq!(marks(&Profile::of(&overlapping)), 2);
    assert!(!Profile::of(&overlapping).is_lower_bound(), "one number counts twice");
    let both: [(&str, &dyn MemoryProfile); 2] = [("numbers", &numbers), ("views", &apart)];
    assert_eq!(marks(&Profile::of_all("both", both)), 2);
}
