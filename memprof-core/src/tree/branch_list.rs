//! The branches of a tree while it is built. Each branch precedes those below it.

use crate::tree::branch::{Branches, Fact, Name, Record};
use crate::tree::own::Own;

/// Appends a name to the text of all names.
pub(super) fn add_name(names: &mut String, name: &str) -> Name {
    let at = names.len();
    let mut len = u32::try_from(name.len()).unwrap_or(u32::MAX);
    while !name.is_char_boundary(len as usize) {
        len -= 1;
    }
    names.push_str(&name[..len as usize]);
    Name { at, len }
}

/// The branches of a tree being built, without their names.
#[derive(Debug, Default)]
pub(super) struct BranchList {
    pub(super) branches: Branches,
    /// The open branches, from the root down.
    pub(super) open: Vec<u32>,
    pub(super) overflowed: bool,
}

impl BranchList {
    /// Begins a branch below the innermost open one and returns its index.
    pub(super) fn begin(&mut self, name: Name, own: &Own) -> u32 {
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
        branches.facts.extend(own.opaque.iter().map(|&(reason, _)| Fact::Opaque(reason)));
        branches.amounts.extend(own.opaque.iter().map(|&(_, count)| count));
        branches.records.push(Record { name, end: 0, leaves, facts, bytes: 0 });
        self.open.push(index);
        own.leaves.iter().for_each(|leaf| self.add_bytes(index, leaf.bytes));
        index
    }

    /// Ends the innermost open branch.
    pub(super) fn end(&mut self) {
        let Some(index) = self.open.pop() else { return };
        let end = self.branches.records.len() as u32;
        let record = &mut self.branches.records[index as usize];
        record.end = end;
        let bytes = record.bytes;
        if let Some(&parent) = self.open.last() {
            self.add_bytes(parent, bytes);
        }
    }

    /// Returns the branches. All of them must have ended.
    pub(super) fn finish(mut self) -> Branches {
        debug_assert!(self.open.is_empty(), "a branch did not end");
        // In a small tree, the unused capacity is not worth a reallocation.
        if self.branches.records.len() > 64 {
            self.branches.records.shrink_to_fit();
            self.branches.leaves.shrink_to_fit();
            self.branches.facts.shrink_to_fit();
            self.branches.amounts.shrink_to_fit();
        }
        self.branches
    }

    fn add_bytes(&mut self, index: u32, bytes: u64) {
        let sum = &mut self.branches.records[index as usize].bytes;
        self.overflowed |= sum.checked_add(bytes).is_none();
        *sum = sum.saturating_add(bytes);
    }
}
