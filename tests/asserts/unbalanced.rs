//! The messages if a profile and the allocator disagree.

use crate::message;
use expect_test::expect;
use memprof::MemoryProfile;
use memprof::heap::exact::{ExactError, check_exact};
use memprof::walk::{Position, Walk};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

/// An impl that omits a field.
struct Forgetful {
    names: Vec<String>,
    cache: Vec<u64>,
}

impl MemoryProfile for Forgetful {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.names.owned(walk, at);
    }
}

/// An impl that counts the length instead of the capacity.
struct Short(Vec<u32>);

impl MemoryProfile for Short {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let bytes = self.0.len() * size_of::<u32>();
        walk.allocation(at, bytes, bytes);
    }
}

/// An impl that counts its memory twice.
struct Twice(Box<[u8; 100]>);

impl MemoryProfile for Twice {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
        self.0.owned(walk, at);
    }
}

#[derive(MemoryProfile)]
struct Units {
    metre: Arc<String>,
    values: Vec<u16>,
}

#[test]
fn a_forgotten_field_is_missed() {
    let make = || Forgetful { names: vec!["alpha".into(), "beta".into()], cache: vec![1, 2, 3] };
    expect![[r#"
        the profile and the allocator disagree
        type        asserts::unbalanced::Forgetful
        profile     105 B
        allocator   129 B = 48 B of the value itself + 81 B allocated (4) - 0 B freed (0)
        difference  −24 B

        Forgetful  105 B  100.0 %   2 values, 3 allocations
        exact · 3 allocations

        24 B are not in the profile. Common causes:
        - a hand-written impl leaves out a field, or uses a length instead of a capacity
        - the expression also allocates for something else: a cache, a static, a first use"#]]
    .assert_eq(&message(make));
    assert_eq!(make().cache.len(), 3);
}

/// The grid of `docs/values.md`, whose impl omits a field.
struct Grid {
    cells: Vec<f64>,
    titles: Vec<String>,
}

impl MemoryProfile for Grid {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.cells.owned(walk, at);
    }
}

#[test]
fn the_page_shows_the_message_of_an_inexact_impl() {
    let page = include_str!("../../docs/values.md");
    let make = || Grid { cells: vec![0.0; 1000], titles: vec![String::from("width")] };
    assert_eq!(make().titles.len(), 1);
    let text = message(make).replace("asserts::unbalanced::", "");
    let (_, message) = page.split_once("titles:…): ").expect("the page has the message");
    assert!(message.starts_with(&format!("{text}\n```")), "docs/values.md lacks\n{text}");
}

#[test]
fn a_length_taken_for_a_capacity_is_missed() {
    let make = || {
        let mut numbers = Vec::with_capacity(1_000_000);
        numbers.extend([1, 2, 3]);
        Short(numbers)
    };
    expect![[r#"
        the profile and the allocator disagree
        type        asserts::unbalanced::Short
        profile             36 B
        allocator    4,000,024 B = 24 B of the value itself + 4,000,000 B allocated (1) - 0 B freed (0)
        difference  −3,999,988 B

        Short  36 B  100.0 %
        exact · 1 allocation

        3,999,988 B are not in the profile. Common causes:
        - a hand-written impl leaves out a field, or uses a length instead of a capacity
        - the expression also allocates for something else: a cache, a static, a first use"#]].assert_eq(&message(make));
}

#[test]
fn a_block_counted_twice_is_found() {
    expect![[r#"
        the profile and the allocator disagree
        type        asserts::unbalanced::Twice
        profile     208 B
        allocator   108 B = 8 B of the value itself + 100 B allocated (1) - 0 B freed (0)
        difference  100 B

        Twice  208 B  100.0 %
        exact · 2 allocations

        100 B were not allocated by the expression. Common causes:
        - the value contains memory allocated earlier, or on another thread
        - a hand-written impl counts something twice, or uses a wrong capacity"#]]
    .assert_eq(&message(|| Twice(Box::new([1; 100]))));
}

#[test]
fn shared_memory_from_before_is_explained() {
    let metre = Arc::new("m".repeat(500));
    let make = || Units { metre: Arc::clone(&metre), values: vec![1, 2, 3] };
    expect![[r#"
        the profile and the allocator disagree
        type        asserts::unbalanced::Units
        profile     578 B
        allocator    38 B = 32 B of the value itself + 6 B allocated (1) - 0 B freed (0)
        difference  540 B

        Units      578 B  100.0 %
        ├─ metre   548 B   94.8 %   shared by 2
        └─ values   30 B    5.2 %   3 values
        exact · 3 allocations · 540 B externally held

        540 B were not allocated by the expression. Common causes:
        - shared memory was allocated earlier: 540 B are externally held
        - the value contains memory allocated earlier, or on another thread
        - a hand-written impl counts something twice, or uses a wrong capacity"#]]
    .assert_eq(&message(make));
}

#[test]
fn a_value_moved_in_is_explained() {
    let before = vec!["moved".to_owned()];
    expect![[r#"
        the profile and the allocator disagree
        type        alloc::vec::Vec<alloc::string::String>
        profile     53 B
        allocator   24 B = 24 B of the value itself + 0 B allocated (0) - 0 B freed (0)
        difference  29 B

        Vec  53 B  100.0 %   1 value
        exact · 2 allocations

        29 B were not allocated by the expression. Common causes:
        - the value existed before: pass `value.clone()` instead
        - a hand-written impl counts something twice, or uses a wrong capacity"#]]
    .assert_eq(&message(move || before));
}

#[test]
fn memory_from_before_that_is_freed_is_explained() {
    let before = vec![1_u8; 1000];
    let make = move || before.iter().map(|&byte| u16::from(byte)).take(5).collect::<Vec<_>>();
    expect![[r#"
        the profile and the allocator disagree
        type        alloc::vec::Vec<u16>
        profile        34 B
        allocator    −966 B = 24 B of the value itself + 10 B allocated (1) - 1,000 B freed (1)
        difference  1,000 B

        Vec  34 B  100.0 %   5 values
        exact · 1 allocation

        1,000 B were not allocated by the expression. Common causes:
        - the expression freed memory allocated earlier
        - the value contains memory allocated earlier, or on another thread
        - a hand-written impl counts something twice, or uses a wrong capacity"#]]
    .assert_eq(&message(move || {
        let five = make();
        drop(make);
        five
    }));
}

#[test]
fn memory_from_other_threads_is_explained() {
    let make = || thread::spawn(|| vec![1_u8; 1 << 20]).join().expect("no panic");
    // The bytes for starting a thread depend on the platform.
    let Err(ExactError::Unbalanced(balance)) = check_exact(make) else { panic!("unbalanced") };
    assert!(balance.difference() > 1 << 19, "{balance:?}");
    assert!(message(make).contains("or on another thread"));
}

#[test]
fn memory_stored_outside_the_result_is_explained() {
    static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let make = || {
        LOG.lock().expect("nobody panics").push("made one".repeat(10));
        7_u64
    };
    expect![[r#"
        the profile and the allocator disagree
        type        u64
        profile        8 B
        allocator    184 B = 8 B of the value itself + 176 B allocated (2) - 0 B freed (0)
        difference  −176 B

        u64  8 B  100.0 %
        exact

        176 B are not in the profile. Common causes:
        - a hand-written impl leaves out a field, or uses a length instead of a capacity
        - the expression also allocates for something else: a cache, a static, a first use"#]]
    .assert_eq(&message(make));
}

#[test]
fn a_message_fits_on_a_screen() {
    type Deep = Vec<(Box<[String]>, BTreeMap<String, Vec<(Box<str>, [Vec<u8>; 12])>>)>;
    #[derive(MemoryProfile)]
    struct Wide {
        deep: Vec<(Deep, Deep, Deep)>,
        kept: Forgetful,
        others: [Deep; 3],
        index: BTreeMap<String, Deep>,
    }
    fn deep() -> Deep {
        let twelve = || std::array::from_fn(|len| vec![1; len + 1]);
        let map = || [("key".to_owned(), vec![("text".into(), twelve())])].into();
        vec![(["name".to_owned()].into(), map())]
    }
    let make = || Wide {
        deep: vec![(deep(), deep(), deep())],
        kept: Forgetful { names: vec!["a".repeat(100)], cache: vec![1] },
        others: [deep(), deep(), deep()],
        index: [("k".repeat(50), deep())].into(),
    };
    let text = message(make);
    assert!(text.lines().count() < 24, "{text}");
    expect![[r#"
        the profile and the allocator disagree
        type        asserts::unbalanced::a_message_fits_on_a_screen::Wide
        profile     7,965 B
        allocator   7,973 B = 168 B of the value itself + 7,805 B allocated (139) - 0 B freed (0)
        difference     −8 B

        Wide       7,965 B  100.0 %
        ├─ deep    3,099 B   38.9 %   1 value
        ├─ others  3,075 B   38.6 %   3 values, 3 allocations
        ├─ index   1,619 B   20.3 %   2 values, 480 B spare
        └─ kept      172 B    2.2 %   1 value
        exact · 138 allocations · 3,840 B spare (48.2 %)

        8 B are not in the profile. Common causes:
        - a hand-written impl leaves out a field, or uses a length instead of a capacity
        - the expression also allocates for something else: a cache, a static, a first use"#]]
    .assert_eq(&text);
}
