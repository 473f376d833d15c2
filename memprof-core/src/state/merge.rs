//! Captured subtrees, and their merge into another tree.

use crate::device::Device;
use crate::frame::LeafKind;
use crate::position::Position;
use crate::state::node::{COMMON, kind_index};
use crate::state::{BAD_INDEX, Mark, NO_NODE, Obstacle, Step, WalkState};
use std::collections::{HashMap, HashSet};

/// The paths of a captured subtree, and the counters at these paths that have amounts.
///
/// Equal values of one type have equal structures, so a structure can be stored once for many
/// subtrees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Structure {
    steps: Box<[Step]>,
    is_keyed: bool,
    nodes: u32,
    slots: Box<[Slot]>,
}

/// The node and the counter of an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Slot {
    node: u32,
    counter: Counter,
    /// The bytes that one unit of the amount adds to the subtree.
    bytes: usize,
}

/// A counter of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Counter {
    /// Bytes of a kind that many nodes have, by the kind's index.
    Common(u8),
    /// Bytes of a kind that few nodes have.
    Bytes(LeafKind),
    Allocations,
    Values,
    Buffers,
    Shrinkable,
    Instances,
    TreeNodes,
    Compactable,
    OnDevice(Device),
    Marked(Mark),
}

/// A captured subtree, ready to be merged into another tree.
#[derive(Clone, Debug)]
pub(crate) struct Subtree {
    pub(crate) structure: Structure,
    /// The amount of each slot of the structure.
    pub(crate) amounts: Box<[u64]>,
    /// Addresses of blocks that later walks report again.
    pub(crate) addresses: Vec<usize>,
}

/// The images of the nodes of a subtree: their numbers in another tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Image(Vec<u32>);

/// The number of a node without an image. No tree has that many nodes.
const NO_IMAGE: u32 = u32::MAX;

impl Image {
    /// Returns the image of a node of the subtree.
    #[inline]
    pub(crate) fn of(&self, node: u32) -> u32 {
        self.0[node as usize]
    }
}

impl Structure {
    /// Returns whether keyed maps made some of the nodes, so that the steps depend on the names that
    /// the other tree has at the moment.
    #[inline]
    pub(crate) fn is_keyed(&self) -> bool {
        self.is_keyed
    }

    /// Returns the number of amounts.
    pub(crate) fn amounts(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether every merge of the structure succeeds. A merge can only fail at a keyed map,
    /// or at nodes that several steps lead to, as in recursive types.
    pub(crate) fn merges_anywhere(&self) -> bool {
        let mut seen = HashSet::new();
        !self.is_keyed
            && self.steps.iter().all(|step| match *step {
                Step::Fields { base: node, .. }
                | Step::Keys { keys: node, .. }
                | Step::Entry { entry: node, .. } => seen.insert(node),
                Step::KeyedMap { .. } | Step::Names { .. } | Step::Name { .. } => false,
            })
    }
}

impl Subtree {
    /// Returns the subtree that a logged walk captured.
    ///
    /// # Errors
    /// Returns the obstacle that prevents every merge of the subtree.
    pub(crate) fn of(captured: &mut WalkState) -> Result<Self, Obstacle> {
        let log = captured.log.take().unwrap_or_default();
        if let Some(obstacle) = log.obstacle {
            return Err(obstacle);
        }
        let sizes: HashMap<u32, usize> =
            captured.field_sets.iter().map(|set| (set.base, set.shape.size)).collect();
        let (mut slots, mut amounts) = (Vec::new(), Vec::new());
        let mut add = |node: u32, counter: Counter, amount: u64, bytes: usize| {
            if amount != 0 {
                slots.push(Slot { node, counter, bytes });
                amounts.push(amount);
            }
        };
        let mut marks = Vec::new();
        for (number, node) in (0..).zip(&captured.nodes) {
            for index in 0..COMMON {
                add(number, Counter::Common(index as u8), node.bytes[index], 1);
            }
            add(number, Counter::Allocations, node.allocations, 0);
            add(number, Counter::Values, node.values, 0);
            add(number, Counter::Buffers, node.excess.buffers, 0);
            add(number, Counter::Shrinkable, node.excess.shrinkable, 0);
            let size = sizes.get(&number).copied().unwrap_or(0);
            add(number, Counter::Instances, node.instances, size);
            if node.has_rare() {
                let rare = captured.rare_of(node);
                for kind in LeafKind::ALL.iter().copied().filter(|&kind| kind_index(kind) >= COMMON)
                {
                    add(number, Counter::Bytes(kind), rare.bytes[kind_index(kind) - COMMON], 1);
                }
                add(number, Counter::TreeNodes, rare.tree_nodes, 0);
                add(number, Counter::Compactable, rare.compactable, 0);
            }
            if node.is_marked() {
                // The list begins with the newest mark, so it is added in reverse.
                marks.extend(captured.marks(number).map(|marked| (marked.mark, marked.count)));
                for (mark, count) in marks.drain(..).rev() {
                    add(number, Counter::Marked(mark), count, 0);
                }
            }
        }
        for (&(node, device), &bytes) in &captured.on_devices {
            add(node, Counter::OnDevice(device), bytes, 1);
        }
        let structure = Structure {
            is_keyed: log.steps.iter().any(Step::is_of_keyed_map),
            steps: log.steps.into(),
            nodes: captured.nodes.len() as u32,
            slots: slots.into(),
        };
        let addresses = log.addresses;
        Ok(Self { structure, amounts: amounts.into(), addresses })
    }
}

impl WalkState {
    /// Repeats the steps of a subtree at a position, and returns the images of its nodes.
    ///
    /// # Errors
    /// Returns [`Obstacle::Folded`] or [`Obstacle::KeyedMap`] if a walk of the same values at this
    /// position would use several nodes for one node of the subtree. The caller then has to visit
    /// the values.
    pub(crate) fn image(&mut self, at: Position, structure: &Structure) -> Result<Image, Obstacle> {
        let mut image = vec![NO_IMAGE; structure.nodes as usize];
        let set = |image: &mut Vec<u32>, node: u32, other: u32| {
            let slot = &mut image[node as usize];
            if *slot == NO_IMAGE {
                *slot = other;
            }
            if *slot == other { Ok(()) } else { Err(Obstacle::Folded) }
        };
        image[NO_NODE as usize] = self.number(at);
        for step in &structure.steps {
            match *step {
                Step::Fields { node, shape, base } => {
                    let other = self.first_field(Position::node(image[node as usize]), shape);
                    for field in 0..shape.fields.len().max(1) as u32 {
                        set(&mut image, base + field, other + field)?;
                    }
                }
                Step::Keys { node, keys } => {
                    let other = self.find_or_add_keys(image[node as usize]);
                    set(&mut image, keys, other)?;
                }
                Step::Entry { node, ref name, entry } => {
                    let at = Position::node(image[node as usize]);
                    let known = self.find_entry(at, name);
                    let other = known.unwrap_or_else(|| self.add_entry(at, name));
                    set(&mut image, entry, other)?;
                }
                Step::KeyedMap { node, is_entry } => {
                    let node = image[node as usize];
                    if self.nodes[node as usize].is_entry() != is_entry {
                        return Err(Obstacle::KeyedMap);
                    }
                    self.log_step(Step::KeyedMap { node, is_entry });
                }
                Step::Names { node, cap, len } => {
                    let at = Position::node(image[node as usize]);
                    let names = self.rare_of(&self.nodes[at.node as usize]).names as usize;
                    if len > cap.saturating_sub(names) || self.is_in_entry(at) {
                        return Err(Obstacle::KeyedMap);
                    }
                    self.log_step(Step::Names { node: at.node, cap, len });
                }
                Step::Name { node, ref name, cap } => {
                    let at = Position::node(image[node as usize]);
                    if self.find_entry(at, name).is_none() {
                        let names = &mut self.rare(at).names;
                        if *names as usize >= cap {
                            return Err(Obstacle::KeyedMap);
                        }
                        *names += 1;
                        self.log_step(Step::Name { node: at.node, name: name.clone(), cap });
                    }
                }
            }
        }
        Ok(Image(image))
    }

    /// Adds amounts to the images of the nodes of a structure.
    #[inline]
    pub(crate) fn add_amounts(&mut self, image: &Image, structure: &Structure, amounts: &[u64]) {
        let mut total = 0_u64;
        for (slot, &amount) in structure.slots.iter().zip(amounts) {
            total = total.saturating_add(amount.saturating_mul(slot.bytes as u64));
            self.add_amount(image.of(slot.node), slot.counter, amount);
        }
        self.sharing.add_bytes(total);
    }

    #[inline]
    fn add_amount(&mut self, number: u32, counter: Counter, amount: u64) {
        let node = &mut self.nodes[number as usize];
        let at = Position::node(number);
        let sum = match counter {
            Counter::Common(index) => &mut node.bytes[usize::from(index)],
            Counter::Allocations => &mut node.allocations,
            Counter::Values => &mut node.values,
            Counter::Buffers => &mut node.excess.buffers,
            Counter::Shrinkable => &mut node.excess.shrinkable,
            Counter::Instances => &mut node.instances,
            Counter::Bytes(kind) => self.bytes(at, kind),
            Counter::TreeNodes => &mut self.rare(at).tree_nodes,
            Counter::Compactable => &mut self.rare(at).compactable,
            Counter::OnDevice(device) => self.on_devices.entry((number, device)).or_default(),
            Counter::Marked(mark) => return self.add_mark(number, mark, amount),
        };
        *sum = sum.saturating_add(amount);
    }

    fn add_mark(&mut self, node: u32, mark: Mark, count: u64) {
        // A walk marks a node at most once for bad indices.
        let is_repeated =
            mark == BAD_INDEX && self.marks(node).any(|known| known.mark == BAD_INDEX);
        if count != 0 && !is_repeated {
            self.mark(node, mark, count);
        }
    }
}

#[cfg(test)]
mod tests;
