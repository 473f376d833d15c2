//! Derives wherever the language allows them: inside macros, functions and modules, among names of
//! any kind.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, total_bytes};

macro_rules! define {
    ($name:ident { $($field:ident: $ty:ty $(= $frame:literal)?),* }) => {
        #[derive(MemoryProfile)]
        struct $name {
            $($(#[profile(rename = $frame)])? $field: $ty,)*
            inherent: Vec<u8>,
        }
    };
}

macro_rules! define_with {
    ($name:ident, $function:path, $crate_path:path, $($variant:ident($inner:ty)),*) => {
        #[derive(MemoryProfile)]
        #[profile(crate = $crate_path)]
        enum $name {
            $($variant(#[profile(with = $function)] $inner)),*
        }
    };
}

mod functions {
    pub(super) fn profile_text<'a>(
        text: &'a str,
        walk: &mut memprof::walk::Walk<'a>,
        at: memprof::walk::Position,
    ) {
        walk.allocation(at, text.len(), text.len());
    }
}

#[test]
fn a_macro_may_define_the_type() {
    define!(Record { value: Vec<u16>, walk: String = "called" });
    let record = Record { value: vec![1, 2], walk: String::from("w"), inherent: vec![0; 3] };
    check(
        &record,
        &expect![[r#"
        Record;called 25
        Record;inherent 27
        Record;value 28
    "#]],
    );
}

#[test]
fn a_macro_may_pass_paths_into_attributes() {
    define_with!(Text, functions::profile_text, memprof, Owned(String), Boxed(Box<str>));
    check(
        &[Text::Owned(String::from("abc")), Text::Boxed(Box::from("de"))],
        &expect![[r#"
            array 48
            array;Boxed 2
            array;Owned 3
        "#]],
    );
}

#[test]
fn inherent_methods_of_the_same_names_are_not_called() {
    #[derive(MemoryProfile)]
    struct Loud {
        bytes: Vec<u8>,
    }
    #[expect(dead_code, reason = "only collides with names in the expansion")]
    impl Loud {
        fn owned(&self) {
            unreachable!("{}", self.bytes.len())
        }
        fn owned_slice(&self) {
            unreachable!("{}", self.bytes.len())
        }
        fn is_flat() -> u8 {
            unreachable!()
        }
        fn shape() -> u8 {
            unreachable!()
        }
        fn inline() {}
    }
    assert_eq!(total_bytes(&Loud { bytes: vec![1; 5] }), 29);
}

#[test]
fn types_of_the_same_names_are_not_used() {
    #[derive(MemoryProfile)]
    struct Walk {
        field: Field,
        at: At,
    }
    #[derive(MemoryProfile)]
    struct Field(String);
    #[derive(MemoryProfile)]
    enum At {
        Some(Vec<u8>),
        None,
    }
    let walks = [
        Walk { field: Field(String::from("f")), at: At::Some(vec![1]) },
        Walk { field: Field(String::new()), at: At::None },
    ];
    check(
        &walks,
        &expect![[r#"
            array;at 48
            array;at;Some 1
            array;field 49
        "#]],
    );
}
