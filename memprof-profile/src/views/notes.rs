//! What views print besides bytes: the marks of bytes that are not exact, the notes of a line, the own
//! bytes of a line by kind, and the last line.
//!
//! A figure has one of three states. It is *exact*; or partly an *estimate*, which may be too high
//! or too low; or a *lower bound*, because contents were not read, which views print with `≥`.
//! Estimates and lower bounds are marked on the line where they are, and the last line has the
//! reasons.

use crate::Profile;
use crate::text::{Grouped, Percent, Style, Units, columns, counted, cut, joined_lines};
use crate::tree::{Branch, Counts, Device, KEYS, Leaf, LeafKind, OpaqueReason, Origin};
use core::fmt;

#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// The number of values by reason, sorted.
    opaque: Vec<(OpaqueReason, u64)>,
    estimated_leaves: u64,
    estimated_bytes: u64,
}

impl Marks {
    pub(crate) fn of(branch: Branch<'_>) -> Self {
        let mut marks = Self::default();
        marks.add_tree(branch);
        marks
    }

    pub(crate) fn add_tree(&mut self, branch: Branch<'_>) {
        for branch in branch.subtree() {
            self.add_opaque(branch);
            self.add_estimates(branch);
        }
    }

    pub(crate) fn add_opaque(&mut self, branch: Branch<'_>) {
        for (reason, count) in branch.opaque() {
            match self.opaque.binary_search_by_key(&reason, |&(reason, _)| reason) {
                Ok(known) => self.opaque[known].1 = self.opaque[known].1.saturating_add(count),
                Err(at) => self.opaque.insert(at, (reason, count)),
            }
        }
    }

    pub(crate) fn add_estimates(&mut self, branch: Branch<'_>) {
        branch.leaves().iter().for_each(|leaf| self.add_estimate(leaf.estimated_bytes()));
    }

    pub(crate) fn add_estimate(&mut self, bytes: u64) {
        self.estimated_leaves += u64::from(bytes > 0);
        self.estimated_bytes += bytes;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.opaque.is_empty() && self.estimated_leaves == 0
    }

    /// Returns notes such as `locked`, `2 borrowed` or `estimated`, for one line of the tree.
    pub(crate) fn of_line(&self, bytes: u64, units: Units) -> Vec<String> {
        let mut words: Vec<String> = self
            .opaque
            .iter()
            .map(|&(reason, count)| match count {
                1 => reason.to_string(),
                _ => format!("{} {reason}", Grouped(count)),
            })
            .collect();
        match self.estimated_bytes {
            0 => {}
            all if all == bytes => words.push("estimated".into()),
            some => words.push(format!("{} estimated", units.show(some))),
        }
        words
    }

    /// Returns a string such as `2 locked, 1 estimated (12.0 KiB)`, for a whole profile.
    pub(crate) fn of_profile(&self, units: Units) -> String {
        let mut words: Vec<String> = self
            .opaque
            .iter()
            .map(|(reason, count)| format!("{} {reason}", Grouped(*count)))
            .collect();
        if self.estimated_leaves > 0 {
            let (leaves, bytes) =
                (Grouped(self.estimated_leaves), units.show(self.estimated_bytes));
            words.push(format!("{leaves} estimated ({bytes})"));
        }
        words.join(", ")
    }
}

/// Returns the reason why a branch lacks values that another walk may visit, so that its bytes and
/// those below it are only a lower bound in a comparison.
///
/// Contents that no walk visits, such as those of a channel, are missing from every profile of the
/// type and do not make a comparison doubtful. Where a sample of a slice was visited, the bytes are
/// an estimate and no lower bound.
pub fn missing_values(branch: Branch<'_>) -> Option<OpaqueReason> {
    let is_missing = |reason| match reason {
        OpaqueReason::Locked | OpaqueReason::Borrowed => true,
        OpaqueReason::Stopped => !is_sample(branch),
        _ => false,
    };
    branch.opaque().map(|(reason, _)| reason).find(|&reason| is_missing(reason))
}

/// Returns whether contents at the branch or below were not read.
pub(crate) fn is_lower_bound(branch: Branch<'_>) -> bool {
    branch.subtree().any(has_unread)
}

/// Returns whether contents of a branch itself were not read, so that its bytes are a lower bound.
pub fn has_unread(branch: Branch<'_>) -> bool {
    branch.opaque().any(|(reason, _)| match reason {
        // All bytes are in the profile: at another branch, measured earlier, or twice.
        OpaqueReason::BadIndex | OpaqueReason::Measured | OpaqueReason::Followed => false,
        OpaqueReason::Stopped => !is_sample(branch),
        _ => true,
    })
}

/// Returns whether the visited elements of a branch stand for those that were not visited.
fn is_sample(branch: Branch<'_>) -> bool {
    branch.subtree().flat_map(Branch::leaves).any(|leaf| leaf.estimated_bytes() > 0)
}

/// The known bytes of a part, which are a lower bound if contents of the part were not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) bytes: u64,
    pub(crate) is_lower_bound: bool,
}

impl Known {
    pub(crate) fn of(branch: Branch<'_>) -> Self {
        Self { bytes: branch.total_bytes(), is_lower_bound: is_lower_bound(branch) }
    }

    pub(crate) fn own(branch: Branch<'_>) -> Self {
        Self { bytes: branch.own_bytes(), is_lower_bound: has_unread(branch) }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            is_lower_bound: self.is_lower_bound || other.is_lower_bound,
        }
    }

    pub(crate) fn show(self, units: Units) -> String {
        lower_bound(self.is_lower_bound, units.show(self.bytes))
    }
}

pub(crate) fn lower_bound(is_lower_bound: bool, amount: impl fmt::Display) -> String {
    if is_lower_bound { format!("≥ {amount}") } else { amount.to_string() }
}

/// Returns the reason why a profile is not exact, or `None` if it is exact.
pub(crate) fn warnings(profile: &Profile, units: Units) -> Option<String> {
    if let Some(origin) = limited_origin(profile.origin()) {
        return Some(format!("{origin} do not record exactness"));
    }
    let marks = Marks::of(profile.root());
    (!marks.is_empty()).then(|| marks.of_profile(units))
}

/// The notes of one line. If the line is too long, facts are left out before warnings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    facts: Vec<String>,
    warnings: Vec<String>,
}

/// A collection usually has one allocation, and a shared collection has two.
const MAX_UNMENTIONED: u64 = 2;

impl Notes {
    /// Returns notes on a line's own counts, such as `1,000 values in 91 nodes` or `shared by 12`.
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
        match spare_bytes(line) {
            0 => {}
            bytes if bytes < min_bytes => {}
            bytes => self.facts.push(format!("{} spare", units.show(bytes))),
        }
        self
    }

    /// Adds marks such as `locked` or `12.0 KiB estimated`.
    pub(crate) fn warnings(mut self, marks: &Marks, bytes: u64, units: Units) -> Self {
        self.warnings.extend(marks.of_line(bytes, units));
        self
    }

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

    pub(crate) fn add_warning(&mut self, warning: String) {
        self.warnings.push(warning);
    }

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

/// Leaves out nodes, and shared allocations, whose number is in another note.
fn allocations(counts: Counts) -> Option<String> {
    let other_allocations = counts.allocations.saturating_sub(counts.nodes);
    (other_allocations > counts.shared_allocations.max(MAX_UNMENTIONED))
        .then(|| counted(other_allocations, "allocation"))
}

fn sharing(counts: Counts) -> Option<String> {
    // The number of handles to memory of another library may be unknown.
    let by = match counts.handles {
        0 => String::new(),
        handles => format!(" by {}", Grouped(handles)),
    };
    match counts.shared_allocations {
        0 => None,
        1 => Some(format!("shared{by}")),
        shared => Some(format!("{} shared{by}", counted(shared, "allocation"))),
    }
}

/// The part of a line's own bytes that has one bracketed name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) estimated_bytes: u64,
}

pub(crate) fn parts(line: Branch<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![Part { name: KEYS, bytes: 0, estimated_bytes: 0 }];
    for leaf in line.leaves() {
        let name = name(leaf);
        let known = parts.iter().position(|part| part.name == name);
        let index = known.unwrap_or_else(|| {
            parts.push(Part { name, bytes: 0, estimated_bytes: 0 });
            parts.len() - 1
        });
        parts[index].bytes += leaf.bytes();
        parts[index].estimated_bytes += leaf.estimated_bytes();
    }
    parts.retain(|part| part.bytes > 0);
    parts
}

fn name(leaf: &Leaf) -> &'static str {
    if leaf.is_of_keys() { KEYS } else { leaf.kind().as_str() }
}

/// Returns whether the profile is exact, then its totals: the most important part is first.
pub(crate) fn footer(profile: &Profile, units: Units) -> Vec<String> {
    let (mut allocations, mut spare) = (0_u64, 0_u64);
    for branch in profile.root().subtree() {
        allocations = allocations.saturating_add(branch.counts().allocations);
        spare = spare.saturating_add(spare_bytes(branch));
    }
    let mut parts = vec![match (limited_origin(profile.origin()), warnings(profile, units)) {
        (Some(origin), _) => format!("from {origin}, which do not record exactness"),
        (None, Some(warnings)) => format!("not exact: {warnings}"),
        (None, None) => "exact".into(),
    }];
    if allocations > 0 {
        parts.push(counted(allocations, "allocation"));
    }
    if spare > 0 {
        let percent = Percent { part: spare, whole: profile.total_bytes() };
        parts.push(format!("{} spare ({percent})", units.show(spare)));
    }
    for (device, bytes) in profile.devices() {
        if device != Device::Cpu {
            parts.push(format!("{} on {device}", units.show(bytes)));
        }
    }
    let shared = profile.shared;
    if shared.externally_held_bytes > 0 {
        let most = if shared.is_upper_bound { "≤ " } else { "" };
        parts.push(format!("{most}{} externally held", units.show(shared.externally_held_bytes)));
    }
    if shared.leaked_bytes > 0 {
        parts.push(format!("{} leaked in a cycle of handles", units.show(shared.leaked_bytes)));
    }
    parts
}

pub(crate) fn footer_style(profile: &Profile) -> Style {
    if profile.is_exact() { Style::Good } else { Style::Warning }
}

pub(crate) fn spare_bytes(line: Branch<'_>) -> u64 {
    let spare = line.leaves().iter().filter(|leaf| leaf.kind() == LeafKind::Spare);
    spare.map(Leaf::bytes).fold(0, u64::saturating_add)
}

pub(crate) fn wrapped(parts: &[String], width: usize) -> String {
    joined_lines(parts.iter().cloned(), " · ", width).join("\n")
}

/// Returns the name of an origin without data on roles, sharing and exactness; `None` for values.
pub(crate) fn limited_origin(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Counters => Some("counters"),
        Origin::Folded => Some("folded stacks"),
        _ => None,
    }
}
