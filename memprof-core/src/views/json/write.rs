//! From a profile to its JSON.

use crate::views::json::document::{
    BranchRecord, FORMAT, OpaqueRecord, SharedRecord, TensorsRecord, VERSION,
};
use crate::views::json::word::Word;
use crate::views::json::{JsonError, MAX_DEPTH};
use crate::{Branch, Profile};
use std::borrow::Cow;
use std::io::Write;

/// One branch a line, so that tools which work by line can read and compare profiles.
pub(crate) fn write(profile: &Profile, out: &mut impl Write) -> Result<(), JsonError> {
    let shared = SharedRecord::from(profile.shared);
    let shared = serde_json::to_string(&shared).map_err(JsonError::writing)?;
    let (total, exact) = (profile.total_bytes(), profile.is_exact());
    let shallow = match profile.shallow_bytes {
        Some(bytes) => format!("\"shallow_bytes\": {bytes}, "),
        None => String::new(),
    };
    write!(
        out,
        "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \"total_bytes\": {total}, \
         {shallow}\"exact\": {exact},\n\"shared\": {shared},\n"
    )
    .map_err(JsonError::io)?;
    if profile.tensors.count > 0 {
        let tensors = TensorsRecord::from(&profile.tensors);
        let tensors = serde_json::to_string(&tensors).map_err(JsonError::writing)?;
        writeln!(out, "\"tensors\": {tensors},").map_err(JsonError::io)?;
    }
    out.write_all(b"\"branches\": [").map_err(JsonError::io)?;
    // The branches on the way to the one at hand, each with the number of the first past it.
    let mut above: Vec<(u32, u32)> = Vec::new();
    for branch in profile.root().subtree() {
        while above.last().is_some_and(|&(_, end)| end <= branch.index()) {
            above.pop();
        }
        let parent = above.last().map(|&(parent, _)| parent);
        above.push((branch.index(), branch.end()));
        if above.len() > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        let separator: &[u8] = if parent.is_none() { b"\n" } else { b",\n" };
        out.write_all(separator).map_err(JsonError::io)?;
        serde_json::to_writer(&mut *out, &record(branch, parent)).map_err(JsonError::writing)?;
    }
    out.write_all(b"\n]}\n").map_err(JsonError::io)
}

fn record(branch: Branch<'_>, parent: Option<u32>) -> BranchRecord<'_> {
    let opaque = branch.opaque().map(|(why, count)| OpaqueRecord { why: Word::Known(why), count });
    BranchRecord {
        parent,
        name: Cow::Borrowed(branch.name()),
        bytes: branch.total_bytes(),
        counts: branch.counts().into(),
        leaves: branch.leaves().iter().map(Into::into).collect(),
        opaque: opaque.collect(),
    }
}
