//! The tree of a profile in the pprof format: one sample for each leaf.

use super::build::{Building, Counted, Frame, LocationId};
use super::{message, process};
use crate::formats::ExportError;
use memprof_profile::Profile;
use memprof_profile::tree::{Branch, KEYS, Origin, SHARED};
use memprof_recording::document::{Metadata, Snapshot};

/// The moment at which a session took a profile, with the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    program: String,
    process: String,
    snapshot: String,
    unix_ns: u64,
}

impl Moment {
    /// Returns the moment of a snapshot.
    pub fn of(metadata: &Metadata, snapshot: &Snapshot) -> Self {
        let (number, trigger) = (snapshot.number, snapshot.trigger.as_str());
        let name = snapshot.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
        Self {
            program: metadata.program.clone(),
            process: process(metadata),
            snapshot: format!("snapshot {number} ({trigger}{name})"),
            unix_ns: metadata.started_unix_ns.saturating_add(snapshot.at_ns),
        }
    }
}

pub(super) fn build(
    profile: &Profile,
    moment: Option<&Moment>,
) -> Result<message::Profile, ExportError> {
    let objects = profile.origin() == Origin::Values;
    let counted: &[_] = if objects {
        &[Counted::InuseObjects, Counted::InuseSpace]
    } else {
        &[Counted::InuseSpace]
    };
    let root = profile.root();
    let program = moment.map_or(root.name(), |moment| &moment.program);
    let building = Building::new(program, counted);
    let mut samples = Samples { building, objects, stack: Vec::new() };
    samples.stack.push(samples.building.location(&Frame::named(root.name())));
    samples.line(root, false);
    let mut building = samples.building;
    if let Some(moment) = moment {
        building.comment(&moment.process);
        building.comment(&moment.snapshot);
        building.time(moment.unix_ns, 0);
    }
    // If the origin does not record allocations, exactness is unknown.
    if objects {
        building.comment(if profile.is_exact() { "exact" } else { "not exact" });
    }
    building.finish()
}

struct Samples<'r> {
    building: Building<'r>,
    objects: bool,
    /// The outermost frame comes first.
    stack: Vec<LocationId>,
}

impl Samples<'_> {
    /// Adds the samples of a branch, whose name is already on the stack. The recursion is as deep
    /// as the profile, at most 1024 levels.
    fn line(&mut self, branch: Branch<'_>, of_keys: bool) {
        for leaf in branch.leaves() {
            let device = leaf.device().to_string();
            let kind = if of_keys { KEYS } else { leaf.kind().as_str() };
            self.sample(0, leaf.bytes(), &[("device", &device), ("kind", kind)]);
        }
        self.sample(branch.counts().allocations, 0, &[]);
        for child in branch.children() {
            if describes_parent(child) {
                self.line(child, of_keys || child.name() == KEYS);
                continue;
            }
            if is_empty(child) {
                continue;
            }
            let frame = self.building.location(&Frame::named(child.name()));
            self.stack.push(frame);
            self.line(child, false);
            self.stack.pop();
        }
    }

    fn sample(&mut self, objects: u64, bytes: u64, labels: &[(&str, &str)]) {
        let values = [objects, bytes];
        let values = if self.objects { &values[..] } else { &values[1..] };
        self.building.sample_at(self.stack.iter().rev().copied(), values, labels);
    }
}

/// Returns `true` if a branch has no bytes and no allocations: readers drop frames without samples.
fn is_empty(branch: Branch<'_>) -> bool {
    branch.total_bytes() == 0 && branch.subtree().all(|below| below.counts().allocations == 0)
}

/// Returns `true` if a branch only describes its parent: a shared allocation, or keys without names
/// below them. Without these frames, a path does not depend on the number of handles.
fn describes_parent(branch: Branch<'_>) -> bool {
    match branch.name() {
        SHARED => true,
        KEYS => !has_names(branch),
        _ => false,
    }
}

fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !matches!(child.name(), KEYS | SHARED) || has_names(child))
}
