//! Builds a tree branch by branch, each before what is below it.

use crate::tree::branch::{Fact, Name, Record};
use crate::tree::{Branches, Own};

/// A tree being built: a branch begins, then come those below it, then it ends.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    branches: Branches,
    /// The branches begun and not ended, root first.
    open: Vec<u32>,
    overflowed: bool,
}

impl Builder {
    /// Appends a name to the text of all names.
    pub(crate) fn add_name(names: &mut String, name: &str) -> Name {
        let at = names.len();
        let name = &name[..name.floor_char_boundary(u32::MAX as usize)];
        names.push_str(name);
        Name { at, len: name.len() as u32 }
    }

    /// Begins a branch below the one begun last, and says which it is.
    pub(crate) fn begin(&mut self, name: Name, own: &Own) -> u32 {
        let branches = &mut self.branches;
        let index = branches.records.len() as u32;
        let (leaves, facts) = (branches.leaves.len() as u32, branches.facts.len() as u32);
        branches.leaves.extend_from_slice(&own.leaves);
        for (field, count) in own.counts.to_array().into_iter().enumerate() {
            if count > 0 {
                branches.facts.push(Fact::Count(field as u8));
                branches.amounts.push(count);
            }
        }
        branches.facts.extend(own.opaque.iter().map(|&(why, _)| Fact::Opaque(why)));
        branches.amounts.extend(own.opaque.iter().map(|&(_, count)| count));
        branches.records.push(Record { name, end: 0, leaves, facts, bytes: 0 });
        self.open.push(index);
        own.leaves.iter().for_each(|leaf| self.add_bytes(index, leaf.bytes));
        index
    }

    /// Ends the branch begun last.
    pub(crate) fn end(&mut self) {
        let Some(index) = self.open.pop() else { return };
        let end = self.branches.records.len() as u32;
        let record = &mut self.branches.records[index as usize];
        record.end = end;
        let bytes = record.bytes;
        if let Some(&parent) = self.open.last() {
            self.add_bytes(parent, bytes);
        }
    }

    /// The branches begun and not ended, root first.
    pub(crate) fn open(&self) -> &[u32] {
        &self.open
    }

    /// Whether some sum was more than fits; it is then the largest number.
    #[cfg(feature = "json")]
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The bytes found so far of a branch.
    #[cfg(feature = "json")]
    pub(crate) fn bytes(&self, index: u32) -> u64 {
        self.branches.records[index as usize].bytes
    }

    /// The name of a branch, in the text of all names.
    #[cfg(feature = "json")]
    pub(crate) fn name<'n>(&self, index: u32, names: &'n str) -> &'n str {
        self.branches.name(index).of(names)
    }

    /// The tree, all of whose branches have ended.
    pub(crate) fn finish(mut self) -> Branches {
        debug_assert!(self.open.is_empty(), "a branch did not end");
        self.branches.records.shrink_to_fit();
        self.branches.leaves.shrink_to_fit();
        self.branches.facts.shrink_to_fit();
        self.branches.amounts.shrink_to_fit();
        self.branches
    }

    fn add_bytes(&mut self, index: u32, bytes: u64) {
        let sum = &mut self.branches.records[index as usize].bytes;
        self.overflowed |= sum.checked_add(bytes).is_none();
        *sum = sum.saturating_add(bytes);
    }
}
