//! Stacks as builds have them, and the types of what they allocate.

use super::{NamedFrame, allocated_type};

const STD: &str = "/rustc/0/library/";
const HASHBROWN: &str = "/rust/deps/hashbrown-0.16.1/src/";

/// Functions and their files.
type Stack<'s> = &'s [(&'s str, &'s str)];

/// Returns the type that a stack of functions and files allocates. Functions that begin with a space
/// are inlined into the next one.
fn of(stack: Stack<'_>) -> Option<String> {
    let files: Vec<String> = stack
        .iter()
        .map(|(_, file)| match file.strip_prefix("hashbrown/") {
            Some(file) => format!("{HASHBROWN}{file}"),
            None if file.starts_with("src/") || file.starts_with('/') => (*file).to_owned(),
            None => format!("{STD}{file}"),
        })
        .collect();
    let mut address = 0;
    allocated_type(stack.iter().zip(&files).map(|((function, _), file)| {
        let frame = NamedFrame {
            function: Some(function.trim_start()),
            file: Some(file),
            address: Some(address),
        };
        address += u64::from(!function.starts_with(' '));
        frame
    }))
}

fn check(cases: &[(Stack<'_>, &str)]) {
    for (stack, expected) in cases {
        let stack = [*stack, &[MAIN]].concat();
        assert_eq!(of(&stack).as_deref(), Some(*expected), "{stack:?}");
    }
}

const RAW_VEC: &str = "alloc/src/raw_vec/mod.rs";
const DEQUE: &str = "alloc/src/collections/vec_deque/mod.rs";
const VEC: &str = "alloc/src/vec/mod.rs";
const FROM_ELEM: &str = "alloc/src/vec/spec_from_elem.rs";
const BOXED: &str = "alloc/src/boxed.rs";
const SMALLVEC: &str =
    "/home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/smallvec-1.16.6/src/lib.rs";
const SLICE: &str = "alloc/src/slice.rs";
const IN_PLACE: &str = "alloc/src/vec/in_place_collect.rs";
const MAIN: (&str, &str) = ("app::load", "src/main.rs");

#[test]
fn each_form_of_names_states_the_type() {
    let cases: &[(Stack<'_>, &str)] = &[
        (
            &[
                (" grow_one<alloc::alloc::Global>", RAW_VEC),
                ("<alloc::raw_vec::RawVec<app::Order>>::grow_one", RAW_VEC),
                ("<alloc::vec::Vec<app::Order>>::push", VEC),
            ],
            "Vec<app::Order>",
        ),
        (
            &[
                (" with_capacity_in<alloc::alloc::Global>", RAW_VEC),
                (" with_capacity_in<[alloc::string::String; 2], alloc::alloc::Global>", RAW_VEC),
            ],
            "Vec<[String; 2]>",
        ),
        (&[("alloc::vec::from_elem::<f32>", VEC)], "Vec<f32>"),
        (&[(" new<app::Node>", "alloc/src/boxed.rs")], "Box<app::Node>"),
        (
            &[
                (" box_new_uninit", "alloc/src/boxed.rs"),
                (" new<alloc::sync::ArcInner<app::Config>>", "alloc/src/boxed.rs"),
                (" new<app::Config>", "alloc/src/sync.rs"),
            ],
            "Arc<app::Config>",
        ),
        (
            &[
                (" {closure#0}<app::Label>", "alloc/src/sync.rs"),
                (" allocate_for_layout<[app::Label], fn(usize) -> u8>", "alloc/src/sync.rs"),
            ],
            "Arc<[app::Label]>",
        ),
    ];
    check(cases);
}

#[test]
fn each_collection_states_its_type() {
    let cases: &[(Stack<'_>, &str)] = &[
        (
            &[
                ("hashbrown::raw::RawTableInner::new_uninitialized", "hashbrown/raw/mod.rs"),
                (
                    "<hashbrown::raw::RawTable<(u64, app::Sess)>>::reserve_rehash::<F>",
                    "hashbrown/raw/mod.rs",
                ),
                ("<hashbrown::map::HashMap<u64, app::Sess>>::insert", "hashbrown/map.rs"),
            ],
            "HashMap<u64, app::Sess>",
        ),
        (
            &[
                ("hashbrown::raw::RawTable<T,A>::reserve_rehash", "hashbrown/raw/mod.rs"),
                (" reserve<(u32, ()), alloc::alloc::Global, fn() -> u8>", "hashbrown/raw/mod.rs"),
                (
                    " reserve<u32, (), std::hash::random::RandomState, alloc::alloc::Global>",
                    "hashbrown/map.rs",
                ),
            ],
            "HashSet<u32>",
        ),
        (
            &[(
                " try_new_uninit_in<alloc::collections::btree::node::LeafNode<u64, app::Trade>, alloc::alloc::Global>",
                "alloc/src/boxed.rs",
            )],
            "BTreeMap<u64, app::Trade>",
        ),
        (
            &[(
                "<alloc::boxed::Box<alloc::collections::btree::node::InternalNode<u8, alloc::collections::btree::set_val::SetValZST>>>::new_uninit_in",
                "alloc/src/boxed.rs",
            )],
            "BTreeSet<u8>",
        ),
        (
            &[
                ("<alloc::raw_vec::RawVec<app::Event>>::grow_one", RAW_VEC),
                (
                    "<alloc::collections::vec_deque::VecDeque<app::Event>>::grow",
                    "alloc/src/collections/vec_deque/mod.rs",
                ),
            ],
            "VecDeque<app::Event>",
        ),
        (
            &[
                ("alloc::raw_vec::RawVec<T,A>::grow_one", RAW_VEC),
                ("alloc::collections::vec_deque::VecDeque<T,A>::grow", DEQUE),
                ("alloc::collections::vec_deque::VecDeque<T,A>::push_back_mut", DEQUE),
                (" push_back<app::Event, alloc::alloc::Global>", DEQUE),
            ],
            "VecDeque<app::Event>",
        ),
        (
            &[
                (" allocate_for_slice_in<app::Order, alloc::alloc::Global>", "alloc/src/sync.rs"),
                (" from<app::Order, alloc::alloc::Global>", "alloc/src/sync.rs"),
            ],
            "Arc<[app::Order]>",
        ),
        (
            &[
                ("alloc::vec::in_place_collect::from_iter_in_place", IN_PLACE),
                (" from_iter<[u64; 2], app::Rows>", IN_PLACE),
                (" from_iter<[u64; 2], app::Rows>", VEC),
            ],
            "Vec<[u64; 2]>",
        ),
        (
            &[
                (" from_iter_in_place<app::Rows, u32>", IN_PLACE),
                ("<alloc::vec::Vec<u32> as app::FromIterator<u32>>::from_iter", VEC),
            ],
            "Vec<u32>",
        ),
    ];
    check(cases);
}

#[test]
fn a_collection_cloned_within_another_has_its_own_type() {
    let floats: Stack<'_> = &[
        (" with_capacity_in<f32, alloc::alloc::Global>", RAW_VEC),
        (" to_vec<f32, alloc::alloc::Global>", SLICE),
        (" clone<f32, alloc::alloc::Global>", VEC),
    ];
    let bytes: Stack<'_> = &[
        (" <alloc::raw_vec::RawVec<u8>>::with_capacity_in", RAW_VEC),
        (" <u8 as <[_]>::to_vec_in::ConvertVec>::to_vec::<alloc::alloc::Global>", SLICE),
        (" <[u8]>::to_vec_in::<alloc::alloc::Global>", SLICE),
        (" <alloc::vec::Vec<u8> as core::clone::Clone>::clone", VEC),
    ];
    let cases: &[(Stack<'_>, Stack<'_>, &str)] = &[
        (
            floats,
            &[
                (
                    " extend_with<alloc::vec::Vec<f32, alloc::alloc::Global>, alloc::alloc::Global>",
                    VEC,
                ),
                ("<T as alloc::vec::spec_from_elem::SpecFromElem>::from_elem", FROM_ELEM),
                (" from_elem<alloc::vec::Vec<f32, alloc::alloc::Global>>", VEC),
            ],
            "Vec<f32>",
        ),
        (
            floats,
            &[
                (
                    " extend_with<(u32, alloc::vec::Vec<f32, alloc::alloc::Global>), alloc::alloc::Global>",
                    VEC,
                ),
                (
                    "<(u32, alloc::vec::Vec<f32>) as alloc::vec::spec_from_elem::SpecFromElem>::from_elem::<alloc::alloc::Global>",
                    FROM_ELEM,
                ),
                (" from_elem<(u32, alloc::vec::Vec<f32, alloc::alloc::Global>)>", VEC),
            ],
            "Vec<f32>",
        ),
        (
            floats,
            &[("<alloc::sync::Arc<alloc::vec::Vec<f32>>>::make_mut", "alloc/src/sync.rs")],
            "Vec<f32>",
        ),
        (
            bytes,
            &[
                ("<alloc::string::String as core::clone::Clone>::clone", "alloc/src/string.rs"),
                (" to_vec<alloc::string::String, alloc::alloc::Global>", SLICE),
                ("<alloc::vec::Vec<T,A> as core::clone::Clone>::clone", VEC),
            ],
            "String",
        ),
        (
            bytes,
            &[
                (
                    "<alloc::collections::btree::map::BTreeMap<_, _, _> as core::clone::Clone>::clone::clone_subtree::<alloc::vec::Vec<u8>, alloc::string::String, alloc::alloc::Global>",
                    "alloc/src/collections/btree/map.rs",
                ),
                (
                    " clone<alloc::vec::Vec<u8, alloc::alloc::Global>, alloc::string::String, alloc::alloc::Global>",
                    "alloc/src/collections/btree/map.rs",
                ),
            ],
            "Vec<u8>",
        ),
    ];
    for (inner, outer, expected) in cases {
        let stack = [*inner, *outer, &[MAIN]].concat();
        assert_eq!(of(&stack).as_deref(), Some(*expected), "{stack:?}");
    }
}

#[test]
fn a_function_of_the_elements_has_the_type_of_the_vector() {
    let vector = ("<alloc::raw_vec::RawVec<alloc::vec::Vec<f32>>>::with_capacity_in", RAW_VEC);
    let callers = [
        (
            "<alloc::vec::Vec<f32> as alloc::vec::spec_from_elem::SpecFromElem>::from_elem::<alloc::alloc::Global>",
            FROM_ELEM,
        ),
        (
            "<alloc::vec::Vec<f32> as <[_]>::to_vec_in::ConvertVec>::to_vec::<alloc::alloc::Global>",
            SLICE,
        ),
        ("<[alloc::vec::Vec<f32>]>::to_vec_in::<alloc::alloc::Global>", SLICE),
    ];
    for caller in callers {
        assert_eq!(of(&[vector, caller, MAIN]).as_deref(), Some("Vec<Vec<f32>>"), "{caller:?}");
    }
}

#[test]
fn names_without_a_type_are_unknown() {
    let cases: &[Stack<'_>] = &[
        &[],
        &[("alloc::raw_vec::RawVec<T,A>::grow_one", RAW_VEC), ("alloc::vec::Vec<T,A>::push", VEC)],
        &[("alloc::sync::Arc<[T]>::allocate_for_slice", "alloc/src/sync.rs")],
        &[("<T as alloc::slice::<impl [T]>::to_vec_in::ConvertVec>::to_vec", "alloc/src/slice.rs")],
        &[("alloc::alloc::alloc", "alloc/src/alloc.rs")],
        &[
            ("smallvec::SmallVec<A>::try_grow", SMALLVEC),
            (" clone<[u64; 4]>", SMALLVEC),
            (" to_vec<smallvec::SmallVec<[u64; 4]>, alloc::alloc::Global>", SLICE),
        ],
        &[
            (" clone<[u64; 4]>", SMALLVEC),
            (" to_vec<smallvec::SmallVec<[u64; 4]>, alloc::alloc::Global>", SLICE),
        ],
        &[
            ("<alloc::vec::Vec<T,A> as core::clone::Clone>::clone", VEC),
            (" to_vec<alloc::vec::Vec<f32, alloc::alloc::Global>, alloc::alloc::Global>", SLICE),
        ],
        &[
            ("std::thread::current::init_current", "std/src/thread/current.rs"),
            (" call_once<(), dyn core::ops::function::FnOnce<(), Output=()>>", BOXED),
        ],
        &[(" call_once<(), dyn core::ops::function::FnOnce<(), Output=()>>", BOXED)],
        // `Arc<str>`.
        &[
            (" allocate_for_slice<u8>", "alloc/src/sync.rs"),
            ("<alloc::sync::Arc<[u8]>>::copy_from_slice", "alloc/src/sync.rs"),
            (" from", "alloc/src/sync.rs"),
        ],
        &[
            ("hashbrown::raw::RawTable<T,A>::reserve_rehash", "hashbrown/raw/mod.rs"),
            (
                " insert<(u32, u32), alloc::alloc::Global, app::table::{closure_env#0}>",
                "hashbrown/raw/mod.rs",
            ),
            (
                " insert_unique<(u32, u32), alloc::alloc::Global, app::table::{closure_env#0}>",
                "hashbrown/table.rs",
            ),
        ],
        // Each name is of either type, because the compiler has merged the clones.
        &[
            (" to_vec<u8, alloc::alloc::Global>", SLICE),
            ("<alloc::vec::Vec<u8> as core::clone::Clone>::clone", VEC),
            (" to_vec<alloc::vec::Vec<i8, alloc::alloc::Global>, alloc::alloc::Global>", SLICE),
        ],
        // Cut or damaged names.
        &[("<alloc::raw_vec::RawVec<app::Order", RAW_VEC)],
        &[("<<<>>", RAW_VEC)],
        &[("new<", "alloc/src/boxed.rs")],
        &[("new<>", "alloc/src/boxed.rs")],
        &[("<->>", "alloc/src/boxed.rs")],
        &[("<alloc::boxed::Box<\u{e9}", "alloc/src/boxed.rs")],
    ];
    for stack in cases {
        let stack = [*stack, &[MAIN, (" new<app::Other>", "alloc/src/boxed.rs")]].concat();
        assert_eq!(of(&stack), None, "{stack:?}");
    }
}

#[test]
fn the_caller_of_a_merged_function_decides() {
    let merged = ("<alloc::raw_vec::RawVec<alloc::vec::Vec<f32>>>::grow_one", RAW_VEC);
    let caller = (" push_mut<app::Order, alloc::alloc::Global>", VEC);
    assert_eq!(of(&[merged, caller, MAIN]).as_deref(), Some("Vec<app::Order>"));
    let inlined = (" with_capacity_in<u8, alloc::alloc::Global>", RAW_VEC);
    assert_eq!(of(&[inlined, caller, MAIN]).as_deref(), Some("Vec<u8>"));
}
