//! Values and impls that a profile must survive: types without frames, keys that look like frames,
//! absurd numbers.

use memprof::tree::{Branch, LeafKind};
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Mutex;

/// Runs `test` on a stack of 1 MiB.
fn on_a_small_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(test);
    thread.expect("threads can be made").join().expect("the test does not panic");
}

/// A recursive and transparent type: no field gives a name to the position where it recurs.
#[derive(MemoryProfile)]
struct Link(Option<Rc<Link>>);

#[test]
fn shared_links_without_a_name_fold() {
    on_a_small_stack(|| {
        let mut last = Rc::new(Link(None));
        let mut held = Vec::new();
        for _ in 0..20_000 {
            held.push(Rc::clone(&last));
            last = Rc::new(Link(Some(last)));
        }
        let profile = Profile::of(&last);
        assert_eq!(profile.total_bytes(), 8 + 20_001 * 24);
        assert_eq!(profile.to_folded_detailed().lines().count(), 4);
        // The links are dropped in a loop, because a recursive drop would overflow the stack.
        drop(last);
        while held.pop().is_some() {}
    });
}

#[derive(MemoryProfile)]
struct Folder {
    files: Vec<u8>,
    #[profile(keyed)]
    folders: BTreeMap<String, Folder>,
}

fn folder(bytes: usize, folders: Vec<(&str, Folder)>) -> Folder {
    let folders = folders.into_iter().map(|(name, folder)| (name.to_owned(), folder)).collect();
    Folder { files: vec![0; bytes], folders }
}

#[test]
fn recursive_keyed_maps_name_their_first_level() {
    let root = folder(1, vec![("a", folder(1000, vec![("b", folder(500, vec![]))]))]);
    let profile = Profile::of(&root);
    let folded = profile.to_folded();
    assert!(folded.contains("Folder;folders;a;files 1548\n"), "{folded}");
    assert!(folded.contains("Folder;files 25\n"), "{folded}");
}

#[test]
fn deeply_keyed_maps_take_linear_time() {
    let mut root = folder(0, vec![]);
    for _ in 0..3_000 {
        root = folder(0, vec![("a", root)]);
    }
    assert!(Profile::of(&root).is_exact());
    let mut rest = vec![root];
    while let Some(mut next) = rest.pop() {
        rest.extend(std::mem::take(&mut next.folders).into_values());
    }
}

/// A value with two fields. Its cell is marked as opaque while it is mutably borrowed.
#[derive(MemoryProfile)]
struct Marked {
    bytes: Vec<u8>,
    cell: RefCell<Vec<u8>>,
}

#[test]
fn many_names_with_fields_and_marks_take_linear_time() {
    let values: Vec<(String, Marked)> = (0..100_000)
        .map(|name| (name.to_string(), Marked { bytes: vec![0; 10], cell: RefCell::default() }))
        .collect();
    let _held: Vec<_> = values.iter().map(|(_, value)| value.cell.borrow_mut()).collect();
    let named = values.iter().map(|(name, value)| (name, value as &dyn MemoryProfile));
    let profile = Profile::of_all("all", named);
    assert_eq!(profile.root().children().count(), 100_000);
    let marks = profile.root().subtree().flat_map(Branch::opaque);
    assert_eq!(marks.map(|(_, count)| count).sum::<u64>(), 100_000);
}

#[derive(MemoryProfile)]
struct Layered {
    data: Vec<u8>,
    #[profile(leaf, role = "metadata")]
    below: Option<Box<Layered>>,
}

#[test]
fn a_recursive_type_below_a_leaf_stays_in_the_leaf() {
    let below = Layered { data: vec![0; 1000], below: None };
    let profile = Profile::of(&Layered { data: vec![0; 10], below: Some(Box::new(below)) });
    assert_eq!(profile.to_folded(), "Layered;below 1040\nLayered;data 34\n");
}

#[test]
fn keys_that_equal_bracketed_frames_are_no_names() {
    #[derive(MemoryProfile)]
    struct Table {
        #[profile(keyed)]
        rows: BTreeMap<String, Vec<u8>>,
    }
    let rows = ["[keys]", "[other]", "[spare]", "row"].map(|key| (key.to_owned(), vec![0; 100]));
    let profile = Profile::of(&Table { rows: BTreeMap::from(rows) });
    let folded = profile.to_folded_detailed();
    assert!(folded.contains("Table;rows;row;[data] 100\n"), "{folded}");
    assert!(folded.contains("Table;rows;[other];[data] 300\n"), "{folded}");
    assert!(!folded.contains("[keys];[data] 300"), "{folded}");
}

/// An impl that reports wrong amounts.
struct Liar;

impl MemoryProfile for Liar {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.leaf(at, LeafKind::Data, usize::MAX);
        walk.allocation(at, 2, 1);
    }
}

#[test]
fn absurd_sizes_saturate() {
    let profile = Profile::of(&(Liar, Liar, Rc::new(Liar)));
    assert_eq!(profile.total_bytes(), u64::MAX);
}

#[test]
fn the_address_zero_identifies_memory() {
    struct Handle(usize);
    impl MemoryProfile for Handle {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            walk.shared(at, self.0, || 2, |walk, at| walk.allocation(at, 100, 100));
        }
    }
    let handles = [Handle(0), Handle(64), Handle(0), Handle(64)];
    let profile = Profile::of(&handles);
    assert_eq!(profile.total_bytes(), 32 + 200);
    let shared = profile.shared();
    assert_eq!((shared.allocations, shared.handles, shared.bytes_if_unshared), (2, 4, 432));
}

/// Bytes that other code allocated.
struct Blob(usize);

impl Drop for Blob {
    fn drop(&mut self) {
        // The other code frees the bytes.
    }
}

impl MemoryProfile for Blob {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.allocation(at, self.0, self.0);
    }
}

#[test]
fn locked_contents_are_never_exact() {
    let blob = Mutex::new(Blob(1000));
    assert!(Profile::of(&blob).is_exact());
    let _held = blob.lock();
    assert!(!Profile::of(&blob).is_exact());
}
