//! The writer of a profile's JSON.

use crate::Profile;
use crate::tree::{Branch, Origin};
use crate::views::flat::{FlatBranch, flat};
use crate::views::json::document::{
    BranchRecord, FORMAT, Key, OpaqueRecord, SharedRecord, TensorsRecord, VERSION, branches_begin,
};
use crate::views::json::{JsonError, safe};
use memprof_core::tree::MAX_DEPTH;
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;

/// Writes a profile with one branch per line, so that line-based tools can read and compare files.
pub(crate) fn write(profile: &Profile, out: &mut impl Write) -> Result<(), JsonError> {
    out.write_all(b"{").map_err(JsonError::io)?;
    entry(Key::Format, &FORMAT, ", ", out)?;
    entry(Key::Version, &VERSION, ", ", out)?;
    entry(Key::TotalBytes, &profile.total_bytes(), ", ", out)?;
    if let Some(bytes) = profile.shallow_bytes {
        entry(Key::ShallowBytes, &bytes, ", ", out)?;
    }
    entry(Key::Exact, &profile.is_exact(), ",\n", out)?;
    match profile.origin() {
        Origin::Values => entry(Key::Shared, &SharedRecord::from(profile.shared), ",\n", out)?,
        // Data that this origin does not have is left out.
        origin => entry(Key::Origin, &origin.as_str(), ",\n", out)?,
    }
    if profile.tensors.count > 0 {
        entry(Key::Tensors, &TensorsRecord::from(&profile.tensors), ",\n", out)?;
    }
    out.write_all(branches_begin().as_bytes()).map_err(JsonError::io)?;
    for FlatBranch { branch, parent, depth } in flat(profile.root()) {
        if depth > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        if parent.is_some() {
            out.write_all(b",\n").map_err(JsonError::io)?;
        }
        safe::write(&record(branch, parent), out).map_err(JsonError::writing)?;
    }
    out.write_all(b"\n]}\n").map_err(JsonError::io)
}

/// Writes a key of the profile itself, its value and the text after it.
fn entry(
    key: Key,
    value: &impl Serialize,
    end: &str,
    out: &mut impl Write,
) -> Result<(), JsonError> {
    write!(out, "\"{key}\": ").map_err(JsonError::io)?;
    safe::write(value, out).map_err(JsonError::writing)?;
    out.write_all(end.as_bytes()).map_err(JsonError::io)
}

fn record(branch: Branch<'_>, parent: Option<u32>) -> BranchRecord<'_> {
    let opaque = branch.opaque().map(|(reason, count)| OpaqueRecord { why: reason.into(), count });
    BranchRecord {
        parent,
        name: Cow::Borrowed(branch.name()),
        bytes: branch.total_bytes(),
        counts: branch.counts().into(),
        leaves: branch.leaves().iter().map(Into::into).collect(),
        opaque: opaque.collect(),
    }
}
