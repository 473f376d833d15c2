//! From the JSON of a profile back to it; nothing is believed that does not add up.

use crate::views::json::document::{
    BranchRecord, CountsRecord, Document, LeafRecord, OpaqueRecord,
};
use crate::views::json::{JsonError, MAX_DEPTH};
use crate::{Branch, Kind, Leaf, Opaque, Profile, Role};

impl Document<'_> {
    pub(crate) fn into_profile(self) -> Result<Profile, JsonError> {
        let parents = parents(&self.branches)?;
        check_counts(&self.branches)?;
        let root = assemble(self.branches, &parents)?;
        if root.bytes != self.total_bytes {
            let (total, found) = (self.total_bytes, root.bytes);
            return Err(JsonError::whole(format!("expected {total} bytes in all, found {found}")));
        }
        if root.is_exact() != self.exact {
            let what = "`exact` says something else than its leaves and opaque values do";
            return Err(JsonError::whole(what));
        }
        Ok(Profile { root, shared: self.shared.into() })
    }
}

/// Counts are added up by the views, which trust them; only values may be more than fit.
fn check_counts(records: &[BranchRecord<'_>]) -> Result<(), JsonError> {
    let counts = |record: &BranchRecord<'_>| {
        let CountsRecord { values: _, allocations, nodes, objects, handles } = record.counts;
        let opaque = record.opaque.iter().map(|opaque| opaque.count);
        let counts = [allocations, nodes, objects, handles].into_iter().chain(opaque);
        counts.fold(0, u64::saturating_add)
    };
    let sum = records.iter().map(counts).try_fold(0, u64::checked_add);
    match sum {
        Some(sum) if sum < u64::MAX => Ok(()),
        _ => Err(JsonError::whole("expected counts that add up to less than 2^64")),
    }
}

/// Each branch's parent; the root, which has none, is its own.
fn parents(records: &[BranchRecord<'_>]) -> Result<Vec<usize>, JsonError> {
    let mut parents = Vec::with_capacity(records.len());
    let mut depths: Vec<usize> = Vec::with_capacity(records.len());
    for (index, record) in records.iter().enumerate() {
        let (parent, depth) = match record.parent {
            None if index == 0 => (0, 1),
            Some(parent) if parent < index => (parent, depths[parent] + 1),
            _ => {
                let what = "expected a branch before it as its parent";
                return Err(JsonError::branch(index, &record.name, what));
            }
        };
        if depth > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        parents.push(parent);
        depths.push(depth);
    }
    Ok(parents)
}

/// Hangs every branch below its parent, last first, so that each is whole when its turn comes.
fn assemble(records: Vec<BranchRecord<'_>>, parents: &[usize]) -> Result<Branch, JsonError> {
    let mut below: Vec<Vec<Branch>> = vec![Vec::new(); records.len()];
    for (index, record) in records.into_iter().enumerate().rev() {
        let children = core::mem::take(&mut below[index]);
        let branch = branch(index, record, children)?;
        if index == 0 {
            return Ok(branch);
        }
        below[parents[index]].push(branch);
    }
    Err(JsonError::whole("expected at least one branch"))
}

fn branch(
    index: usize,
    record: BranchRecord<'_>,
    mut children: Vec<Branch>,
) -> Result<Branch, JsonError> {
    let wrong = |what: String| JsonError::branch(index, &record.name, what);
    let Some(role) = Role::from_word(&record.role) else {
        return Err(wrong(format!("has the unknown role {:?}", record.role)));
    };
    let leaves = leaves(&record.leaves).map_err(wrong)?;
    let opaque = opaque(&record.opaque).map_err(wrong)?;
    children.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(twice) = children.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(wrong(format!("has two branches named {:?}", twice[0].name)));
    }
    let parts =
        leaves.iter().map(|leaf| leaf.bytes).chain(children.iter().map(|child| child.bytes));
    let sum = parts.into_iter().try_fold(0_u64, u64::checked_add);
    if sum != Some(record.bytes) {
        let found = sum.map_or_else(|| "more than 2^64".into(), |sum| sum.to_string());
        return Err(wrong(format!(
            "expected {} bytes here and below, found {found}",
            record.bytes
        )));
    }
    Ok(Branch {
        name: record.name.into_owned(),
        role,
        bytes: record.bytes,
        counts: record.counts.into(),
        leaves,
        opaque,
        children,
    })
}

fn leaves(records: &[LeafRecord<'_>]) -> Result<Vec<Leaf>, String> {
    let mut leaves = Vec::with_capacity(records.len());
    for record in records {
        let &LeafRecord { ref kind, bytes, estimated_bytes } = record;
        let kind =
            Kind::from_frame(kind).ok_or_else(|| format!("has a leaf of unknown kind {kind:?}"))?;
        if estimated_bytes > bytes {
            return Err(format!("estimates {estimated_bytes} of {bytes} bytes of {kind}"));
        }
        leaves.push(Leaf { kind, bytes, estimated_bytes });
    }
    leaves.sort_by_key(|leaf| leaf.kind);
    match leaves.windows(2).find(|pair| pair[0].kind == pair[1].kind) {
        Some(twice) => Err(format!("has two leaves {}", twice[0].kind)),
        None => Ok(leaves),
    }
}

fn opaque(records: &[OpaqueRecord<'_>]) -> Result<Vec<(Opaque, u64)>, String> {
    let mut opaque = Vec::with_capacity(records.len());
    for OpaqueRecord { why, count } in records {
        let why = Opaque::from_word(why)
            .ok_or_else(|| format!("is opaque for the unknown reason {why:?}"))?;
        opaque.push((why, *count));
    }
    opaque.sort_unstable();
    match opaque.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(twice) => Err(format!("is opaque twice because {}", twice[0].0)),
        None => Ok(opaque),
    }
}
