//! The type whose values a block holds, from the names of the functions that allocated it.
//!
//! An allocator sees a size, and no type. But the collections of std are generic, so the functions on
//! the stack of an allocation have the element type in their names: `RawVec<Order>::grow_one`,
//! `Box<Node>::new`. Two kinds of names have it:
//!
//! - symbols with the mangling `v0`: `<alloc::raw_vec::RawVec<app::Order>>::grow_one`;
//! - the short names of inlined functions in builds with `debug = "line-tables-only"`:
//!   `push<app::Order, alloc::alloc::Global>`, in whichever mangling.
//!
//! Legacy symbols have only the letters of the parameters: `alloc::raw_vec::RawVec<T,A>::grow_one`.
//! Of a program whose memory is of 14 types, this share of the live bytes got its type with Rust 1.95,
//! and the rest got none:
//!
//! | build | legacy mangling | v0 |
//! |---|---|---|
//! | optimised, line tables | 100 % | 100 % |
//! | optimised, full debug information | 9 % | 100 % |
//! | not optimised, line tables | 54 % | 100 % |
//! | not optimised, full debug information | 9 % | 100 % |
//! | without debug information | 7 % | 6 % |
//! | stripped | 0 % | 0 % |
//!
//! The innermost function with a type decides, because a collection may allocate within another one.
//! There is one exception: the compiler merges functions that are equal for several types, and the
//! merged one has the name of any of them: `grow_one` of a `Vec<Order>` was that of a `Vec<Vec<f32>>`.
//! So the caller of a function that is not inlined decides, if it has a type. Without debug information,
//! inlined callers have no frames, so names count only in frames with a file.

use super::CodeOrigin;

/// A frame of a call stack.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a frame has no other names")]
pub struct NamedFrame<'f> {
    /// The function, demangled.
    pub function: Option<&'f str>,
    /// The file.
    pub file: Option<&'f str>,
    /// The address, which functions share that are inlined into one another.
    pub address: Option<u64>,
}

/// Returns the type of what a call stack allocates, the innermost frame first: `Vec<app::Order>`.
///
/// Returns `None` if the names do not state it, and for memory that no collection or pointer of std or
/// hashbrown allocates.
///
/// ```
/// use memprof_profile::text::{NamedFrame, allocated_type};
///
/// let frame = |function, file, address| NamedFrame {
///     function: Some(function),
///     file: Some(file),
///     address: Some(address),
/// };
/// let frames = [
///     frame("alloc::raw_vec::RawVec<T,A>::grow_one", "/rustc/0/library/alloc/src/raw_vec/mod.rs", 1),
///     frame("push<app::Order, alloc::alloc::Global>", "/rustc/0/library/alloc/src/vec/mod.rs", 2),
///     frame("app::load", "src/main.rs", 2),
/// ];
/// assert_eq!(allocated_type(frames).as_deref(), Some("Vec<app::Order>"));
/// ```
pub fn allocated_type<'f>(frames: impl IntoIterator<Item = NamedFrame<'f>>) -> Option<String> {
    let mut held: Option<Held<'_>> = None;
    let mut is_text = false;
    // The address of the frame before, if that frame has the type.
    let mut decided_at = None;
    for frame in frames {
        let origin = CodeOrigin::of(frame.function, frame.file, None);
        if !matches!(origin, CodeOrigin::Std | CodeOrigin::Container | CodeOrigin::Memprof) {
            break;
        }
        is_text |= frame.is_of_text();
        let next = Held::of(frame);
        let was_decided_at = core::mem::take(&mut decided_at);
        let is_caller = was_decided_at.is_some_and(|at| at != frame.address);
        match (&mut held, next) {
            (None, Some(next)) => {
                decided_at = Some(frame.address);
                held = Some(next);
            }
            (Some(held), Some(next)) if is_caller && !held.is_slice_of(&next) => *held = next,
            (Some(held), Some(next)) if next.arguments == held.arguments && next.is_wrapper() => {
                held.holder = next.holder;
            }
            // The name of a function that others are inlined into stands at the end of its address.
            (Some(_), _) if was_decided_at == Some(frame.address) => decided_at = was_decided_at,
            _ => {}
        }
    }
    let held = held?;
    if is_text && held.arguments == ["u8"] {
        return Some("String".to_owned());
    }
    let arguments: Vec<String> =
        held.arguments.iter().map(|name| without_std_paths(name)).collect();
    Some(format!("{}<{}>", held.holder, arguments.join(", ")))
}

/// A collection or a pointer, and the types of its values.
#[derive(Debug)]
struct Held<'f> {
    holder: &'static str,
    arguments: Vec<&'f str>,
}

/// Returns the name under which a type that allocates is shown, and how many of its first type arguments
/// are values.
fn holder(name: &str) -> Option<(&'static str, usize)> {
    Some(match name {
        "RawVec" | "Vec" | "from_elem" => ("Vec", 1),
        "VecDeque" => ("VecDeque", 1),
        "BinaryHeap" => ("BinaryHeap", 1),
        "Box" => ("Box", 1),
        "Arc" | "ArcInner" => ("Arc", 1),
        "Rc" | "RcInner" | "RcBox" => ("Rc", 1),
        "RawTable" => ("HashMap", 1),
        "Node" => ("LinkedList", 1),
        "LeafNode" | "InternalNode" => ("BTreeMap", 2),
        _ => return None,
    })
}

/// The types that std boxes for itself.
const BOXED: [&str; 6] =
    ["::ArcInner", "::RcInner", "::RcBox", "::LeafNode", "::InternalNode", "linked_list::Node"];

/// The files whose functions have the type arguments of a type that allocates first.
const FILES: [(&str, &str); 9] = [
    ("alloc/src/raw_vec/mod.rs", "RawVec"),
    ("alloc/src/vec/", "Vec"),
    ("alloc/src/slice.rs", "Vec"),
    ("alloc/src/boxed.rs", "Box"),
    ("alloc/src/sync.rs", "Arc"),
    ("alloc/src/rc.rs", "Rc"),
    ("alloc/src/collections/vec_deque/", "VecDeque"),
    ("alloc/src/collections/btree/node.rs", "LeafNode"),
    ("/raw/mod.rs", "RawTable"),
];

impl<'f> Held<'f> {
    /// Returns what the function of a frame allocates, if its name states that.
    fn of(frame: NamedFrame<'f>) -> Option<Self> {
        let (function, file) = (frame.function?, frame.file?);
        let own = function.split_once('<').map_or(function, |(own, _)| own);
        if function.starts_with('<') {
            // `<Type>::function` or `<Type as Trait>::function`.
            return Self::of_type(within(function)?);
        }
        if own.contains("::") {
            return Self::of_type(function);
        }
        if own.starts_with('{') {
            return None;
        }
        let file = file.replace('\\', "/");
        let (_, name) = FILES.iter().find(|(part, _)| file.contains(part))?;
        Self::new(name, within(&function[own.len()..])?)
    }

    /// Returns what a type allocates, such as `alloc::raw_vec::RawVec<app::Order>`.
    fn of_type(path: &'f str) -> Option<Self> {
        let (path, _) = split(path, " as ");
        let (own, _) = path.split_once('<')?;
        let name = own.trim_end_matches("::").rsplit("::").next()?;
        Self::new(name, within(&path[own.len()..])?)
    }

    fn new(name: &str, arguments: &'f str) -> Option<Self> {
        let (holder, count) = holder(name)?;
        let (element, rest) = split(arguments, ", ");
        let (second, _) = split(rest, ", ");
        let all = [element, second];
        if !all[..count].iter().all(|name| is_concrete(name)) {
            return None;
        }
        let is_boxed = |inner: &str| split(element, "<").0.ends_with(inner);
        Some(match name {
            // Nodes and what pointers share are boxed.
            "Box" if element.starts_with("alloc::") && BOXED.iter().any(|of| is_boxed(of)) => {
                return Self::of_type(element);
            }
            "RawTable" => {
                let pair = element.strip_prefix('(').and_then(|pair| pair.strip_suffix(')'))?;
                let (key, value) = split(pair, ", ");
                match value {
                    "()" => Self { holder: "HashSet", arguments: vec![key] },
                    _ => Self { holder, arguments: vec![key, value] },
                }
            }
            _ if count > 1 && second.ends_with("SetValZST") => {
                Self { holder: "BTreeSet", arguments: vec![element] }
            }
            _ => Self { holder, arguments: all[..count].to_vec() },
        })
    }

    /// Returns `true` if this holds a slice of the other's values: a function of `Arc<[T]>` has only
    /// `T` in its short name.
    fn is_slice_of(&self, other: &Self) -> bool {
        let slice = self.arguments[0].strip_prefix('[').and_then(|of| of.strip_suffix(']'));
        self.holder == other.holder && slice == other.arguments.first().copied()
    }

    /// Returns `true` for collections that hold a vector.
    fn is_wrapper(&self) -> bool {
        ["VecDeque", "BinaryHeap"].contains(&self.holder)
    }
}

impl NamedFrame<'_> {
    /// Returns `true` for functions of strings.
    fn is_of_text(&self) -> bool {
        let is_file = |file: &str| {
            ["/string.rs", "/fmt.rs", "alloc/src/str.rs"].iter().any(|end| file.ends_with(end))
        };
        self.file.is_some_and(is_file)
            || self.function.is_some_and(|function| function.contains("string::String>"))
    }
}

/// Returns the text within the brackets that a text begins with.
fn within(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let (inner, after) = split(rest, ">");
    (inner.len() < rest.len() || !after.is_empty()).then_some(inner)
}

/// Splits a text at the first separator outside of brackets; the second part is empty if there is none.
fn split<'t>(text: &'t str, separator: &str) -> (&'t str, &'t str) {
    let mut depth = 0_u32;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        if depth == 0 && text[at..].starts_with(separator) && !(before == '-' && letter == '>') {
            return (&text[..at], &text[at + separator.len()..]);
        }
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = letter;
    }
    (text, "")
}

/// Returns `false` for the parameters of legacy names, such as `T` or `[T]`, and for allocators.
fn is_concrete(name: &str) -> bool {
    let is_letter =
        |word: &str| word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
    let mut words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
    !name.is_empty()
        && !name.ends_with("alloc::Global")
        && !words.any(|word| is_letter(word) || word == "_")
}

/// Removes the modules of std from a type: `Vec<String>` for `alloc::vec::Vec<alloc::string::String>`.
fn without_std_paths(name: &str) -> String {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let is_std = |path: &&str| {
        ["alloc::", "core::", "std::", "hashbrown::"].iter().any(|of| path.starts_with(of))
    };
    let short = |path| Some(path).filter(is_std).and_then(|path| path.rsplit("::").next());
    name.split_inclusive(is_end).map(|path| short(path).unwrap_or(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::{NamedFrame, allocated_type};

    const STD: &str = "/rustc/0/library/";
    const HASHBROWN: &str = "/rust/deps/hashbrown-0.16.1/src/";

    /// Returns the type that a stack of functions and files allocates. Functions that begin with a space
    /// are inlined into the next one.
    fn of(stack: &[(&str, &str)]) -> Option<String> {
        let files: Vec<String> = stack
            .iter()
            .map(|(_, file)| match file.strip_prefix("hashbrown/") {
                Some(file) => format!("{HASHBROWN}{file}"),
                None if file.starts_with("src/") => (*file).to_owned(),
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

    const RAW_VEC: &str = "alloc/src/raw_vec/mod.rs";
    const VEC: &str = "alloc/src/vec/mod.rs";
    const MAIN: (&str, &str) = ("app::load", "src/main.rs");

    #[test]
    fn each_form_of_names_states_the_type() {
        let cases: &[(&[(&str, &str)], &str)] = &[
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
                    (
                        " with_capacity_in<[alloc::string::String; 2], alloc::alloc::Global>",
                        RAW_VEC,
                    ),
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
                    (
                        " reserve<(u32, ()), alloc::alloc::Global, fn() -> u8>",
                        "hashbrown/raw/mod.rs",
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
                    ("<alloc::raw_vec::RawVec<u8>>::with_capacity_in", RAW_VEC),
                    ("<alloc::string::String>::with_capacity", "alloc/src/string.rs"),
                    ("<alloc::vec::Vec<alloc::string::String> as core::clone::Clone>::clone", VEC),
                ],
                "String",
            ),
        ];
        for (stack, expected) in cases {
            let stack = [*stack, &[MAIN]].concat();
            assert_eq!(of(&stack).as_deref(), Some(*expected), "{stack:?}");
        }
    }

    #[test]
    fn names_without_a_type_are_unknown() {
        let cases: &[&[(&str, &str)]] = &[
            &[],
            &[
                ("alloc::raw_vec::RawVec<T,A>::grow_one", RAW_VEC),
                ("alloc::vec::Vec<T,A>::push", VEC),
            ],
            &[("alloc::sync::Arc<[T]>::allocate_for_slice", "alloc/src/sync.rs")],
            &[(
                "<T as alloc::slice::<impl [T]>::to_vec_in::ConvertVec>::to_vec",
                "alloc/src/slice.rs",
            )],
            &[("alloc::alloc::alloc", "alloc/src/alloc.rs")],
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
}
