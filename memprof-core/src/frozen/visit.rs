//! The visit of frozen values. Each is visited separately from the values that contain it, so that
//! a remembered value can replace the visit.
//!
//! A frozen value inside another one waits until the outer one is finished. Ordinary profiles and
//! profiles that remember values keep this order, so both count shared memory at the same position.

use super::remembered::{Facts, Found};
use super::waiting::{Handle, Met, Waiting};
use super::{Frozen, changes};
use crate::MemoryProfile;
use crate::frame::LeafKind;
use crate::impls::std::shared;
use crate::layout::{Deferred, Visit, prefetch};
use crate::position::{MAX_DEPTH, Position};
use crate::walk::{MAX_GUARDS, Walk, WorkItem};

/// The depth at which the contents of a frozen value begin, unless the walk holds a guard at a
/// greater depth. The depth is otherwise fixed, so that the contents are visited in the same order
/// wherever the value is.
const CONTENTS_DEPTH: u32 = MAX_DEPTH / 2;

/// The number of handles whose counts are prefetched together.
const GROUP: usize = 32;

/// The visit of a handle to a frozen value.
struct OfHandle;
/// The visit of the value itself.
struct OfValue;

impl<T: MemoryProfile + ?Sized> Visit<Frozen<T>> for OfHandle {
    fn visit<'a>(frozen: &'a Frozen<T>, walk: &mut Walk<'a>, at: Position) {
        frozen.visit(walk, at);
    }
}

impl<T: MemoryProfile + ?Sized> Visit<T> for OfValue {
    fn visit<'a>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
        walk.pointee(value, at);
    }
}

impl<T: MemoryProfile + ?Sized> Frozen<T> {
    /// Adds the value, unless the walk already met it.
    fn visit<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let address = shared::identity(Self::as_ptr(self));
        if walk.record_handle(address) {
            return;
        }
        let identity = self.ticket.0.0;
        // The counter is read before the number of handles. If a handle is cloned in between, the
        // next profile finds a different counter.
        let changes = changes::of(identity);
        let value = &*self.value;
        let facts = Facts {
            identity,
            address,
            size: size_of_val(value),
            align: align_of_val(value),
            lump: LeafKind::of_lump::<T>(),
            strong: walk
                .known_handles(identity, changes)
                .unwrap_or_else(|| Self::strong_count(self)),
            changes,
        };
        walk.frozen_value(at, &facts, Deferred::new::<OfValue, T>(value));
    }
}

impl<T: MemoryProfile + ?Sized> MemoryProfile for Frozen<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.is_inside_frozen() {
            walk.wait(self, at);
        } else {
            self.visit(walk, at);
            walk.visit_waiting();
        }
    }

    fn type_name(&self) -> &'static str {
        (**self).type_name()
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        walk.lump(at, LeafKind::Inline, size_of::<Self>(), count);
    }

    fn owned_slice<'a>(values: &'a [Self], walk: &mut Walk<'a>, at: Position) {
        for group in values.chunks(GROUP) {
            // A walk that remembers values reads no memory of most of them, so a prefetch would be
            // wasted.
            if walk.memory.is_none() {
                for handle in group {
                    prefetch(shared::identity(Self::as_ptr(handle)));
                }
            }
            for handle in group {
                handle.owned(walk, at);
            }
        }
    }
}

impl<'a> Walk<'a> {
    /// Returns whether frozen values have to wait. In a sampled walk none has to, because the
    /// current weight only applies to values visited now.
    fn is_inside_frozen(&self) -> bool {
        !self.is_sampled() && self.waiting.as_ref().is_some_and(|waiting| waiting.is_inside)
    }

    fn waiting(&mut self) -> &mut Waiting<'a> {
        self.waiting.get_or_insert_default()
    }

    /// Returns a value's number of handles, if this number is remembered and has not changed.
    #[inline]
    fn known_handles(&mut self, identity: u64, changes: usize) -> Option<usize> {
        self.memory.as_mut()?.known_handles(identity, changes)
    }

    /// Adds a frozen value, which is inside another one, to the list.
    #[cold]
    fn wait<T: MemoryProfile + ?Sized>(&mut self, frozen: &'a Frozen<T>, at: Position) {
        let context = self.context();
        let node = self.tree.as_mut().map_or(at.node, |tree| tree.number(at));
        let at = Position { node, depth: at.depth };
        let value = Handle::Visited(Deferred::new::<OfHandle, Frozen<T>>(frozen));
        let identity = frozen.ticket.0.0;
        self.waiting().list.push(Met { value, identity, at, context });
    }

    /// Visits the frozen values on the list, and those inside them.
    #[inline]
    fn visit_waiting(&mut self) {
        if self.waiting.as_ref().is_some_and(|waiting| !waiting.list.is_empty()) {
            self.visit_list();
        }
    }

    #[cold]
    #[inline(never)]
    fn visit_list(&mut self) {
        self.waiting().list.reverse();
        while let Some(met) = self.waiting().list.pop() {
            let before = self.waiting().list.len();
            let outer = self.switch_context(met.context);
            match met.value {
                Handle::Visited(handle) => handle.visit(self, met.at),
                Handle::Remembered(index) => self.remembered_value(met.at, index),
            }
            self.switch_context(outer);
            self.waiting().list[before..].reverse();
        }
    }

    /// Adds a frozen value that the walk has not met.
    fn frozen_value(&mut self, at: Position, facts: &Facts, contents: Deferred<'a>) {
        let layout = (facts.size, facts.align);
        let entered = shared::enter(self, at, facts.address, facts.strong, layout);
        let Some((at, outer)) = entered else { return };
        self.block(facts.address);
        if self.remembers() {
            self.remember_contents(at, facts, contents);
        } else {
            self.contents(at, contents);
        }
        self.leave_shared(outer);
    }

    /// Returns whether finished values are remembered here. Inside a captured subtree they are not
    /// remembered, because its nodes differ from the nodes of the profile.
    fn remembers(&self) -> bool {
        self.memory.is_some() && self.tree.as_ref().is_some_and(|tree| tree.log.is_none())
    }

    /// Visits the contents of a frozen value completely, except the frozen values inside.
    fn contents(&mut self, at: Position, contents: Deferred<'a>) {
        let depth = if self.guards == 0 { CONTENTS_DEPTH } else { at.depth.max(CONTENTS_DEPTH) };
        let inside = Inside::begin(self);
        contents.visit(inside.walk, Position { node: at.node, depth });
        inside.walk.drain();
    }

    /// Adds the contents of a frozen value. If they are not remembered, visits and remembers them.
    fn remember_contents(&mut self, at: Position, facts: &Facts, contents: Deferred<'a>) {
        // A stopped walk marks the value instead.
        let found = if self.should_stop() { Found::New } else { self.find_remembered(at, facts) };
        match found {
            Found::Added => return,
            Found::Refused => return self.contents(at, contents),
            Found::New => {}
        }
        let before = self.waiting().list.len();
        let reports_addresses = self.watch.reports_addresses();
        let captured = self.capture(at, |walk, at| walk.contents(at, contents));
        let is_complete = !self.is_stopped();
        let Self { tree: Some(tree), memory: Some(memory), waiting, .. } = self else { return };
        let list = &mut waiting.get_or_insert_default().list;
        let image = captured.and_then(|subtree| Ok((tree.image(at, &subtree.structure)?, subtree)));
        match image {
            Ok((image, subtree)) => {
                tree.add_amounts(&image, &subtree.structure, &subtree.amounts);
                let inside = &mut list[before..];
                let nested = inside.iter().map(|met| (met.at.node, met.identity)).collect();
                for met in inside {
                    met.at.node = image.of(met.at.node);
                    met.context = tree.sharing.context();
                }
                if is_complete {
                    memory.remember(facts, subtree, nested, reports_addresses);
                } else {
                    memory.count_partial();
                }
            }
            Err(obstacle) => {
                list.truncate(before);
                memory.refuse(facts, obstacle);
                self.contents(at, contents);
            }
        }
    }

    /// Looks for a frozen value among the remembered ones, and adds its contents.
    #[inline]
    fn find_remembered(&mut self, at: Position, facts: &Facts) -> Found {
        let Some(memory) = &mut self.memory else { return Found::New };
        let Some(index) = memory.find(facts.identity) else { return Found::New };
        memory.meet(index, facts);
        if memory.is_refused(index) {
            return Found::Refused;
        }
        if self.watch.reports_addresses() && memory.addresses(index).is_none() {
            return Found::New;
        }
        if memory.is_reusable(index) { self.add_remembered(at, index) } else { Found::New }
    }

    /// Adds the remembered contents of a frozen value, and adds the frozen values inside to the
    /// list.
    #[inline]
    fn add_remembered(&mut self, at: Position, index: u32) -> Found {
        let Self { tree: Some(tree), memory: Some(memory), waiting, .. } = self else {
            return Found::New;
        };
        let context = tree.sharing.context();
        if self.watch.reports_addresses() {
            // The addresses are remembered only if the observer of the earlier walk wanted them.
            let Some(addresses) = memory.addresses(index) else { return Found::New };
            if let Some(observer) = &mut self.observer {
                for &address in addresses {
                    observer.block(address);
                }
            }
        }
        memory.add(index, tree, at, |identity, index, node| {
            let (at, value) = (Position::node(node), Handle::Remembered(index));
            let met = Met { value, identity, at, context };
            waiting.get_or_insert_default().list.push(met);
        })
    }

    /// Adds a frozen value that a remembered value contains, unless the walk already met it.
    fn remembered_value(&mut self, at: Position, index: u32) {
        let Some(memory) = &self.memory else { return };
        let Facts { address, size, align, lump, strong, .. } = memory.facts(index);
        if self.record_handle(address) {
            return;
        }
        let Some((at, outer)) = shared::enter(self, at, address, strong, (size, align)) else {
            return;
        };
        self.block(address);
        if self.should_stop() || !matches!(self.add_remembered(at, index), Found::Added) {
            self.leaf(at, lump, size);
            self.mark_unvisited(at, 1);
        }
        self.leave_shared(outer);
    }
}

/// A visit of the contents of a frozen value. The walk gets its work list back when this is
/// dropped, even during a panic.
struct Inside<'w, 'a> {
    walk: &'w mut Walk<'a>,
    work_list: Vec<WorkItem<'a>>,
    guards: u32,
}

impl<'w, 'a> Inside<'w, 'a> {
    fn begin(walk: &'w mut Walk<'a>) -> Self {
        walk.waiting().is_inside = true;
        let work_list = core::mem::take(&mut walk.work_list);
        let guards = walk.guards;
        // The work list of the contents is processed on the current stack, like the work list of a
        // guard.
        walk.guards = (guards + 1).min(MAX_GUARDS);
        Self { walk, work_list, guards }
    }
}

impl Drop for Inside<'_, '_> {
    fn drop(&mut self) {
        let Self { walk, work_list, guards } = self;
        walk.waiting().is_inside = false;
        walk.work_list = core::mem::take(work_list);
        walk.guards = *guards;
    }
}
