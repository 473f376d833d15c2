//! Profiles as JSON: all data of a profile, exact to the byte, as a flat list with a format
//! version. `docs/format.md` describes the format for readers in other languages.
//!
//! The schema is the structs below. Branches are written one per line, so that line-based tools can
//! read and compare files, and `read.rs` reads them branch by branch.

use crate::Profile;
use crate::text::is_hostile;
use crate::tree::{Branch, BranchId, Counts, Device, Leaf, Origin, Role, TensorRecord, Tensors};
use crate::views::notes::Known;
use crate::views::{FlatBranch, flat};
use crate::walk::{Holders, Shared};
use core::fmt;
use core::str::FromStr;
use memprof_core::tree::{KeywordError, MAX_DEPTH};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufReader, BufWriter, Read, Write};

mod read;

pub use read::JsonError;

/// The number of bytes of a file that are read at a time.
const PIECE: usize = 128 << 10;

/// # JSON
impl Profile {
    /// The value of the key `format` in the JSON, which identifies the format.
    pub const JSON_FORMAT: &'static str = FORMAT;

    /// The version of the JSON that is written, and the only one that is read.
    pub const JSON_VERSION: u64 = VERSION;

    /// Returns the profile as JSON, a line per branch; [`from_json`](Self::from_json) reads it
    /// back.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// let json = profile.to_json()?;
    /// assert!(json.starts_with("{\"format\": \"memprof profile\", \"version\": 1,"));
    /// assert_eq!(Profile::from_json(&json)?, profile);
    /// # Ok::<(), memprof::views::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if branches are nested more than 1024 deep, because
    /// [`from_json`](Self::from_json) would reject them.
    pub fn to_json(&self) -> Result<String, JsonError> {
        let mut json = Vec::new();
        write(self, &mut json)?;
        String::from_utf8(json).map_err(|_| unreachable!("serde_json writes UTF-8"))
    }

    /// Writes the JSON of [`to_json`](Self::to_json) without holding all of it in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails, or if branches are nested more than 1024 deep.
    pub fn write_json(&self, out: impl Write) -> Result<(), JsonError> {
        let mut out = BufWriter::new(out);
        write(self, &mut out)?;
        out.flush().map_err(JsonError::io)
    }

    /// Reads a profile that [`to_json`](Self::to_json) wrote.
    ///
    /// Unknown keys are ignored.
    ///
    /// # Errors
    /// Returns an error if the text is not the JSON of a profile, if a newer version wrote it, if
    /// it ends early, or if its sums are wrong. The error names the cause and the location.
    pub fn from_json(json: &str) -> Result<Self, JsonError> {
        read::from_str(json)
    }

    /// Reads a profile that [`write_json`](Self::write_json) wrote, without holding its whole text
    /// in memory.
    ///
    /// The layout that memprof writes, a line per branch, is read faster than other layouts.
    ///
    /// # Errors
    /// Returns the same errors as [`from_json`](Self::from_json), and an error if reading fails or
    /// the input is not UTF-8.
    pub fn read_json(json: impl Read) -> Result<Self, JsonError> {
        read::read(BufReader::with_capacity(PIECE, json))
    }
}

/// Writes a profile with one branch per line, so that line-based tools can read and compare files.
fn write(profile: &Profile, out: &mut impl Write) -> Result<(), JsonError> {
    out.write_all(b"{").map_err(JsonError::io)?;
    entry(Key::Format, &FORMAT, ", ", out)?;
    entry(Key::Version, &VERSION, ", ", out)?;
    entry(Key::TotalBytes, &profile.total_bytes(), ", ", out)?;
    if let Some(bytes) = profile.shallow_bytes {
        entry(Key::ShallowBytes, &bytes, ", ", out)?;
    }
    if Known::of(profile.root()).is_lower_bound {
        entry(Key::LowerBound, &true, ", ", out)?;
    }
    entry(Key::Exact, &profile.is_exact(), ",\n", out)?;
    match profile.origin() {
        Origin::Values => entry(Key::Shared, &SharedRecord::from(profile.shared), ",\n", out)?,
        // Data that this origin does not have is left out.
        origin => entry(Key::Origin, &origin.as_str(), ",\n", out)?,
    }
    if profile.tensors.count() > 0 {
        entry(Key::Tensors, &TensorsRecord::from(&profile.tensors), ",\n", out)?;
    }
    if let Some(holders) = &profile.holders {
        let holders: Vec<HoldersRecord> =
            holders.iter().cloned().map(HoldersRecord::from).collect();
        entry(Key::Holders, &holders, ",\n", out)?;
    }
    out.write_all(branches_begin().as_bytes()).map_err(JsonError::io)?;
    for FlatBranch { branch, parent, depth } in flat(profile.root()) {
        if depth > MAX_DEPTH {
            return Err(JsonError::too_deep());
        }
        if parent.is_some() {
            out.write_all(b",\n").map_err(JsonError::io)?;
        }
        write_safe(&record(branch, parent), out).map_err(JsonError::writing)?;
    }
    out.write_all(b"\n]}\n").map_err(JsonError::io)
}

fn entry(
    key: Key,
    value: &impl Serialize,
    end: &str,
    out: &mut impl Write,
) -> Result<(), JsonError> {
    write!(out, "\"{key}\": ").map_err(JsonError::io)?;
    write_safe(value, out).map_err(JsonError::writing)?;
    out.write_all(end.as_bytes()).map_err(JsonError::io)
}

fn record(branch: Branch<'_>, parent: Option<BranchId>) -> BranchRecord<'_> {
    let opaque =
        branch.opaque().map(|(reason, count)| OpaqueRecord { why: reason.as_str().into(), count });
    BranchRecord {
        parent: parent.map(|parent| parent.index() as u32),
        name: Cow::Borrowed(branch.name()),
        bytes: branch.total_bytes(),
        counts: CountsRecord(branch.counts()),
        leaves: branch.leaves().iter().map(leaf_record).collect(),
        opaque: opaque.collect(),
    }
}

/// The value of the first key, which identifies the format.
const FORMAT: &str = "memprof profile";

/// The version of the format. It is raised when keys change their meaning or a kind, role or reason
/// is added. New keys do not raise it.
const VERSION: u64 = 1;

/// The keys of the profile itself. The writer and both readers take the names from this list, and
/// those of all other keys from the structs below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Key {
    Format,
    Version,
    TotalBytes,
    ShallowBytes,
    /// Whether the total is only a lower bound; left out otherwise. Readers derive it.
    LowerBound,
    Exact,
    Shared,
    Origin,
    Tensors,
    /// Omitted if the profile was created without holders.
    Holders,
    Branches,
    #[serde(other)]
    Other,
}

/// Prints the name in the JSON.
impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

/// Returns the text before the first branch, in memprof's own layout.
fn branches_begin() -> String {
    format!("\"{}\": [\n", Key::Branches)
}

#[derive(Deserialize, Serialize)]
struct SharedRecord {
    allocations: u64,
    handles: u64,
    bytes: u64,
    bytes_if_unshared: u64,
    externally_held_bytes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    leaked_bytes: u64,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    is_upper_bound: bool,
}

#[derive(Deserialize, Serialize)]
struct TensorsRecord<'d> {
    count: u64,
    #[serde(borrow)]
    largest: Vec<LargeTensor<'d>>,
}

#[derive(Deserialize, Serialize)]
struct LargeTensor<'d> {
    #[serde(borrow)]
    path: Cow<'d, str>,
    #[serde(borrow)]
    dtype: Cow<'d, str>,
    shape: Cow<'d, [u64]>,
    #[serde(borrow)]
    device: Cow<'d, str>,
    bytes: u64,
    requires_grad: Option<bool>,
}

/// Who keeps shared allocations alive; the fields of [`Holders`].
#[derive(Deserialize, Serialize)]
struct HoldersRecord {
    path: String,
    allocations: u64,
    bytes: u64,
    dominator: Option<String>,
    freed_bytes: Option<u64>,
    handles: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "is_zero")]
    other_paths: u64,
    unmet_handles: Option<u64>,
}

/// `counts`, `leaves` and `opaque` are left out if they are 0 or empty.
#[derive(Deserialize, Serialize)]
struct BranchRecord<'d> {
    /// The index of the parent in the list, counted from 0; `None` for the root.
    parent: Option<u32>,
    #[serde(borrow)]
    name: Cow<'d, str>,
    /// The bytes at this branch and below.
    bytes: u64,
    #[serde(default, skip_serializing_if = "CountsRecord::is_zero")]
    counts: CountsRecord,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    leaves: Vec<LeafRecord<'d>>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    opaque: Vec<OpaqueRecord<'d>>,
}

/// One leaf of a branch. Words are read without an allocation, and become keywords when the leaf is
/// added, so that an error about an unknown word names the branch.
#[derive(Deserialize, Serialize)]
struct LeafRecord<'d> {
    #[serde(borrow)]
    kind: Cow<'d, str>,
    /// Empty for the default.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    role: Cow<'d, str>,
    /// Empty for the default.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    device: Cow<'d, str>,
    bytes: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    estimated_bytes: u64,
}

/// The number of a branch's values that could not be read, and the reason.
#[derive(Deserialize, Serialize)]
struct OpaqueRecord<'d> {
    #[serde(borrow)]
    why: Cow<'d, str>,
    count: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The counts of a branch by name. Counts of 0 are left out.
#[derive(Clone, Copy, Default)]
struct CountsRecord(Counts);

impl CountsRecord {
    fn is_zero(&self) -> bool {
        self.0 == Counts::default()
    }
}

impl Serialize for CountsRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counts = Counts::NAMES.iter().zip(self.0.to_array());
        serializer.collect_map(counts.filter(|&(_, count)| count > 0))
    }
}

impl<'de> Deserialize<'de> for CountsRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(CountsVisitor)
    }
}

/// A name that is not copied unless it has escapes.
#[derive(Deserialize)]
struct Name<'d>(#[serde(borrow)] Cow<'d, str>);

struct CountsVisitor;

impl<'de> Visitor<'de> for CountsVisitor {
    type Value = CountsRecord;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("counts by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CountsRecord, A::Error> {
        let mut counts = [0; Counts::FIELDS];
        while let Some(Name(name)) = map.next_key()? {
            match Counts::NAMES.iter().position(|known| *known == name) {
                Some(index) => counts[index] = map.next_value()?,
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(CountsRecord(Counts::from_array(counts)))
    }
}

fn leaf_record(leaf: &Leaf) -> LeafRecord<'_> {
    let (kind, role, device) = (leaf.kind(), leaf.role(), leaf.device());
    LeafRecord {
        kind: kind.as_str().into(),
        role: if role == Role::default() { "".into() } else { role.as_str().into() },
        device: if device == Device::Cpu { "".into() } else { device.to_string().into() },
        bytes: leaf.bytes(),
        estimated_bytes: leaf.estimated_bytes(),
    }
}

/// Returns the keyword that a word names, or an error: `problem`, the word, and the accepted words.
fn keyword<T: FromStr<Err = KeywordError>>(word: &str, problem: &str) -> Result<T, String> {
    word.parse().map_err(|error| format!("{problem}: {error}"))
}

impl From<Shared> for SharedRecord {
    fn from(shared: Shared) -> Self {
        Self {
            allocations: shared.allocations,
            handles: shared.handles,
            bytes: shared.bytes,
            bytes_if_unshared: shared.bytes_if_unshared,
            externally_held_bytes: shared.externally_held_bytes,
            leaked_bytes: shared.leaked_bytes,
            is_upper_bound: shared.is_upper_bound,
        }
    }
}

impl From<SharedRecord> for Shared {
    fn from(shared: SharedRecord) -> Self {
        let mut read = Self::default();
        read.allocations = shared.allocations;
        read.handles = shared.handles;
        read.bytes = shared.bytes;
        read.bytes_if_unshared = shared.bytes_if_unshared;
        read.externally_held_bytes = shared.externally_held_bytes;
        read.leaked_bytes = shared.leaked_bytes;
        read.is_upper_bound = shared.is_upper_bound;
        read
    }
}

impl<'t> From<&'t Tensors> for TensorsRecord<'t> {
    fn from(tensors: &'t Tensors) -> Self {
        let largest = tensors.largest().iter().map(|tensor| LargeTensor {
            path: Cow::Borrowed(&tensor.path),
            dtype: Cow::Borrowed(&tensor.dtype),
            shape: Cow::Borrowed(&tensor.shape),
            device: tensor.device.to_string().into(),
            bytes: tensor.bytes,
            requires_grad: tensor.requires_grad,
        });
        Self { count: tensors.count(), largest: largest.collect() }
    }
}

impl TryFrom<TensorsRecord<'_>> for Tensors {
    type Error = String;

    fn try_from(tensors: TensorsRecord<'_>) -> Result<Self, String> {
        let TensorsRecord { count, largest } = tensors;
        if largest.len() as u64 > count {
            return Err(format!("counts {count} tensors and lists {}", largest.len()));
        }
        let record = |tensor: LargeTensor<'_>| {
            let mut record = TensorRecord::default();
            record.path = tensor.path.into_owned();
            record.dtype = tensor.dtype.into_owned();
            record.shape = tensor.shape.into_owned();
            record.device = keyword(&tensor.device, "has a tensor on an unknown device")?;
            record.bytes = tensor.bytes;
            record.requires_grad = tensor.requires_grad;
            Ok(record)
        };
        let largest = largest.into_iter().map(record).collect::<Result<_, String>>()?;
        Ok(Self::of_largest(count, largest))
    }
}

impl From<Holders> for HoldersRecord {
    fn from(held: Holders) -> Self {
        let Holders { path, allocations, bytes, dominator, freed_bytes, handles, .. } = held;
        let Holders { other_paths, unmet_handles, .. } = held;
        let handles = handles.into_iter().collect();
        Self {
            path,
            allocations,
            bytes,
            dominator,
            freed_bytes,
            handles,
            other_paths,
            unmet_handles,
        }
    }
}

impl From<HoldersRecord> for Holders {
    fn from(held: HoldersRecord) -> Self {
        let mut read = Self::default();
        (read.path, read.allocations, read.bytes) = (held.path, held.allocations, held.bytes);
        (read.dominator, read.freed_bytes) = (held.dominator, held.freed_bytes);
        read.handles = held.handles.into_iter().collect();
        (read.other_paths, read.unmet_handles) = (held.other_paths, held.unmet_handles);
        read
    }
}

/// Writes a value as compact JSON. In strings, escapes all characters that move the cursor, or that
/// hide or reorder text. JSON itself requires escapes only for quotes, backslashes and the first 32
/// control characters.
pub(super) fn write_safe(value: &impl Serialize, out: &mut impl Write) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Safe))
}

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
        let mut end = 0;
        for (start, hostile) in text.match_indices(is_hostile) {
            out.write_all(&text.as_bytes()[end..start])?;
            end = start + hostile.len();
            for unit in hostile.encode_utf16() {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        out.write_all(&text.as_bytes()[end..])
    }
}
