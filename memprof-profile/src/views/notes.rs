//! The notes after the bytes of a line in the tree: counts, excess capacity, sharing, and reasons
//! why the bytes are not exact.

use crate::text::{Grouped, Units, counted};
use crate::text::{columns, cut};
use crate::tree::{Branch, Counts, Leaf, LeafKind};
use crate::views::marks::Marks;

/// The notes of one line. If the line is too long, facts are left out before warnings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    facts: Vec<String>,
    warnings: Vec<String>,
}

/// The maximum number of allocations that get no note. A collection usually has one allocation, and
/// a shared collection has two.
const MAX_UNMENTIONED: u64 = 2;

impl Notes {
    /// Returns notes on a line's own counts, such as `1 000 values in 91 nodes` or `shared by 12`.
    ///
    /// Values of one byte each are left out, because their count equals the bytes.
    pub(crate) fn counted(line: Branch<'_>) -> Self {
        let counts = line.counts();
        let data = line.leaves().iter().filter(|leaf| leaf.kind() == LeafKind::Data);
        let is_byte_data = data.map(Leaf::bytes).sum::<u64>() == counts.values;
        let values = if is_byte_data { None } else { values(counts) };
        let facts = [values, allocations(counts), sharing(counts)];
        Self { facts: facts.into_iter().flatten().collect(), warnings: Vec::new() }
    }

    /// Adds a note such as `4.0 MiB spare` if the line itself has at least `min_bytes` spare bytes.
    pub(crate) fn spare(mut self, line: Branch<'_>, min_bytes: u64, units: Units) -> Self {
        let spare = line.leaves().iter().filter(|leaf| leaf.kind() == LeafKind::Spare);
        match spare.map(Leaf::bytes).sum() {
            0 => {}
            bytes if bytes < min_bytes => {}
            bytes => self.facts.push(format!("{} spare", units.show(bytes))),
        }
        self
    }

    /// Adds the marks of a line with this number of bytes, such as `locked` or
    /// `12.0 KiB estimated`.
    pub(crate) fn warnings(mut self, marks: &Marks, bytes: u64, units: Units) -> Self {
        self.warnings.extend(marks.of_line(bytes, units));
        self
    }

    /// Marks the facts as estimates.
    pub(crate) fn estimated(mut self) -> Self {
        if let Some(first) = self.facts.first_mut() {
            first.insert_str(0, "about ");
        }
        self
    }

    /// Removes the facts, because they would count only visited values.
    pub(crate) fn unknown(mut self) -> Self {
        self.facts.clear();
        self
    }

    /// Adds a warning.
    pub(crate) fn add_warning(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Returns the width of all notes in columns.
    pub(crate) fn columns(&self) -> usize {
        columns(&self.joined(self.facts.len()))
    }

    /// Returns the notes that fit into `limit` columns. Warnings are left out last.
    pub(crate) fn within(&self, limit: usize) -> String {
        let fitting = (0..=self.facts.len())
            .rev()
            .map(|facts| self.joined(facts))
            .find(|text| columns(text) <= limit);
        fitting.unwrap_or_else(|| cut(&self.joined(0), limit))
    }

    fn joined(&self, facts: usize) -> String {
        let notes: Vec<&str> =
            self.facts[..facts].iter().chain(&self.warnings).map(String::as_str).collect();
        notes.join(", ")
    }
}

fn values(counts: Counts) -> Option<String> {
    let values = counted(counts.values, "value");
    match (counts.values, counts.nodes) {
        (0, _) => None,
        (_, 0 | 1) => Some(values),
        // A list has one node per value, so the number of nodes adds nothing.
        (all, nodes) if all == nodes => Some(values),
        (_, nodes) => Some(format!("{values} in {}", counted(nodes, "node"))),
    }
}

/// Returns a note on the allocations other than nodes. Shared allocations are left out, because
/// their number is in another note.
fn allocations(counts: Counts) -> Option<String> {
    let other_allocations = counts.allocations.saturating_sub(counts.nodes);
    (other_allocations > counts.shared_allocations.max(MAX_UNMENTIONED))
        .then(|| counted(other_allocations, "allocation"))
}

fn sharing(counts: Counts) -> Option<String> {
    let handles = Grouped(counts.handles);
    match counts.shared_allocations {
        0 => None,
        1 => Some(format!("shared by {handles}")),
        shared => Some(format!("{} shared by {handles}", counted(shared, "allocation"))),
    }
}
