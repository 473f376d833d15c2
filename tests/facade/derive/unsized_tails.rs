//! Structs whose last field may be unsized.

use super::check;
use expect_test::expect;
use memprof::MemoryProfile;

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
