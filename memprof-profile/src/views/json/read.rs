//! The parser of a profile's JSON. It reads branch by branch and rejects inconsistent data.

use crate::Profile;
use crate::tree::{Leaf, Origin, Tensors};
use crate::views::json::JsonError;
use crate::views::json::document::{
    BranchRecord, FORMAT, Key, LeafRecord, SharedRecord, TensorsRecord, VERSION,
};
use crate::views::json::word::Word;
use crate::walk::Shared;
use core::fmt;
use memprof_core::tree::{Builder, MAX_DEPTH, Own};
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::io::Read;

/// The data read so far.
#[derive(Default)]
pub(crate) struct Reading {
    format: Option<Value>,
    version: Option<Value>,
    total_bytes: Option<u64>,
    exact: Option<bool>,
    origin: Option<Word<Origin>>,
    shared: Option<SharedRecord>,
    shallow_bytes: Option<u64>,
    tensors: Tensors,
    builder: Builder,
    /// The bytes that the file states, and the last child's name, for each branch that is open.
    open: Vec<Open>,
    branches: u32,
    own: Own,
    /// The sum of all counts. It must fit, because views add counts up without overflow checks.
    counts: u64,
    rejection: Option<JsonError>,
    /// The known keys that were read so far.
    keys: Vec<Key>,
}

struct Open {
    bytes: u64,
    last_child: Option<String>,
}

impl Reading {
    /// Reads the JSON that was not parsed yet, which may be a whole profile. The JSON may have any
    /// line breaks.
    pub(crate) fn read(mut self, json: impl Read) -> Result<Profile, JsonError> {
        self.parse(serde_json::Deserializer::from_reader(json))?;
        self.finish()
    }

    /// Parses a profile, or an object with some of its keys.
    pub(crate) fn parse<'de, R: serde_json::de::Read<'de>>(
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

    /// Accepts the key `branches` a second time, because another reader has already read some of
    /// the list.
    pub(crate) fn expect_more_branches(&mut self) {
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
    pub(crate) fn add(&mut self, record: &BranchRecord<'_>) -> Result<(), JsonError> {
        let index = self.branches as usize;
        let error = |problem: String| JsonError::branch(index, &record.name, problem);
        let is_open = |parent: &u32| self.builder.open().contains(parent);
        match record.parent {
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
        self.branches = self.builder.begin(&record.name, &self.own) + 1;
        self.open.push(Open { bytes: record.bytes, last_child: None });
        Ok(())
    }

    /// Ends the branch begun last.
    fn end(&mut self) -> Result<(), JsonError> {
        let (Some(Open { bytes, .. }), Some(&index)) =
            (self.open.pop(), self.builder.open().last())
        else {
            return Ok(());
        };
        self.builder.end();
        let found = self.builder.bytes(index);
        if found == bytes && !self.builder.overflowed() {
            return Ok(());
        }
        let found =
            if self.builder.overflowed() { "more than 2^64".into() } else { found.to_string() };
        let problem = format!("expected a total of {bytes} bytes, found {found}");
        let name = self.builder.name(index);
        Err(JsonError::branch(index as usize, name, problem))
    }

    /// Checks that the sum of all counts fits, because views add these counts up without checks.
    /// The counts of values and the bytes of buffers are left out: their sums may exceed a `u64` in
    /// a valid profile.
    fn count(&mut self, record: &BranchRecord<'_>) -> Result<(), JsonError> {
        let [_values, counts @ .., _buffers, _shrinkable, _compactable] =
            crate::tree::Counts::from(record.counts).to_array();
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

    /// Returns the profile, if its data is consistent.
    pub(crate) fn finish(mut self) -> Result<Profile, JsonError> {
        if self.format.is_none() || self.version.is_none() {
            return Err(JsonError::foreign());
        }
        while !self.open.is_empty() {
            self.end()?;
        }
        if self.branches == 0 {
            return Err(JsonError::whole("expected at least one branch"));
        }
        let missing = |key: Key| JsonError::whole(format!("expected the key \"{key}\""));
        let total = self.total_bytes.ok_or_else(|| missing(Key::TotalBytes))?;
        let exact = self.exact.ok_or_else(|| missing(Key::Exact))?;
        let origin =
            self.origin.unwrap_or_default().known("unknown origin").map_err(JsonError::whole)?;
        let shared = match (self.shared, origin) {
            (Some(shared), Origin::Values) => shared.into(),
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
        let Self { tensors, shallow_bytes, .. } = self;
        let profile = Profile { tree, shared, tensors, shallow_bytes };
        if profile.is_exact() != exact {
            let problem = format!("`{}` contradicts the leaves and opaque values", Key::Exact);
            return Err(JsonError::whole(problem));
        }
        Ok(profile)
    }
}

/// Reads a branch's own leaves, counts and opaque values.
fn read_own(record: &BranchRecord<'_>, own: &mut Own) -> Result<(), String> {
    own.clear();
    own.counts = record.counts.into();
    for record in &record.leaves {
        let leaf = leaf(record)?;
        if own.leaves().iter().any(|known| known.key() == leaf.key()) {
            return Err(format!("has two leaves {}", leaf.kind()));
        }
        own.add_leaf(leaf);
    }
    for opaque in &record.opaque {
        let reason = opaque.why.known("is opaque for an unknown reason")?;
        if own.opaque().iter().any(|known| known.0 == reason) {
            return Err(format!("has two counts for the opaque reason {reason}"));
        }
        own.add_opaque(reason, opaque.count);
    }
    Ok(())
}

fn leaf(record: &LeafRecord) -> Result<Leaf, String> {
    let LeafRecord { kind, role, device, bytes, estimated_bytes } = record;
    let (bytes, estimated_bytes) = (*bytes, *estimated_bytes);
    let kind = kind.known("has a leaf of unknown kind")?;
    let role = role.known("has a leaf of unknown role")?;
    let device = device.known("has a leaf on an unknown device")?;
    if estimated_bytes > bytes {
        return Err(format!(
            "has {estimated_bytes} estimated bytes in a {kind} leaf of {bytes} bytes"
        ));
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
                return Err(A::Error::custom("refused"));
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
                Key::Tensors => match Tensors::try_from(map.next_value::<TensorsRecord<'_>>()?) {
                    Ok(tensors) => self.tensors = tensors,
                    Err(problem) => self.rejection = Some(JsonError::whole(problem)),
                },
                Key::Branches => map.next_value_seed(List(self))?,
                Key::Other => drop(map.next_value::<IgnoredAny>()?),
            }
            if let Err(rejection) = self.check_head() {
                self.rejection = Some(rejection);
            }
            if self.rejection.is_some() {
                return Err(A::Error::custom("refused"));
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
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}
