//! Structs whose last field may be unsized.

use super::check;
use expect_test::expect;
use memprof::tree::Branch;
use memprof::{MemoryProfile, Profile};
use std::ffi::{CStr, CString, OsStr, OsString};
use std::path::{Path, PathBuf};

#[derive(MemoryProfile)]
struct Message<T: ?Sized> {
    topic: String,
    id: u32,
    body: T,
}

fn message<T>(body: T) -> Message<T> {
    Message { topic: String::from("news"), id: 1, body }
}

#[test]
fn the_tail_is_walked_at_its_name() {
    assert_eq!(message(0_u8).id, 1);
    let text: Box<Message<[String]>> = Box::new(message([String::from("a"), String::from("bc")]));
    check(
        &text,
        &expect![[r#"
            Message 96
            Message;body 3
            Message;topic 4
        "#]],
    );
    check(
        &*text,
        &expect![[r#"
        Message 80
        Message;body 3
        Message;topic 4
    "#]],
    );
}

#[test]
fn a_sized_tail_works_as_well() {
    check(
        &message(vec![1_u8, 2]),
        &expect![[r#"
        Message 56
        Message;body 2
        Message;topic 4
    "#]],
    );
    check(
        &vec![message(String::from("abc"))],
        &expect![[r#"
        Vec 80
        Vec;body 3
        Vec;topic 4
    "#]],
    );
}

#[test]
fn a_transparent_tail_is_its_field() {
    #[derive(MemoryProfile)]
    #[repr(transparent)]
    struct Text(str);
    #[derive(MemoryProfile)]
    #[repr(align(16))]
    struct Aligned<T: ?Sized>(T);
    #[derive(MemoryProfile)]
    struct Words<T: ?Sized> {
        texts: Vec<Box<T>>,
        pointer: Box<T>,
    }
    let _ = |text: &Text| text.0.len();
    let aligned: Box<Aligned<[u8]>> = Box::new(Aligned([1, 2, 3]));
    check(
        &aligned,
        &expect![[r#"
            Aligned 32
        "#]],
    );
    let words: Words<str> = Words { texts: vec![Box::from("ab")], pointer: Box::from("c") };
    check(
        &words,
        &expect![[r#"
        Words;pointer 17
        Words;texts 42
    "#]],
    );
}

/// A name that does not show that its values have no size.
type Samples = [u64];

/// Casts a box to one of a struct with the same layout and the same length.
macro_rules! cast {
    ($value:expr => $type:ty) => {{
        let value: Box<_> = $value;
        // SAFETY: the struct is `transparent`, or has only `u64`s, with the same number of them.
        unsafe { Box::from_raw(Box::into_raw(value) as *mut $type) }
    }};
}

#[test]
#[expect(unsafe_code, reason = "safe code cannot make values of such types")]
fn a_tail_that_is_only_a_name_may_have_no_size() {
    #[derive(MemoryProfile)]
    #[repr(transparent)]
    struct Absolute(Path);
    #[derive(MemoryProfile)]
    #[repr(transparent)]
    struct Label(OsStr);
    #[derive(MemoryProfile)]
    #[repr(transparent)]
    struct Name(CStr);
    #[derive(MemoryProfile)]
    #[repr(transparent)]
    struct Column(Samples);
    #[derive(MemoryProfile)]
    #[repr(C)]
    struct Series {
        #[profile(skip)]
        skipped: Skipped,
        samples: Samples,
    }
    #[derive(MemoryProfile)]
    struct All {
        absolute: Box<Absolute>,
        label: Box<Label>,
        name: Box<Name>,
        column: Box<Column>,
        series: Box<Series>,
    }
    let absolute: Box<Path> = PathBuf::from("/a").into();
    let label: Box<OsStr> = OsString::from("abc").into();
    let name: Box<CStr> = CString::from(c"ab").into();
    let column: Box<[u64]> = Box::new([1, 2]);
    let series: Box<[u64]> = Box::new([1, 2, 3, 4]);
    let series = Box::into_raw(series);
    let series = std::ptr::slice_from_raw_parts_mut(series.cast::<u64>(), series.len() - 1);
    // SAFETY: `Series` has a `u64` before its tail, so its length is one less.
    let series = unsafe { Box::from_raw(series as *mut Series) };
    assert_eq!((series.skipped.0, &series.samples), (1, [2, 3, 4].as_slice()));
    let all = All {
        absolute: cast!(absolute => Absolute),
        label: cast!(label => Label),
        name: cast!(name => Name),
        column: cast!(column => Column),
        series,
    };
    check(
        &all,
        &expect![[r#"
        All;absolute 18
        All;column 32
        All;label 19
        All;name 19
        All;series 48
    "#]],
    );
    // `Series` frees no memory, but a type that is dropped may hide some.
    let marked = Profile::of(&all).root().subtree().flat_map(Branch::opaque).count();
    assert_eq!(marked, 1);
}

/// A number with drop glue.
struct Skipped(u64);

impl Drop for Skipped {
    fn drop(&mut self) {
        self.0 = 0;
    }
}

#[test]
fn a_named_tail_with_a_size_is_split_like_any_other_field() {
    #[derive(MemoryProfile)]
    struct Inner {
        id: u32,
        name: String,
    }
    #[derive(MemoryProfile)]
    struct Outer {
        first: u64,
        last: Inner,
    }
    #[derive(MemoryProfile)]
    #[repr(align(64))]
    struct Aligned(Inner);
    let inner = || Inner { id: 1, name: String::from("abc") };
    let outer = || Outer { first: 1, last: inner() };
    assert_eq!((outer().first, outer().last.id), (1, 1));
    check(
        &vec![outer()],
        &expect![[r#"
            Vec 24
            Vec;first 8
            Vec;last 4
            Vec;last;id 4
            Vec;last;name 27
        "#]],
    );
    check(
        &Box::new(outer()),
        &expect![[r#"
            Outer 8
            Outer;first 8
            Outer;last 4
            Outer;last;id 4
            Outer;last;name 27
        "#]],
    );
    check(
        &vec![Aligned(inner())],
        &expect![[r#"
        Vec 60
        Vec;id 4
        Vec;name 27
    "#]],
    );
    assert!(!Outer::is_flat());
}

#[test]
fn equal_values_without_a_size_are_found() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Words<T: ?Sized> {
        len: u32,
        words: T,
    }
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Bytes<T: ?Sized>(T);
    let words = || -> Box<Words<[String]>> { Box::new(Words { len: 1, words: ["abc".into()] }) };
    let bytes = || -> Box<Bytes<[u8]>> { Box::new(Bytes([1, 2, 3])) };
    let values = ([words(), words()], [bytes(), bytes(), bytes()]);
    let sharing = Profile::of(&values).sharing();
    assert_eq!(sharing.duplicates, 1 + 2);
    assert_eq!(sharing.duplicate_bytes, 8 + 24 + 3 + 2 * 3);
}
