//! From a profile to its JSON.

use crate::tree::MAX_DEPTH;
use crate::views::escape::is_hostile;
use crate::views::flat::{Placed, flat};
use crate::views::json::JsonError;
use crate::views::json::document::{BranchRecord, FORMAT, OpaqueRecord, SharedRecord, VERSION};
use crate::views::json::word::Word;
use crate::{Branch, Origin, Profile};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// One branch a line, so that tools which work by line can read and compare profiles.
pub(crate) fn write(profile: &Profile, out: &mut impl Write) -> Result<(), JsonError> {
    let (total, exact) = (profile.total_bytes(), profile.is_exact());
    writeln!(
        out,
        "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, \
         \"total_bytes\": {total}, \"exact\": {exact},"
    )
    .map_err(JsonError::io)?;
    if profile.origin == Origin::Values {
        let shared = SharedRecord::from(profile.shared);
        let shared = serde_json::to_string(&shared).map_err(JsonError::writing)?;
        writeln!(out, "\"shared\": {shared},").map_err(JsonError::io)?;
    } else {
        // What the origin does not tell is left out.
        writeln!(out, "\"origin\": \"{}\",", profile.origin).map_err(JsonError::io)?;
    }
    out.write_all(b"\"branches\": [").map_err(JsonError::io)?;
    for Placed { branch, parent, depth } in flat(profile.root()) {
        if depth > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        let separator: &[u8] = if parent.is_none() { b"\n" } else { b",\n" };
        out.write_all(separator).map_err(JsonError::io)?;
        let mut line = serde_json::Serializer::with_formatter(&mut *out, Safe);
        record(branch, parent).serialize(&mut line).map_err(JsonError::writing)?;
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

/// Compact JSON that may be shown on a terminal: what [`is_hostile`] is escaped in it.
///
/// JSON itself asks only for the first 32 control characters.
struct Safe;

impl serde_json::ser::Formatter for Safe {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return out.write_all(text.as_bytes());
        }
        for part in text.split_inclusive(is_hostile) {
            let hostile = part.chars().next_back().filter(|&char| is_hostile(char));
            let Some(hostile) = hostile else {
                out.write_all(part.as_bytes())?;
                continue;
            };
            out.write_all(&part.as_bytes()[..part.len() - hostile.len_utf8()])?;
            for unit in hostile.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}
