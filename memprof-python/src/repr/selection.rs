//! The largest branches of a profile, which a notebook shows.

use super::shown;
use memprof_profile::Profile;
use memprof_profile::tree::Branch;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum number of branches shown.
const MAX_ROWS: usize = 250;
/// The maximum number of children shown of one branch.
const MAX_CHILDREN: usize = 60;
/// The maximum number of levels shown.
const MAX_LEVELS: usize = 24;

/// The selected branches. The root is the first, and parents are before their children.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) rows: Vec<Row>,
}

/// A selected branch.
#[derive(Debug)]
pub(super) struct Row {
    /// The name, shortened and without hostile characters. It is not escaped for HTML.
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) allocations: u64,
    pub(super) is_exact: bool,
    /// The number of branches above.
    pub(super) level: usize,
    /// The selected children, the largest first.
    pub(super) children: Vec<usize>,
    /// The children that were left out, and their bytes.
    pub(super) more: (u64, u64),
}

/// A branch that may be selected. Candidates are ordered by bytes. If two have equal bytes, the
/// earlier one in the profile is the greater.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    bytes: u64,
    index: Reverse<u32>,
}

impl Selection {
    /// Selects branches by size: a branch is selected only if its parent is.
    ///
    /// Visits each child of each selected branch once.
    pub(super) fn of(profile: &Profile) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        let mut open = BinaryHeap::new();
        let mut branches = vec![(profile.root(), None)];
        open.push((Candidate { bytes: profile.total_bytes(), index: Reverse(0) }, 0));
        while rows.len() < MAX_ROWS
            && let Some((_, number)) = open.pop()
        {
            let (branch, parent): (Branch<'_>, Option<usize>) = branches[number];
            let level = parent.map_or(0, |parent: usize| rows[parent].level + 1);
            let this = rows.len();
            let (children, more) =
                if level + 1 < MAX_LEVELS { largest(branch) } else { (Vec::new(), left(branch)) };
            for child in children {
                open.push((candidate(child), branches.len()));
                branches.push((child, Some(this)));
            }
            if let Some(parent) = parent {
                rows[parent].children.push(this);
            }
            rows.push(Row {
                name: shown(branch.name()),
                bytes: branch.total_bytes(),
                allocations: branch.counts().allocations,
                is_exact: branch.is_exact(),
                level,
                children: Vec::new(),
                more,
            });
        }
        for (_, number) in open {
            let (branch, parent) = branches[number];
            if let Some(parent) = parent {
                let (count, bytes) = &mut rows[parent].more;
                *count += 1;
                *bytes += branch.total_bytes();
            }
        }
        Self { rows }
    }

    pub(super) fn total(&self) -> u64 {
        self.rows[0].bytes
    }
}

fn candidate(branch: Branch<'_>) -> Candidate {
    Candidate { bytes: branch.total_bytes(), index: Reverse(branch.index()) }
}

/// Returns the largest children, and the number and bytes of the others.
fn largest(branch: Branch<'_>) -> (Vec<Branch<'_>>, (u64, u64)) {
    let mut kept: Vec<(Candidate, Branch<'_>)> = Vec::new();
    let mut least = 0;
    let mut more = (0, 0_u64);
    for child in branch.children() {
        let candidate = candidate(child);
        more.0 += 1;
        more.1 += candidate.bytes;
        // A child with as few bytes as the smallest kept child comes later in the profile, so it is
        // left out.
        if candidate.bytes > least || kept.len() < MAX_CHILDREN {
            kept.push((candidate, child));
        }
        // Select only when many children are kept, so that the time per child is constant in any
        // order of sizes.
        if kept.len() == 32 * MAX_CHILDREN {
            least = keep_largest(&mut kept);
        }
    }
    keep_largest(&mut kept);
    for (candidate, _) in &kept {
        more.0 -= 1;
        more.1 -= candidate.bytes;
    }
    (kept.into_iter().map(|(_, child)| child).collect(), more)
}

/// Keeps the largest candidates, and returns the bytes of the smallest that is kept.
fn keep_largest(kept: &mut Vec<(Candidate, Branch<'_>)>) -> u64 {
    if kept.len() > MAX_CHILDREN {
        kept.select_nth_unstable_by(MAX_CHILDREN - 1, |(one, _), (other, _)| other.cmp(one));
        kept.truncate(MAX_CHILDREN);
    }
    kept.iter().map(|(candidate, _)| candidate.bytes).min().unwrap_or(0)
}

/// Returns the number and bytes of all children.
fn left(branch: Branch<'_>) -> (u64, u64) {
    branch.children().fold((0, 0), |(count, bytes), child| (count + 1, bytes + child.total_bytes()))
}
