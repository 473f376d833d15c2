//! The reader of a profile's JSON. It reads branch by branch and rejects inconsistent data.
//!
//! `serde_json` reads from a reader byte by byte, which took almost three times as long on a million
//! branches. So [`Lines`] parses JSON in memprof's own layout, which has one branch per line, line
//! by line. JSON in another layout goes to that parser, starting with the first line that differs.

use crate::Profile;
use crate::text::{debug_as_text, shortened};
use crate::tree::{BranchId, Device, Leaf, Origin, Role, Tensors};
use crate::views::json::{BranchRecord, FORMAT, Key, LeafRecord, VERSION, branches_begin, keyword};
use crate::walk::{Holders, Shared};
use core::fmt;
use memprof_core::tree::{Builder, MAX_DEPTH, Own};
use serde::Deserializer;
use serde::de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::error::Error;
use std::io::{self, BufRead, Read};

#[derive(Default)]
struct Reading {
    format: Option<Value>,
    version: Option<Value>,
    total_bytes: Option<u64>,
    exact: Option<bool>,
    origin: Option<String>,
    shared: Option<Shared>,
    shallow_bytes: Option<u64>,
    tensors: Tensors,
    holders: Option<Vec<Holders>>,
    builder: Builder,
    open: Vec<Open>,
    branches: usize,
    own: Own,
    /// The sum of all counts. It must fit, because views add counts up without overflow checks.
    counts: u64,
    rejection: Option<JsonError>,
    keys: Vec<Key>,
}

struct Open {
    bytes: u64,
    last_child: Option<String>,
}

impl Reading {
    /// Reads what was not parsed yet, which may be a whole profile, with any line breaks.
    fn read(mut self, json: impl Read) -> Result<Profile, JsonError> {
        self.parse(serde_json::Deserializer::from_reader(json))?;
        self.finish()
    }

    /// Parses a profile, or an object with some of its keys.
    fn parse<'de, R: serde_json::de::Read<'de>>(
        &mut self,
        mut json: serde_json::Deserializer<R>,
    ) -> Result<(), JsonError> {
        let parsed = json.deserialize_map(&mut *self).and_then(|()| json.end());
        parsed.map_err(|error| match self.rejection.take() {
            // The reason for the rejection is more precise than the error that stopped the parser.
            Some(rejection) => rejection,
            None if error.is_data() && self.version.is_none() => JsonError::foreign(),
            None => JsonError::syntax(error),
        })
    }

    /// Another reader has already read some of the list.
    fn expect_more_branches(&mut self) {
        self.keys.retain(|&key| key != Key::Branches);
    }

    /// Rejects other formats and newer versions as soon as both keys are read.
    fn check_head(&self) -> Result<(), JsonError> {
        match (&self.format, self.version.as_ref().map(Value::as_u64)) {
            (Some(Value::String(format)), _) if format != FORMAT => {
                Err(JsonError::of_format(format))
            }
            (Some(format), _) if format != FORMAT => Err(JsonError::foreign()),
            (_, Some(None)) => Err(JsonError::foreign()),
            (Some(_), Some(Some(version))) if version != VERSION => {
                Err(JsonError::other_version(version))
            }
            _ => Ok(()),
        }
    }

    /// Adds a branch, which must sort after all previous branches.
    fn add(&mut self, record: &BranchRecord<'_>) -> Result<(), JsonError> {
        let index = self.branches;
        let error = |problem: String| JsonError::branch(index, &record.name, &problem);
        let is_open = |parent: &BranchId| self.builder.open().contains(parent);
        match record.parent.map(|parent| BranchId::at(parent as usize)) {
            None if index == 0 => {}
            Some(parent) if index > 0 && is_open(&parent) => {
                while self.builder.open().last() != Some(&parent) {
                    self.end()?;
                }
            }
            _ => {
                let problem =
                    "has a wrong parent: expected the branch before it or one of its ancestors";
                return Err(error(problem.into()));
            }
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        if let Some(parent) = self.open.last_mut() {
            let name = record.name.as_ref();
            match parent.last_child.as_deref() {
                Some(last) if last >= name => {
                    return Err(error(format!("expected a name that sorts after {last:?}")));
                }
                // Reuse one buffer for all children, because there may be a million of them.
                Some(_) => name.clone_into(parent.last_child.as_mut().expect("it is `Some`")),
                None => parent.last_child = Some(name.into()),
            }
        }
        self.count(record)?;
        read_own(record, &mut self.own).map_err(error)?;
        self.branches = self.builder.begin(&record.name, &self.own).next().index();
        self.open.push(Open { bytes: record.bytes, last_child: None });
        Ok(())
    }

    fn end(&mut self) -> Result<(), JsonError> {
        let (Some(Open { bytes, .. }), Some(&id)) = (self.open.pop(), self.builder.open().last())
        else {
            return Ok(());
        };
        self.builder.end();
        let found = self.builder.bytes(id);
        if found == bytes && !self.builder.overflowed() {
            return Ok(());
        }
        let found =
            if self.builder.overflowed() { "more than 2^64".into() } else { found.to_string() };
        let problem = format!("expected a total of {bytes} bytes, found {found}");
        Err(JsonError::branch(id.index(), self.builder.name(id), &problem))
    }

    /// Views add these counts up without checks. The counts of values and the bytes of buffers are
    /// left out: their sums may exceed a `u64` in a valid profile.
    fn count(&mut self, record: &BranchRecord<'_>) -> Result<(), JsonError> {
        let [_values, counts @ .., _buffers, _shrinkable, _compactable] = record.counts.to_array();
        let opaque = record.opaque.iter().map(|opaque| opaque.count);
        let sum = counts.into_iter().chain(opaque).try_fold(self.counts, u64::checked_add);
        match sum {
            Some(sum) if sum < u64::MAX => self.counts = sum,
            _ => {
                return Err(JsonError::whole("expected counts that add up to less than 2^64"));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Profile, JsonError> {
        if self.format.is_none() || self.version.is_none() {
            return Err(JsonError::foreign());
        }
        while !self.open.is_empty() {
            self.end()?;
        }
        if self.branches == 0 {
            return Err(JsonError::whole("expected at least one branch"));
        }
        let (count, listed) = (self.tensors.count(), self.tensors.largest().len());
        if listed as u64 > count {
            return Err(JsonError::whole(format!("counts {count} tensors and lists {listed}")));
        }
        let missing = |key: Key| JsonError::whole(format!("expected the key \"{key}\""));
        let total = self.total_bytes.ok_or_else(|| missing(Key::TotalBytes))?;
        let exact = self.exact.ok_or_else(|| missing(Key::Exact))?;
        let origin = match self.origin {
            Some(origin) => keyword(&origin, "unknown origin").map_err(JsonError::whole)?,
            None => Origin::Values,
        };
        let shared = match (self.shared, origin) {
            (Some(shared), Origin::Values) => shared,
            (None, Origin::Values) => return Err(missing(Key::Shared)),
            // Counters and folded stacks have no data on sharing.
            (_, _) => Shared::default(),
        };
        let tree = self.builder.finish(origin);
        let found = tree.total_bytes();
        if found != total {
            let problem = format!("expected a total of {total} bytes, found {found}");
            return Err(JsonError::whole(problem));
        }
        let Self { tensors, shallow_bytes, holders, .. } = self;
        let profile = Profile { tree, shared, tensors, shallow_bytes, holders };
        if profile.is_exact() != exact {
            let problem = format!("`{}` contradicts the leaves and opaque values", Key::Exact);
            return Err(JsonError::whole(problem));
        }
        Ok(profile)
    }
}

fn read_own(record: &BranchRecord<'_>, own: &mut Own) -> Result<(), String> {
    own.clear();
    own.counts = record.counts;
    for record in &record.leaves {
        let leaf = leaf(record)?;
        if own.leaves().iter().any(|known| known.key() == leaf.key()) {
            return Err(format!("has two leaves {}", leaf.kind()));
        }
        own.add_leaf(leaf);
    }
    for opaque in &record.opaque {
        let reason = keyword(&opaque.why, "is opaque for an unknown reason")?;
        if own.opaque().iter().any(|known| known.0 == reason) {
            return Err(format!("has two counts for the opaque reason {reason}"));
        }
        own.add_opaque(reason, opaque.count);
    }
    Ok(())
}

fn leaf(record: &LeafRecord<'_>) -> Result<Leaf, String> {
    let &LeafRecord { bytes, estimated_bytes, .. } = record;
    let kind = keyword(&record.kind, "has a leaf of unknown kind")?;
    let role = match &*record.role {
        "" => Role::default(),
        role => keyword(role, "has a leaf of unknown role")?,
    };
    let device = match &*record.device {
        "" => Device::default(),
        device => keyword(device, "has a leaf on an unknown device")?,
    };
    if estimated_bytes > bytes {
        let problem =
            format!("has {estimated_bytes} estimated bytes in a {kind} leaf of {bytes} bytes");
        return Err(problem);
    }
    Ok(Leaf::new(kind, role, bytes).on(device).estimated(estimated_bytes))
}

impl<'de> Visitor<'de> for &mut Reading {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Key>()? {
            if self.keys.contains(&key) {
                let problem = format!("expected the key \"{key}\" once");
                self.rejection = Some(JsonError::whole(problem));
                return Err(de::Error::custom("refused"));
            }
            if key != Key::Other {
                self.keys.push(key);
            }
            match key {
                Key::Format => self.format = Some(map.next_value()?),
                Key::Version => self.version = Some(map.next_value()?),
                Key::TotalBytes => self.total_bytes = Some(map.next_value()?),
                Key::Exact => self.exact = Some(map.next_value()?),
                Key::Origin => self.origin = Some(map.next_value()?),
                Key::Shared => self.shared = Some(map.next_value()?),
                Key::ShallowBytes => self.shallow_bytes = map.next_value()?,
                Key::Tensors => self.tensors = map.next_value()?,
                Key::Holders => self.holders = Some(map.next_value()?),
                Key::Branches => map.next_value_seed(List(self))?,
                Key::LowerBound | Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
            if let Err(rejection) = self.check_head() {
                self.rejection = Some(rejection);
            }
            if self.rejection.is_some() {
                return Err(de::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

/// A visitor of the list of branches that adds each branch as soon as it is parsed.
struct List<'r>(&'r mut Reading);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of branches")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(record) = list.next_element()? {
            if let Err(rejection) = self.0.add(&record) {
                self.0.rejection = Some(rejection);
                return Err(de::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

/// A file with more lines before the first branch goes to the general parser.
const HEAD_LINES: usize = 8;
/// The maximum length of a line in bytes. A file with a longer line goes to the general parser.
const MAX_LINE_LEN: u64 = 1 << 20;

pub(super) fn from_str(json: &str) -> Result<Profile, JsonError> {
    let mut reading = Reading::default();
    reading.parse(serde_json::Deserializer::from_str(json))?;
    reading.finish()
}

pub(super) fn read(mut json: impl BufRead) -> Result<Profile, JsonError> {
    let (mut head, begin) = (Vec::new(), branches_begin());
    for number in 1..=HEAD_LINES {
        let start = head.len();
        next_line(&mut json, &mut head)?;
        if head[start..] == *begin.as_bytes() {
            return Lines { json, number, reading: Reading::default() }.read(head);
        }
    }
    Reading::default().read(head.chain(json))
}

/// Appends at most `MAX_LINE_LEN` bytes.
fn next_line(json: &mut impl BufRead, line: &mut Vec<u8>) -> Result<(), JsonError> {
    json.take(MAX_LINE_LEN).read_until(b'\n', line).map(drop).map_err(JsonError::io)
}

struct Lines<R> {
    json: R,
    number: usize,
    reading: Reading,
}

impl<R: BufRead> Lines<R> {
    fn read(mut self, mut head: Vec<u8>) -> Result<Profile, JsonError> {
        let begun = head.len();
        head.extend_from_slice(b"]}");
        if self.reading.parse(serde_json::Deserializer::from_slice(&head)).is_err() {
            // Parse again from the start, so that errors are the same as without this reader.
            head.truncate(begun);
            return Reading::default().read(head.chain(self.json));
        }
        let mut line = head;
        // `Some(true)` if a branch must follow, `Some(false)` if none may follow.
        let mut comma = None;
        loop {
            line.clear();
            next_line(&mut self.json, &mut line)?;
            let text = line.trim_ascii();
            let (text, more) = match text.strip_suffix(b",") {
                Some(text) => (text, true),
                None => (text, false),
            };
            let ends = text.starts_with(b"]");
            if !text.is_empty() && comma.is_some_and(|comma| comma == ends) {
                let problem = format!("expected `,` between branches: line {}", self.number + 1);
                return Err(JsonError::whole(problem));
            }
            // Parse a `str`, because the parser would check each string in a byte slice for UTF-8.
            let Ok(text) = str::from_utf8(text) else { break };
            let Ok(record) = serde_json::from_str::<BranchRecord<'_>>(text) else { break };
            self.reading.add(&record)?;
            self.number += 1;
            comma = Some(more);
        }
        self.rest(&line)
    }

    /// Reads the rest of the list and everything after it, with unchanged line numbers.
    fn rest(mut self, line: &[u8]) -> Result<Profile, JsonError> {
        self.reading.expect_more_branches();
        let lines_before = io::repeat(b'\n').take(self.number as u64 - 1);
        let begin = format!("{{{}", branches_begin());
        let before = lines_before.chain(begin.as_bytes());
        self.reading.read(before.chain(line).chain(self.json))
    }
}

/// The reason why a profile could not be read from JSON or written as JSON.
///
/// `Display` names what was expected and what to do.
///
/// ```
/// use memprof::Profile;
///
/// let error = Profile::from_json("{\"traceEvents\": []}").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "not a memprof profile: expected `\"format\": \"memprof profile\"` and a version; \
///      write the file with `Profile::to_json`"
/// );
/// ```
pub struct JsonError {
    kind: Kind,
    message: String,
    source: Option<Box<dyn Error + Send + Sync>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    NewerVersion,
    Truncated,
    Foreign,
    Other,
}

/// The maximum number of columns of another format's name in the message.
const MAX_FORMAT_LEN: usize = 40;

impl JsonError {
    /// Returns whether the profile has a newer format version than this version of memprof reads.
    pub fn is_newer_version(&self) -> bool {
        self.kind == Kind::NewerVersion
    }

    /// Returns whether the text ends before the profile does, as when writing was interrupted.
    pub fn is_truncated(&self) -> bool {
        self.kind == Kind::Truncated
    }

    /// Returns whether the text is not a profile, even if it is valid JSON.
    pub fn is_foreign(&self) -> bool {
        self.kind == Kind::Foreign
    }

    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None }
    }

    fn syntax(error: serde_json::Error) -> Self {
        if error.is_io() {
            return Self::io(error.into());
        }
        if error.is_eof() {
            let (line, column) = (error.line(), error.column());
            let place = format!("line {line}, column {column}");
            let message = format!("the profile is cut off after {place}; regenerate the file");
            return Self::new(Kind::Truncated, message);
        }
        let message = "not JSON written by `Profile::to_json`; regenerate the file";
        Self { source: Some(error.into()), ..Self::new(Kind::Other, message) }
    }

    /// Only the output can cause such an error.
    pub(super) fn writing(error: serde_json::Error) -> Self {
        Self::io(error.into())
    }

    pub(super) fn io(error: io::Error) -> Self {
        let message = "cannot read or write the profile";
        Self { source: Some(error.into()), ..Self::new(Kind::Other, message) }
    }

    fn foreign() -> Self {
        Self::not_a_profile("")
    }

    fn of_format(format: &str) -> Self {
        Self::not_a_profile(&format!(", found the format {:?}", shortened(format, MAX_FORMAT_LEN)))
    }

    fn not_a_profile(found: &str) -> Self {
        let message = format!(
            "not a memprof profile: expected `\"format\": \"{FORMAT}\"` and a version{found}; write the \
             file with `Profile::to_json`"
        );
        Self::new(Kind::Foreign, message)
    }

    fn other_version(version: u64) -> Self {
        let kind = if version > VERSION { Kind::NewerVersion } else { Kind::Other };
        let message = format!(
            "the profile has format version {version}, and this memprof reads version {VERSION}; use \
             the memprof that wrote it, or a newer one"
        );
        Self::new(kind, message)
    }

    pub(super) fn too_deep() -> Self {
        let message = format!(
            "branches are nested more than {MAX_DEPTH} levels deep; mark a field near the root as \
             `leaf`"
        );
        Self::new(Kind::Other, message)
    }

    fn branch(index: usize, name: &str, problem: &str) -> Self {
        Self::whole(format!("branch {index} ({name:?}) {problem}"))
    }

    fn whole(problem: impl fmt::Display) -> Self {
        let message = format!(
            "inconsistent profile: {problem}; the file was modified, or not written by memprof"
        );
        Self::new(Kind::Other, message)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

debug_as_text!(JsonError);

impl Error for JsonError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|error| error as _)
    }
}
