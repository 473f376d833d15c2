//! The writer of a profile's JSON.

use crate::Profile;
use crate::tree::{Branch, Origin};
use crate::views::flat::{FlatBranch, flat};
use crate::views::json::document::{
    BranchRecord, FORMAT, OpaqueRecord, SharedRecord, TensorsRecord, VERSION,
};
use crate::views::json::{JsonError, safe};
use memprof_core::tree::MAX_DEPTH;
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;

/// Writes a profile with one branch per line, so that line-based tools can read and compare files.
pub(crate) fn write(profile: &Profile, out: &mut impl Write) -> Result<(), JsonError> {
    let (total, exact) = (profile.total_bytes(), profile.is_exact());
    let shallow = match profile.shallow_bytes {
        Some(bytes) => format!("\"shallow_bytes\": {bytes}, "),
        None => String::new(),
    };
    writeln!(
        out,
        "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"total_bytes\": {total}, \
         {shallow}\"exact\": {exact},"
    )
    .map_err(JsonError::io)?;
    match profile.origin() {
        Origin::Values => entry("shared", &SharedRecord::from(profile.shared), out)?,
        // Data that this origin does not have is left out.
        origin => entry("origin", &origin.as_str(), out)?,
    }
    if profile.tensors.count > 0 {
        entry("tensors", &TensorsRecord::from(&profile.tensors), out)?;
    }
    out.write_all(b"\"branches\": [").map_err(JsonError::io)?;
    for FlatBranch { branch, parent, depth } in flat(profile.root()) {
        if depth > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        let separator: &[u8] = if parent.is_none() { b"\n" } else { b",\n" };
        out.write_all(separator).map_err(JsonError::io)?;
        safe::write(&record(branch, parent), out).map_err(JsonError::writing)?;
    }
    out.write_all(b"\n]}\n").map_err(JsonError::io)
}

/// Writes a key of the profile itself, on its own line.
fn entry(key: &str, value: &impl Serialize, out: &mut impl Write) -> Result<(), JsonError> {
    write!(out, "\"{key}\": ").map_err(JsonError::io)?;
    safe::write(value, out).map_err(JsonError::writing)?;
    out.write_all(b",\n").map_err(JsonError::io)
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
