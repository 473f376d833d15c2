//! What a line of the tree says beside its bytes: counts, spare, sharing, doubts.

use crate::text::{Grouped, Units, counted};
use crate::text::{columns, cut};
use crate::views::marks::Marks;
use crate::{Branch, Counts, Kind, Leaf};

/// The notes of one line, those that may give way first apart from those that may not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    facts: Vec<String>,
    doubts: Vec<String>,
}

/// Up to so many allocations say nothing: a collection has one, a shared collection two.
const FEW: u64 = 2;

impl Notes {
    /// `1 000 values in 91 nodes`, `shared by 12`: what is counted right at a line.
    ///
    /// Bytes are not counted once more as values.
    pub(crate) fn counted(line: Branch<'_>) -> Self {
        let counts = line.counts();
        let data = line.leaves().iter().filter(|leaf| leaf.kind() == Kind::Data);
        let are_bytes = data.map(Leaf::bytes).sum::<u64>() == counts.values;
        let values = if are_bytes { None } else { values(counts) };
        let facts = [values, allocations(counts), sharing(counts)];
        Self { facts: facts.into_iter().flatten().collect(), doubts: Vec::new() }
    }

    /// Adds `4.0 MiB spare` if there are at least `worth` spare bytes right at the line.
    pub(crate) fn spare(mut self, line: Branch<'_>, worth: u64, units: Units) -> Self {
        let spare = line.leaves().iter().filter(|leaf| leaf.kind() == Kind::Spare);
        match spare.map(Leaf::bytes).sum() {
            0 => {}
            bytes if bytes < worth => {}
            bytes => self.facts.push(format!("{} spare", units.show(bytes))),
        }
        self
    }

    /// Adds `locked`, `12.0 KiB estimated`: what is doubtful at a line of so many bytes.
    pub(crate) fn doubts(mut self, marks: &Marks, bytes: u64, units: Units) -> Self {
        self.doubts.extend(marks.of_line(bytes, units));
        self
    }

    /// The columns that all notes take.
    pub(crate) fn columns(&self) -> usize {
        columns(&self.joined(self.facts.len()))
    }

    /// As many notes as fit into `limit` columns; doubts before anything else.
    pub(crate) fn within(&self, limit: usize) -> String {
        let fitting = (0..=self.facts.len())
            .rev()
            .map(|facts| self.joined(facts))
            .find(|text| columns(text) <= limit);
        fitting.unwrap_or_else(|| cut(&self.joined(0), limit))
    }

    fn joined(&self, facts: usize) -> String {
        let notes: Vec<&str> =
            self.facts[..facts].iter().chain(&self.doubts).map(String::as_str).collect();
        notes.join(", ")
    }
}

fn values(counts: Counts) -> Option<String> {
    let values = counted(counts.values, "value");
    match (counts.values, counts.nodes) {
        (0, _) => None,
        (_, 0 | 1) => Some(values),
        // A list has a node per value; saying so twice says nothing.
        (all, nodes) if all == nodes => Some(values),
        (_, nodes) => Some(format!("{values} in {}", counted(nodes, "node"))),
    }
}

/// Allocations besides the nodes; those of shared memory are told by the number of its objects.
fn allocations(counts: Counts) -> Option<String> {
    let besides = counts.allocations.saturating_sub(counts.nodes);
    (besides > counts.objects.max(FEW)).then(|| counted(besides, "allocation"))
}

fn sharing(counts: Counts) -> Option<String> {
    let handles = Grouped(counts.handles);
    match counts.objects {
        0 => None,
        1 => Some(format!("shared by {handles}")),
        objects => Some(format!("{} shared by {handles}", counted(objects, "object"))),
    }
}
