//! Profiles as JSON: all data of a profile, exact to the byte, as a flat list with a format
//! version. `docs/format.md` describes the format for readers in other languages.
//!
//! The schema is the structs below. Branches are written one per line, so that line-based tools can
//! read and compare files, and `read.rs` reads them branch by branch.

use crate::Profile;
use crate::text::is_hostile;
use crate::tree::{Branch, BranchId, Counts, Device, Leaf, Origin, Role};
use crate::views::notes::Known;
use crate::views::{FlatBranch, flat};
use core::fmt;
use core::str::FromStr;
use memprof_core::tree::{KeywordError, MAX_DEPTH};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
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
        Origin::Values => entry(Key::Shared, &profile.shared, ",\n", out)?,
        // Data that this origin does not have is left out.
        origin => entry(Key::Origin, &origin.as_str(), ",\n", out)?,
    }
    if profile.tensors.count() > 0 {
        entry(Key::Tensors, &profile.tensors, ",\n", out)?;
    }
    if let Some(holders) = &profile.holders {
        entry(Key::Holders, holders, ",\n", out)?;
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
        counts: branch.counts(),
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

/// `counts`, `leaves` and `opaque` are left out if they are 0 or empty.
#[derive(Deserialize, Serialize)]
struct BranchRecord<'d> {
    /// The index of the parent in the list, counted from 0; `None` for the root.
    parent: Option<u32>,
    #[serde(borrow)]
    name: Cow<'d, str>,
    /// The bytes at this branch and below.
    bytes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    counts: Counts,
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
    #[serde(default, skip_serializing_if = "is_default")]
    estimated_bytes: u64,
}

/// The number of a branch's values that could not be read, and the reason.
#[derive(Deserialize, Serialize)]
struct OpaqueRecord<'d> {
    #[serde(borrow)]
    why: Cow<'d, str>,
    count: u64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
