//! The snapshots of a page, with their figures besides the trees.

use super::contents;
use super::texts;
use super::trees::Trees;
use crate::known::is_lower_end;
use memprof_profile::Profile;
use memprof_recording::Step;
use memprof_recording::document::{DeviceReading, Estimate, Snapshot, TensorReading};

impl From<Estimate> for contents::Estimate {
    fn from(estimate: Estimate) -> Self {
        let Estimate { value, standard_error, samples, .. } = estimate;
        Self { value, side: 1.96 * standard_error, samples }
    }
}

impl From<Step> for contents::Step {
    fn from(Step { sign, what, bytes, .. }: Step) -> Self {
        Self { sign: sign.into(), what: texts::name(&what), bytes }
    }
}

/// The number of listed snapshots without a tree.
const MAX_NAMED: usize = 1000;

/// Returns rising indices into `snapshots` (the first, the last, snapshots with a tree, the peak,
/// those with a failed reading, and those with a name), and the number of named snapshots left out.
pub(super) fn listed(
    snapshots: &[&Snapshot],
    peak: Option<usize>,
    trees: &Trees,
) -> (Vec<usize>, usize) {
    let mut names = 0;
    let is_listed = |index: &usize| {
        let is_end = *index == 0 || index + 1 == snapshots.len();
        let has_tree = trees.of.contains_key(index) || trees.broken.contains_key(index);
        if is_end || has_tree || peak == Some(*index) {
            return true;
        }
        names += usize::from(snapshots[*index].name.is_some());
        snapshots[*index].name.is_some() && names <= MAX_NAMED
    };
    let listed = (0..snapshots.len()).filter(is_listed).collect();
    (listed, names.saturating_sub(MAX_NAMED))
}

pub(super) fn of(
    index: usize,
    snapshot: &Snapshot,
    peak: bool,
    trees: &Trees,
) -> contents::Snapshot {
    let named = |(name, reason): (&str, &str)| (texts::name(name), texts::name(reason));
    let broken = trees.broken.get(&index).into_iter().flatten();
    let missing = snapshot.missing().chain(broken.map(|(name, reason)| (&**name, &**reason)));
    let heap = snapshot.reconciliation.as_ref();
    contents::Snapshot {
        number: snapshot.number,
        at: snapshot.at_ns,
        trigger: snapshot.trigger.as_str().into(),
        peak,
        name: snapshot.name.as_deref().map(texts::name),
        live: snapshot.heap.map(|heap| heap.live_bytes),
        resident: snapshot.process.rss_bytes,
        tree: trees.of.get(&index).copied(),
        missing: missing.map(named).collect(),
        waterfall: snapshot.steps().into_iter().map(Into::into).collect(),
        roots_at_least: snapshot.roots.iter().any(is_lower_end),
        explained: heap.and_then(|heap| heap.explained).map(Into::into),
        unexplained: heap.and_then(|heap| heap.unexplained).map(Into::into),
        claimed_twice: heap.and_then(|heap| heap.claimed_twice).map(Into::into),
        tensor_count: snapshot.tensor_count,
        tensors: snapshot.devices.iter().flat_map(tensors).collect(),
    }
}

pub(super) fn of_profile(profile: &Profile) -> contents::Snapshot {
    contents::Snapshot {
        trigger: "profile".into(),
        tree: Some(0),
        tensor_count: profile.tensors().count(),
        ..contents::Snapshot::default()
    }
}

fn tensors(device: &DeviceReading) -> impl Iterator<Item = contents::Tensor> {
    device.tensors.iter().map(|tensor| {
        let TensorReading { path, dtype, shape, bytes, requires_grad, operation, .. } = tensor;
        contents::Tensor {
            device: texts::name(&device.device),
            path: texts::name(path),
            dtype: texts::name(dtype),
            shape: texts::name(&format!("{shape:?}")),
            bytes: *bytes,
            requires_grad: *requires_grad,
            operation: operation.as_deref().map(texts::operation),
        }
    })
}
