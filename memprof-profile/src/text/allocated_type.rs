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
//! | optimised, full debug information | 6 % | 100 % |
//! | not optimised, line tables | 67 % | 98 % |
//! | not optimised, full debug information | 6 % | 98 % |
//! | without debug information | 5 % | 6 % |
//! | stripped | 0 % | 0 % |
//!
//! The innermost function with a type decides, because a collection may allocate within another one.
//! It is the right one only with two rules:
//!
//! - If a function of a container has no type, it may have allocated anything, so its callers do not
//!   decide. Exceptions are the functions that allocate only what their callers hold: those of `RawVec`
//!   and of hashbrown's `RawTable`.
//! - The compiler merges functions that are equal for several types, and the merged one has the name of
//!   any of them: `grow_one` of a `Vec<Order>` was that of a `Vec<Vec<f32>>`. So the function that calls
//!   into another address must agree. If the called function is of `RawVec`, the caller decides. Otherwise
//!   the caller must have the same values, or values with the type that was found, as the clone of a
//!   `Vec<Vec<f32>>` has, or no type at all.
//!
//! Without debug information, inlined callers have no frames, so names count only in frames with a file.

use super::CodeOrigin;
use core::fmt;

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

/// Returns the type of what a call stack allocates, innermost frame first: `Vec<app::Order>`.
///
/// Returns `None` if the names do not contain it, and for memory that no collection or pointer of
/// std or hashbrown allocates.
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
    let is_library = |frame: &NamedFrame<'f>| {
        let origin = CodeOrigin::of(frame.function, frame.file, None);
        matches!(origin, CodeOrigin::Std | CodeOrigin::Container | CodeOrigin::Memprof)
    };
    let mut frames = frames.into_iter().take_while(is_library);
    let (mut held, mut before) = loop {
        let frame = frames.next()?;
        match Held::of(frame) {
            Some(held) => break (held, frame),
            None if frame.is_of_text() => return Some("String".to_owned()),
            None if frame.may_allocate_another_type() => return None,
            None => {}
        }
    };
    // Whether all frames so far work on the values of `held`, and whether they are all of `RawVec`.
    let (mut is_own, mut is_raw) = (true, before.is_of_raw_vec());
    for frame in frames {
        let is_caller = frame.address != before.address;
        match Held::of(frame) {
            Some(next) if next.arguments == held.arguments => {
                if is_own && next.is_wrapper() {
                    held.holder = next.holder;
                }
            }
            // The values of a `RawVec` are those of its caller.
            Some(next) if is_caller && is_own && is_raw => held = next,
            Some(next) if is_caller && !next.contains(&held) => return None,
            Some(_) => is_own = false,
            None if is_own && held.is_bytes() && frame.is_of_text() => {
                return Some("String".to_owned());
            }
            None => is_own &= !is_caller && frame.is_in(&VEC_FILES),
        }
        if is_caller && !is_own {
            break;
        }
        is_raw = frame.is_of_raw_vec() && (is_raw || is_caller);
        before = frame;
    }
    // `Arc<str>` allocates as `Arc<[u8]>`.
    (held.arguments != ["[u8]"]).then(|| held.to_string())
}

/// A collection or a pointer, and the types of its values as they are shown.
#[derive(Debug)]
struct Held {
    holder: &'static str,
    arguments: Vec<String>,
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
        "HashMap" => ("HashMap", 2),
        "Node" => ("LinkedList", 1),
        "LeafNode" | "InternalNode" => ("BTreeMap", 2),
        _ => return None,
    })
}

/// The types that std boxes for itself.
const BOXED: [&str; 6] =
    ["::ArcInner", "::RcInner", "::RcBox", "::LeafNode", "::InternalNode", "linked_list::Node"];

/// The files whose functions have the type arguments of a type that allocates first.
const FILES: [(&str, &str); 10] = [
    ("alloc/src/raw_vec/mod.rs", "RawVec"),
    ("alloc/src/vec/", "Vec"),
    ("alloc/src/slice.rs", "Vec"),
    ("alloc/src/boxed.rs", "Box"),
    ("alloc/src/sync.rs", "Arc"),
    ("alloc/src/rc.rs", "Rc"),
    ("alloc/src/collections/vec_deque/", "VecDeque"),
    ("alloc/src/collections/binary_heap/", "BinaryHeap"),
    ("alloc/src/collections/btree/node.rs", "LeafNode"),
    ("std/src/collections/hash/map.rs", "HashMap"),
];

/// The functions that allocate a box or a shared pointer.
const CONSTRUCTORS: [&str; 6] =
    ["new", "try_new", "allocate_for", "try_allocate_for", "clone_from_ref", "try_clone_from_ref"];

/// The files within the folders of [`FILES`] whose functions have an iterator first.
const OF_ITERATORS: [&str; 2] = ["/in_place_collect.rs", "/splice.rs"];

/// The traits that std implements for the values of what it allocates, or for what it takes.
const OF_ELEMENTS: [&str; 3] = ["::SpecFromElem", "::ConvertVec", "::Into<"];

const VEC_FILES: [&str; 3] = ["alloc/src/raw_vec/", "alloc/src/vec/", "alloc/src/slice.rs"];

/// The files of inlined functions of containers that allocate for their callers.
const RAW_FILES: [&str; 4] =
    ["/src/raw/", "/src/raw.rs", "/src/alloc.rs", "/stable/alloc/global.rs"];

/// The functions that allocate only the values of their caller.
const RAW_FUNCTIONS: [&str; 14] = [
    "__rustc::",
    "alloc::alloc::",
    "alloc::boxed::box_new_uninit",
    "core::alloc::",
    "alloc::raw_vec::",
    "alloc::collections::vec_deque::VecDeque<T,A>::grow",
    "alloc::collections::vec_deque::VecDeque<T,A>::push_",
    "alloc::rc::Rc<T>::allocate_for_layout",
    "alloc::rc::Rc<T,A>::allocate_for_layout",
    "alloc::sync::Arc<T>::allocate_for_layout",
    "alloc::vec::in_place_collect::from_iter_in_place",
    "allocator_api2::stable::alloc::",
    "hashbrown::alloc::",
    "hashbrown::raw::",
];

impl Held {
    /// Returns what the function of a frame allocates, if its name states that.
    fn of(frame: NamedFrame<'_>) -> Option<Self> {
        let (function, file) = (frame.function?, frame.file?);
        let own = function.split_once('<').map_or(function, |(own, _)| own);
        if own.is_empty() || own.contains("::") {
            // `<Type>::function`, `<Type as Trait>::function` or `Type::function`.
            let (of, after) = split(&function[own.len()..], "::");
            let of = if own.is_empty() { within(of)? } else { function };
            return Self::of_type(of).filter(|held| held.is_allocated_by(after));
        }
        let file = file.replace('\\', "/");
        if own.starts_with('{') || OF_ITERATORS.iter().any(|end| file.ends_with(end)) {
            return None;
        }
        let name = if file.contains("/hashbrown-") && file.ends_with("/src/map.rs") {
            "HashMap"
        } else {
            FILES.iter().find(|(part, _)| file.contains(part))?.1
        };
        let mut held = Self::new(name, within(&function[own.len()..])?)?;
        if held.is_pointer() && own.contains("slice") {
            held.arguments[0] = format!("[{}]", held.arguments[0]);
        }
        Some(held).filter(|held| held.is_allocated_by(own))
    }

    /// Returns what a type allocates, such as `alloc::raw_vec::RawVec<app::Order>`.
    fn of_type(path: &str) -> Option<Self> {
        let (path, of_trait) = split(path, " as ");
        let is_type = path.starts_with(|c: char| c.is_alphabetic());
        if !is_type || OF_ELEMENTS.iter().any(|name| of_trait.contains(name)) {
            return None;
        }
        let (own, _) = path.split_once('<')?;
        let name = own.trim_end_matches("::").rsplit("::").next()?;
        Self::new(name, within(&path[own.len()..])?)
    }

    fn new(name: &str, arguments: &str) -> Option<Self> {
        let (mut holder, mut count) = holder(name)?;
        let (element, rest) = split(arguments, ", ");
        let (second, _) = split(rest, ", ");
        let all = [element, second];
        if !all[..count].iter().all(|name| is_concrete(name)) {
            return None;
        }
        let is_boxed = |inner: &str| split(element, "<").0.ends_with(inner);
        // Nodes and what pointers share are boxed.
        if name == "Box" && element.starts_with("alloc::") && BOXED.iter().any(|of| is_boxed(of)) {
            return Self::of_type(element);
        }
        // The sets are maps without values.
        match holder {
            "HashMap" if second == "()" => (holder, count) = ("HashSet", 1),
            "BTreeMap" if second.ends_with("SetValZST") => (holder, count) = ("BTreeSet", 1),
            _ => {}
        }
        let arguments = all[..count].iter().map(|name| without_std_paths(name)).collect();
        Some(Self { holder, arguments })
    }

    fn is_pointer(&self) -> bool {
        ["Box", "Arc", "Rc"].contains(&self.holder)
    }

    /// Returns `true` if a function may be the one that allocates this: the functions of boxes and of
    /// shared pointers also call those of their values, as `make_mut` does.
    fn is_allocated_by(&self, function: &str) -> bool {
        !self.is_pointer() || CONSTRUCTORS.iter().any(|start| function.starts_with(start))
    }

    /// Returns `true` for collections that hold a vector.
    fn is_wrapper(&self) -> bool {
        ["VecDeque", "BinaryHeap"].contains(&self.holder)
    }

    fn is_bytes(&self) -> bool {
        self.holder == "Vec" && self.arguments == ["u8"]
    }

    /// Returns `true` if one of the values is or has a type that allocates the other.
    fn contains(&self, other: &Self) -> bool {
        let other = other.to_string();
        let start = other.trim_end_matches('>');
        self.to_string().split_once('<').is_some_and(|(_, values)| values.contains(start))
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<{}>", self.holder, self.arguments.join(", "))
    }
}

impl NamedFrame<'_> {
    fn is_in(&self, files: &[&str]) -> bool {
        self.file.is_some_and(|file| {
            let file = file.replace('\\', "/");
            files.iter().any(|part| file.contains(part))
        })
    }

    /// Returns `true` for a function without a type that may allocate something else than its callers:
    /// one of another package's container, or one whose symbol has no type. Inlined functions have
    /// short names, and state a type where they allocate.
    fn may_allocate_another_type(&self) -> bool {
        let origin = CodeOrigin::of(self.function, self.file, None);
        let function = self.function.unwrap_or_default();
        let path = function.trim_start_matches(['<', '&']);
        if path != function || split(function, "<").0.contains("::") {
            // Without debug information, the functions that are inlined into a clone have no frames.
            let is_raw = RAW_FUNCTIONS.iter().any(|start| path.starts_with(start))
                && (self.file.is_some() || !path.ends_with("clone"));
            return origin != CodeOrigin::Memprof && !is_raw;
        }
        origin == CodeOrigin::Container && !self.is_in(&RAW_FILES)
    }

    fn is_of_raw_vec(&self) -> bool {
        self.is_in(&["alloc/src/raw_vec/"])
    }

    fn is_of_text(&self) -> bool {
        self.is_in(&["alloc/src/string.rs", "alloc/src/fmt.rs", "alloc/src/str.rs"])
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

/// Removes the modules and the allocator of std from a type: `Vec<String>` for `alloc::vec::Vec<alloc::string::String>`.
fn without_std_paths(name: &str) -> String {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let is_std = |path: &&str| {
        ["alloc::", "core::", "std::", "hashbrown::"].iter().any(|of| path.starts_with(of))
    };
    let short = |path| Some(path).filter(is_std).and_then(|path| path.rsplit("::").next());
    let name = name.replace(", alloc::alloc::Global>", ">");
    name.split_inclusive(is_end).map(|path| short(path).unwrap_or(path)).collect()
}

#[cfg(test)]
mod tests;
