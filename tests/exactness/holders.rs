//! Who keeps shared memory alive, compared with what the allocator frees when it is dropped.

use crate::allocator::live_bytes;
use crate::graphs::{AROUND, Edges, Handle};
use crate::random::Random;
use memprof::walk::Holders;
use memprof::{MemoryProfile, Profile};
use memprof_test_support::rounds;
use std::collections::{BTreeMap, HashMap};
use std::mem::{replace, take};
use std::rc::{Rc, Weak};

/// Returns the number of random graphs.
fn graphs() -> u64 {
    if cfg!(miri) { 20 } else { rounds(2_000, 10_000) }
}

/// A root whose fields have handles.
#[derive(Default, MemoryProfile)]
struct App {
    first: Vec<Handle>,
    inner: Inner,
    boxed: Box<[Handle]>,
}

#[derive(Default, MemoryProfile)]
struct Inner {
    one: Vec<Handle>,
    other: Vec<Handle>,
}

impl App {
    /// Returns the fields with handles, and their paths.
    fn fields(&mut self) -> [(&'static str, &mut [Handle]); 4] {
        let Self { first, inner: Inner { one, other }, boxed } = self;
        [
            ("app;first", first),
            ("app;inner;one", one),
            ("app;inner;other", other),
            ("app;boxed", boxed),
        ]
    }
}

/// A random graph, with a weak handle to each vertex and handles outside of the root.
struct Graph {
    app: App,
    outside: Vec<Handle>,
    weak: Vec<Handle>,
}

/// What a walk finds in a graph, by address.
#[derive(Default)]
struct Found {
    /// The path at which each shared allocation counts.
    path: HashMap<usize, String>,
    /// The paths of the handles to each shared allocation, and the number of handles at each.
    handles: HashMap<usize, BTreeMap<String, u64>>,
    /// The bytes of vertices that the root alone owns.
    owned: HashMap<usize, u64>,
    /// The vertex whose edges the walk cannot read.
    borrowed: Option<usize>,
}

/// The position of a handle. Handles inside vertices have the path of the root's own handles, because
/// their type contains itself.
#[derive(Clone, Copy)]
struct At {
    field: &'static str,
    is_in_shared: bool,
}

impl At {
    fn path(self, handle: &Handle) -> String {
        format!("{};{}", self.field, variant(handle))
    }
}

fn variant(handle: &Handle) -> &'static str {
    match handle {
        Handle::Rc(_) => "Rc",
        Handle::Arc(_) => "Arc",
        Handle::WeakRc(_) => "WeakRc",
        Handle::WeakArc(_) => "WeakArc",
    }
}

impl Graph {
    fn random(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        let count = 1 + random.below(9);
        let all: Vec<Handle> = (0..count).map(|_| Handle::random(random)).collect();
        for _ in 0..random.below(count * 3) {
            let (from, to) = (random.below(count), random.below(count));
            let edge = if random.below(5) == 0 { all[to].weak() } else { all[to].clone() };
            if from < to || random.below(6) == 0 {
                all[from].vertex().expect("it is strong").edges.with(|edges| edges.push(edge));
            }
        }
        let some = |random: &mut Random, most: usize| -> Vec<Handle> {
            (0..random.below(most)).map(|_| all[random.below(count)].clone()).collect()
        };
        let inner = Inner { one: some(random, 3), other: some(random, 3) };
        let app = App { first: some(random, 3), inner, boxed: some(random, 2).into() };
        let outside = if random.below(3) == 0 { some(random, 3) } else { Vec::new() };
        let weak: Vec<Handle> = all.iter().map(Handle::weak).collect();
        drop(all);
        // The number of handles to the allocation of a dropped value is unknown.
        for vertex in weak.iter().filter_map(Handle::upgrade) {
            let edges = &vertex.vertex().expect("it is strong").edges;
            edges.with(|edges| edges.retain(|edge| edge.strong_count() > 0));
        }
        Self { app, outside, weak }
    }

    fn found(&mut self, borrowed: Option<usize>) -> Found {
        let mut found = Found { borrowed, ..Found::default() };
        for (field, handles) in self.app.fields() {
            for handle in handles {
                found.follow(handle, At { field, is_in_shared: false });
            }
        }
        found
    }

    /// Moves the strong handles out of all vertices, of the root and from outside that are accepted.
    fn take_handles(&mut self, accepts: impl Fn(&Handle) -> bool) -> Vec<Handle> {
        let mut taken = Vec::new();
        let mut take = |handles: &mut [Handle]| {
            let accepted = handles.iter_mut().filter(|handle| accepts(handle));
            taken.extend(accepted.map(|handle| replace(handle, Handle::WeakRc(Weak::new()))));
        };
        self.app.fields().into_iter().for_each(|(_, handles)| take(handles));
        take(&mut self.outside);
        for vertex in self.weak.iter().filter_map(Handle::upgrade) {
            vertex.vertex().expect("it is strong").edges.with(|edges| take(edges));
        }
        taken
    }

    /// Moves the root's own handles at a path and below it out of the graph.
    fn take_path(&mut self, path: &str) -> Vec<Handle> {
        let mut taken = Vec::new();
        for (field, handles) in self.app.fields() {
            for handle in handles {
                take_at(path, field, handle, &mut taken);
            }
        }
        taken
    }

    /// Returns the bytes of shared memory that are freed when handles are dropped.
    fn freed(&self, before: i64, found: &Found) -> u64 {
        // The weak handles keep the allocation around each dropped vertex.
        let is_dead = |address: &usize| !self.is_alive(*address);
        let owned = found.owned.iter().filter(|one| is_dead(one.0));
        let owned: u64 = owned.map(|(_, bytes)| bytes - AROUND).sum();
        (before - live_bytes()) as u64 - owned
    }

    fn is_alive(&self, address: usize) -> bool {
        self.weak.iter().any(|weak| weak.address() == address && weak.strong_count() > 0)
    }
}

/// Drops what is in cycles.
impl Drop for Graph {
    fn drop(&mut self) {
        drop((take(&mut self.app), take(&mut self.outside)));
        for vertex in self.weak.iter().filter_map(Handle::upgrade) {
            let edges = vertex.vertex().map(|vertex| vertex.edges.with(take));
            drop(edges);
        }
    }
}

impl Found {
    fn follow(&mut self, handle: &Handle, at: At) {
        let Some(vertex) = handle.vertex() else { return };
        let (address, is_shared, path) =
            (handle.address(), handle.strong_count() > 1, at.path(handle));
        if is_shared {
            *self.handles.entry(address).or_default().entry(path.clone()).or_default() += 1;
            if self.path.contains_key(&address) {
                return;
            }
            self.path.insert(address, path);
        } else if !at.is_in_shared {
            self.owned.insert(address, vertex.bytes());
        }
        if self.borrowed != Some(address) {
            let at = At { is_in_shared: at.is_in_shared || is_shared, ..at };
            vertex.edges.with(|edges| edges.iter().for_each(|edge| self.follow(edge, at)));
        }
    }

    /// Compares the listed handles to some allocations with those of the graph.
    fn check_handles(&self, held: &Holders, members: &[usize], graph: &Graph) {
        let mut handles: BTreeMap<String, u64> = BTreeMap::new();
        for (path, count) in members.iter().flat_map(|address| &self.handles[address]) {
            *handles.entry(path.clone()).or_default() += count;
        }
        let is_member = |weak: &&Handle| members.contains(&weak.address());
        let strong: usize = graph.weak.iter().filter(is_member).map(Handle::strong_count).sum();
        let met: u64 = handles.values().sum();
        assert_eq!(held.handles, Vec::from_iter(handles), "{held:?}");
        assert_eq!(held.unmet_handles, Some(strong as u64 - met), "{held:?}");
    }

    /// Returns the addresses of the allocations that holders describe, if only they are like that.
    fn members(&self, held: &Holders) -> Option<Vec<usize>> {
        let is_member = |&(address, path): &(&usize, &String)| {
            *path == held.path
                && self.handles[address].keys().eq(held.handles.iter().map(|one| &one.0))
        };
        let members: Vec<usize> = self.path.iter().filter(is_member).map(|one| *one.0).collect();
        (members.len() as u64 == held.allocations).then_some(members)
    }
}

/// Moves a handle of the root out of the graph if it is at a path or below it, or else the handles
/// that only this handle leads to.
fn take_at(path: &str, field: &'static str, handle: &mut Handle, taken: &mut Vec<Handle>) {
    let Some(vertex) = handle.vertex() else { return };
    let at = format!("{field};{}", variant(handle));
    if at.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(';')) {
        taken.push(replace(handle, Handle::WeakRc(Weak::new())));
    } else if handle.strong_count() == 1 {
        vertex.edges.with(|edges| {
            for edge in edges {
                take_at(path, field, edge, taken);
            }
        });
    }
}

/// The number of times that each kind of dominator was checked.
#[derive(Debug, Default)]
struct Checked {
    paths: u32,
    shared: u32,
    outside: u32,
    leaked: u32,
    members: u32,
    partial: u32,
}

/// Checks what the profile of a random graph says about the allocations at an index. Returns whether
/// there are any. If `is_partial`, the walk may not read the first vertex.
fn check(seed: u64, index: usize, is_partial: bool, checked: &mut Checked) -> bool {
    let mut graph = Graph::random(seed);
    let first = graph.app.first.iter().find(|handle| handle.vertex().is_some());
    let first = first.filter(|_| is_partial);
    let guard = match first.and_then(Handle::vertex).map(|vertex| &vertex.edges) {
        Some(Edges::Cell(edges)) => Some(edges.borrow_mut()),
        _ => None,
    };
    let borrowed = first.filter(|_| guard.is_some()).map(Handle::address);
    let profile = Profile::with_holders("app", &graph.app);
    if index == 0 {
        let usual = Profile::named("app", &graph.app);
        assert_eq!(profile.to_folded(), usual.to_folded(), "seed {seed}");
        assert_eq!(profile.shared(), usual.shared(), "seed {seed}");
    }
    drop(guard);
    let found = graph.found(borrowed);
    let all = profile.holders().expect("it was asked for");
    assert_eq!(all.iter().map(|held| held.allocations).sum::<u64>(), found.path.len() as u64);
    let Some(held) = all.get(index) else { return false };
    let members = found.members(held);
    if let Some(members) = &members {
        found.check_handles(held, members, &graph);
        checked.members += 1;
    }
    check_dominator(held, members.as_deref(), &mut graph, &found, checked);
    drop(graph);

    let mut graph = Graph::random(seed);
    let first = graph.app.first.iter().find(|handle| handle.vertex().is_some());
    let borrowed = first.filter(|_| borrowed.is_some()).map(Handle::address);
    let found = graph.found(borrowed);
    if let Some(members) = found.members(held) {
        let before = live_bytes();
        drop(graph.take_handles(|handle| members.contains(&handle.address())));
        let freed = graph.freed(before, &found);
        assert!(held.bytes <= freed, "seed {seed}: {held:?} {freed}");
        assert!(held.bytes == freed || borrowed.is_some(), "seed {seed}: {held:?} {freed}");
    }
    true
}

/// Drops the dominator of some allocations, and checks that the predicted bytes are freed.
fn check_dominator(
    held: &Holders,
    members: Option<&[usize]>,
    graph: &mut Graph,
    found: &Found,
    checked: &mut Checked,
) {
    let before = live_bytes();
    drop(match held.dominator.as_deref() {
        Some(path) => match path.strip_suffix(";[shared]") {
            Some(path) => graph.take_handles(|handle| {
                found.path.get(&handle.address()).is_some_and(|found| found == path)
            }),
            None => graph.take_path(path),
        },
        None => graph.take_path("app"),
    });
    let freed = graph.freed(before, found);
    let stay = members.map(|all| all.iter().filter(|one| graph.is_alive(**one)).count());
    match held.freed_bytes {
        Some(bytes) if found.borrowed.is_some() => {
            assert!(bytes <= freed, "{held:?} {freed}");
            checked.partial += 1;
        }
        Some(bytes) => {
            assert_eq!(bytes, freed, "{held:?}");
            assert!(bytes >= held.bytes || stay != Some(0), "{held:?}");
            checked.leaked += u32::from(bytes < held.bytes);
            let is_shared = held.dominator.as_ref().is_some_and(|path| path.ends_with("[shared]"));
            *if is_shared { &mut checked.shared } else { &mut checked.paths } += 1;
        }
        None => {
            assert_eq!(held.dominator, None);
            let all_stay = stay.is_none_or(|stay| stay as u64 == held.allocations);
            assert!(all_stay || found.borrowed.is_some(), "{held:?}");
            checked.outside += 1;
        }
    }
}

#[test]
fn dropping_a_dominator_frees_the_predicted_bytes() {
    let mut checked = Checked::default();
    for seed in 0..graphs() {
        let mut index = 0;
        while check(seed, index, seed % 5 == 0, &mut checked) {
            index += 1;
        }
    }
    let &Checked { paths, shared, outside, leaked, members, partial } = &checked;
    let least = [paths, shared, outside, leaked, members, partial].into_iter().min();
    assert!(cfg!(miri) || least >= Some(graphs() as u32 / 100), "{checked:?}");
}

#[test]
fn what_a_followed_target_holds_is_held_outside() {
    #[derive(MemoryProfile)]
    struct View<'a> {
        #[profile(follow)]
        target: &'a [Rc<String>; 2],
    }
    let text = Rc::new(String::from("text"));
    let target = [text.clone(), text];
    let profile = Profile::with_holders("view", &View { target: &target });
    let [held] = profile.holders().expect("it was asked for") else { panic!("one text") };
    assert_eq!((&held.dominator, held.freed_bytes, held.unmet_handles), (&None, None, Some(0)));
    assert_eq!(held.handles, [("view;target".to_owned(), 2)]);
}
