//! The summary of a profile as JSON.

use super::sums::Sums;
use super::{format_name, version};
use crate::input::Format;
use crate::statistics::StatisticsJson;
use memprof_profile::Profile;
use memprof_profile::report::SharingAnalysis;
use memprof_profile::tree::{Origin, TensorRecord, Tensors};
use serde::Serialize;
use std::collections::BTreeMap;

/// The JSON output; `docs/format.md` describes its keys. Figures that the origin does not have are
/// `null`.
#[derive(Serialize)]
pub(super) struct InfoJson<'p> {
    format: &'static str,
    version: u32,
    file: FileJson,
    root: &'p str,
    origin: &'static str,
    total_bytes: u64,
    shallow_bytes: Option<u64>,
    exact: Option<bool>,
    lower_bound: Option<bool>,
    opaque: Option<BTreeMap<&'static str, u64>>,
    estimated_bytes: Option<u64>,
    branches: u64,
    leaves: u64,
    depth: u64,
    counts: Option<BTreeMap<&'static str, u64>>,
    statistics: Option<StatisticsJson>,
    shared: Option<SharedJson>,
    roles: Option<BTreeMap<&'static str, u64>>,
    devices: Option<BTreeMap<String, u64>>,
    tensors: Option<TensorsJson<'p>>,
}

#[derive(Serialize)]
struct FileJson {
    format: &'static str,
    version: Option<u64>,
}

#[derive(Serialize)]
struct SharedJson {
    allocations: u64,
    handles: u64,
    bytes: u64,
    bytes_if_unshared: u64,
    externally_held_bytes: u64,
    leaked_bytes: u64,
    is_upper_bound: bool,
    duplicates: u64,
    duplicate_bytes: u64,
}

#[derive(Serialize)]
struct TensorsJson<'p> {
    count: u64,
    largest: Vec<TensorJson<'p>>,
}

#[derive(Serialize)]
struct TensorJson<'p> {
    path: &'p str,
    dtype: &'p str,
    shape: &'p [u64],
    device: String,
    bytes: u64,
    requires_grad: Option<bool>,
}

impl<'p> InfoJson<'p> {
    pub(super) fn of(profile: &'p Profile, format: Format, sums: &Sums) -> Self {
        let from_values = profile.origin() == Origin::Values;
        let devices =
            || profile.devices().iter().map(|(on, bytes)| (on.to_string(), *bytes)).collect();
        Self {
            format: "memprof info",
            version: 1,
            file: FileJson { format: format_name(format), version: version(format) },
            root: profile.root().name(),
            origin: profile.origin().as_str(),
            total_bytes: profile.total_bytes(),
            shallow_bytes: profile.shallow_bytes(),
            exact: from_values.then(|| profile.is_exact()),
            lower_bound: from_values.then(|| profile.is_lower_bound()),
            opaque: from_values.then(|| {
                sums.opaque.iter().map(|&(reason, count)| (reason.as_str(), count)).collect()
            }),
            estimated_bytes: from_values.then_some(sums.estimated_bytes),
            branches: sums.branches,
            leaves: sums.leaves,
            depth: sums.depth,
            counts: from_values.then(|| sums.counts().into_iter().collect()),
            statistics: from_values.then(|| profile.statistics().into()),
            shared: from_values.then(|| SharedJson::of(profile, &profile.sharing())),
            roles: from_values.then(|| sums.roles.iter().copied().collect()),
            devices: (profile.origin() != Origin::Folded).then(devices),
            tensors: from_values.then(|| profile.tensors().into()),
        }
    }
}

impl SharedJson {
    fn of(profile: &Profile, sharing: &SharingAnalysis) -> Self {
        let shared = profile.shared();
        Self {
            allocations: shared.allocations,
            handles: shared.handles,
            bytes: shared.bytes,
            bytes_if_unshared: shared.bytes_if_unshared,
            externally_held_bytes: shared.externally_held_bytes,
            leaked_bytes: shared.leaked_bytes,
            is_upper_bound: shared.is_upper_bound,
            duplicates: sharing.duplicates,
            duplicate_bytes: sharing.duplicate_bytes,
        }
    }
}

impl<'p> From<&'p Tensors> for TensorsJson<'p> {
    fn from(tensors: &'p Tensors) -> Self {
        Self { count: tensors.count(), largest: tensors.largest().iter().map(Into::into).collect() }
    }
}

impl<'p> From<&'p TensorRecord> for TensorJson<'p> {
    fn from(tensor: &'p TensorRecord) -> Self {
        Self {
            path: &tensor.path,
            dtype: &tensor.dtype,
            shape: &tensor.shape,
            device: tensor.device.to_string(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
        }
    }
}
