//! Captured and merged subtrees agree with direct walks, node by node.

use crate::MemoryProfile;
use crate::sampling;
use crate::state::{Obstacle, Subtree};
use crate::tree::{Collected, Device, LeafKind, OpaqueReason, Role};
use crate::walk::{Field, Keyed, Position, Shape, Walk};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

thread_local! {
    /// True if the values of [`Captured`] are captured and merged, not walked in place.
    static CAPTURES: Cell<bool> = const { Cell::new(false) };
    /// The numbers of merged subtrees and of refused ones.
    static MERGES: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Values that are captured and merged, if the thread-local switch is on.
struct Captured(Vec<Item>);

/// A recursive value with every kind of content that adds nodes to a tree.
struct Item {
    name: String,
    captured: Captured,
    kin: Vec<Item>,
    link: Option<Box<Item>>,
    any: Vec<Box<dyn MemoryProfile>>,
    keyed: BTreeMap<String, Item>,
    hashed: HashMap<u8, Vec<u8>>,
    collapsed: Vec<Item>,
    auxiliary: Vec<Item>,
    cell: Option<RefCell<Vec<u8>>>,
    shared: Option<Rc<Item>>,
    nested: HashMap<String, BTreeMap<u8, Captured>>,
    odd: Odd,
}

/// Another type that has items, so that several shapes meet at one node.
struct Other {
    items: Vec<Item>,
    captured: Captured,
}

/// A value with marks, and bytes on a device.
struct Odd(u8);

impl MemoryProfile for Captured {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if CAPTURES.get() {
            let visit = |walk: &mut Walk<'a>, at| self.0.owned(walk, at);
            let result = walk.capture(at, visit).and_then(|subtree| merge(walk, at, &subtree));
            let (accepted, refused) = MERGES.get();
            if result.is_ok() {
                MERGES.set((accepted + 1, refused));
                return;
            }
            MERGES.set((accepted, refused + 1));
        }
        self.0.owned(walk, at);
    }
}

/// Adds a captured subtree at a position.
fn merge(walk: &mut Walk<'_>, at: Position, subtree: &Subtree) -> Result<(), Obstacle> {
    let state = walk.state();
    let image = state.image(at, &subtree.structure)?;
    state.add_amounts(&image, &subtree.structure, &subtree.amounts);
    Ok(())
}

impl MemoryProfile for Odd {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        match self.0 % 8 {
            0 => walk.opaque(at, OpaqueReason::Foreign),
            1 => walk.estimated(at, LeafKind::Nodes, 24),
            2 => walk.bytes_on(at, Device::Cuda(1), 100),
            3 => walk.compactable(at, 100, 40),
            4 => walk.leaf(at, LeafKind::Opaque, 8),
            5 => {
                let entry = walk.entry(at, "by hand");
                walk.allocation(entry, 3, 5);
            }
            _ => {}
        }
    }
}

static ITEM: Shape = Shape::of::<Item>(&[
    Field::of::<String>("name"),
    Field::of::<Captured>("captured"),
    Field::of::<Vec<Item>>("kin").without_frame(),
    Field::of::<Option<Box<Item>>>("link"),
    Field::of::<Vec<Box<dyn MemoryProfile>>>("any").without_frame(),
    Field::of::<BTreeMap<String, Item>>("keyed"),
    Field::of::<HashMap<u8, Vec<u8>>>("hashed"),
    Field::of::<Vec<Item>>("collapsed").leaf(),
    Field::of::<Vec<Item>>("auxiliary").role(Role::Auxiliary),
    Field::of::<Option<RefCell<Vec<u8>>>>("cell"),
    Field::of::<Option<Rc<Item>>>("shared"),
    Field::of::<HashMap<String, BTreeMap<u8, Captured>>>("nested"),
    Field::of::<Odd>("odd"),
]);

static OTHER: Shape = Shape::of::<Other>(&[
    Field::of::<Vec<Item>>("items").without_frame(),
    Field::of::<Captured>("captured").without_frame(),
]);

impl MemoryProfile for Item {
    fn shape() -> &'static Shape {
        &ITEM
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, &ITEM);
        self.name.owned(walk, fields.at(0));
        self.captured.owned(walk, fields.at(1));
        self.kin.owned(walk, fields.at(2));
        self.link.owned(walk, fields.at(3));
        self.any.owned(walk, fields.at(4));
        self.keyed.keyed(6, walk, fields.at(5));
        self.hashed.owned(walk, fields.at(6));
        self.collapsed.owned(walk, fields.at(7));
        self.auxiliary.owned(walk, fields.at(8));
        self.cell.owned(walk, fields.at(9));
        self.shared.owned(walk, fields.at(10));
        self.nested.keyed(4, walk, fields.at(11));
        self.odd.owned(walk, fields.at(12));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        Self::inline(walk, at, 1);
        self.owned(walk, at);
    }
}

impl MemoryProfile for Other {
    fn shape() -> &'static Shape {
        &OTHER
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, &OTHER);
        self.items.owned(walk, fields.at(0));
        self.captured.owned(walk, fields.at(1));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        Self::inline(walk, at, 1);
        self.owned(walk, at);
    }
}

/// A generator of random values.
struct Random(sampling::Random);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound as usize) as u64
    }

    fn text(&mut self) -> String {
        let mut text = String::with_capacity(self.below(40) as usize);
        text.push_str(&"abcdefgh"[..self.below(8) as usize]);
        text
    }

    /// Returns fewer items for a smaller `size`, so that the recursion ends.
    fn items(&mut self, size: u64) -> Vec<Item> {
        let count = if self.below(4) == 0 { self.below(1 + size.min(3)) } else { 0 };
        (0..count).map(|_| self.item(size / 2)).collect()
    }

    fn captured(&mut self, size: u64) -> Captured {
        let count = if size == 0 { 0 } else { self.below(3) };
        Captured((0..count).map(|_| self.item(size / 2)).collect())
    }

    fn any(&mut self, size: u64) -> Box<dyn MemoryProfile> {
        match self.below(4) {
            0 => Box::new(self.text()),
            1 => Box::new(Other { items: self.items(size), captured: self.captured(size) }),
            2 => Box::new(self.item(size / 2)),
            _ => Box::new(self.captured(size)),
        }
    }

    fn item(&mut self, size: u64) -> Item {
        let some = |random: &mut Self| size != 0 && random.below(4) == 0;
        Item {
            name: self.text(),
            captured: self.captured(size),
            kin: self.items(size),
            link: some(self).then(|| Box::new(self.item(size / 2))),
            any: if some(self) { vec![self.any(size / 2), self.any(size / 2)] } else { vec![] },
            keyed: if some(self) {
                (0..self.below(4)).map(|_| (self.text(), self.item(size / 3))).collect()
            } else {
                BTreeMap::new()
            },
            hashed: (0..self.below(3)).map(|key| (key as u8, vec![0; 9])).collect(),
            collapsed: self.items(size),
            auxiliary: self.items(size),
            cell: (some(self) && some(self)).then(|| RefCell::new(vec![1, 2, 3])),
            shared: (some(self) && some(self)).then(|| {
                let shared = Rc::new(self.item(size / 2));
                if self.below(2) == 0 {
                    // A second handle, which nothing drops.
                    std::mem::forget(Rc::clone(&shared));
                }
                shared
            }),
            nested: if some(self) {
                (0..self.below(4))
                    .map(|_| (self.text(), [(1, self.captured(size / 3))].into()))
                    .collect()
            } else {
                HashMap::new()
            },
            odd: Odd(self.below(64) as u8),
        }
    }
}

#[test]
fn merged_subtrees_agree_with_a_direct_walk_node_by_node() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..if cfg!(miri) { 8 } else { 1000 } {
        let mut random = Random(sampling::Random::new(seed));
        let size = 1 + random.below(24);
        let values: Vec<Box<dyn MemoryProfile>> =
            (0..=random.below(3)).map(|_| random.any(size)).collect();
        CAPTURES.set(false);
        let direct = Collected::of("root", &values);
        CAPTURES.set(true);
        MERGES.set((0, 0));
        let joined = Collected::of("root", &values);
        assert_eq!(joined, direct, "seed {seed}");
        let (more_accepted, more_refused) = MERGES.get();
        (accepted, refused) = (accepted + more_accepted, refused + more_refused);
    }
    assert!(accepted > 4 * refused && refused > 0, "{accepted} merged, {refused} refused");
}
