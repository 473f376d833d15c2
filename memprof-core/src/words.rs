//! The words of a profile: kinds, roles, memories, reasons and origins, and the spelling of any name in
//! a path.
//!
//! Most of them are closed lists, which one macro defines.

use core::error::Error;
use core::fmt::{self, Write};
use core::str::FromStr;

/// Defines an enum that has a word for each of its variants. Each word is written only once.
///
/// The macro keeps the documentation, attributes and discriminants of the enum and its variants.
/// The enum must be `Copy`.
/// The macro adds these items with the enum's visibility:
/// - `ALL: &'static [Self]`, all variants in the order of their declaration;
/// - `const fn as_str(self) -> &'static str`;
/// - [`Display`](core::fmt::Display), which honours width and alignment;
/// - [`FromStr`](core::str::FromStr), whose error is a [`KeywordError`].
///
/// ```
/// memprof_core::keywords! {
///     /// When a cache is flushed.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     #[repr(u8)]
///     pub enum Flush {
///         /// After each write.
///         Always = 1 => "always",
///         /// When the cache is full.
///         WhenFull = 4 => "when full",
///     }
/// }
///
/// assert_eq!(Flush::ALL, [Flush::Always, Flush::WhenFull]);
/// assert_eq!(Flush::WhenFull.as_str(), "when full");
/// assert_eq!(format!("{:>7}", Flush::Always), " always");
/// assert_eq!("always".parse(), Ok(Flush::Always));
/// let error = "never".parse::<Flush>().unwrap_err();
/// assert_eq!(error.to_string(), "expected one of `always`, `when full`, found \"never\"");
/// ```
#[macro_export]
macro_rules! keywords {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $(
                $(#[$of_variant:meta])*
                $variant:ident $(= $discriminant:expr)? => $word:literal
            ),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$of_variant])* $variant $(= $discriminant)?,)+
        }

        impl $name {
            /// All variants, in the order of their declaration.
            $visibility const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word that texts and files use.
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, out: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                out.pad(self.as_str())
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::tree::KeywordError;

            fn from_str(word: &str) -> ::core::result::Result<Self, $crate::tree::KeywordError> {
                match word {
                    $($word => ::core::result::Result::Ok(Self::$variant),)+
                    _ => ::core::result::Result::Err(
                        $crate::tree::KeywordError::new(word, &[$($word),+]),
                    ),
                }
            }
        }
    };
}

/// The error for a word outside a closed list that `keywords!` defines.
///
/// It owns no memory: parsing a word allocates nothing, whether the word is known or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeywordError {
    /// The start of the word, cut at a character boundary.
    given: [u8; MAX_GIVEN_LEN],
    len: u8,
    is_cut: bool,
    expected: &'static [&'static str],
}

/// The maximum number of bytes of a word that the error keeps. All accepted words are shorter.
const MAX_GIVEN_LEN: usize = 30;

impl KeywordError {
    /// Creates the error for a word that is not among the `expected` ones.
    pub fn new(given: &str, expected: &'static [&'static str]) -> Self {
        let mut len = given.len().min(MAX_GIVEN_LEN);
        while !given.is_char_boundary(len) {
            len -= 1;
        }
        let mut copy = [0; MAX_GIVEN_LEN];
        copy[..len].copy_from_slice(&given.as_bytes()[..len]);
        Self { given: copy, len: len as u8, is_cut: len < given.len(), expected }
    }

    /// Returns the word, or the first 30 bytes of a longer one.
    pub fn given(&self) -> &str {
        core::str::from_utf8(&self.given[..self.len.into()]).unwrap_or_default()
    }

    /// Returns the words that are accepted.
    pub fn expected(&self) -> &'static [&'static str] {
        self.expected
    }
}

/// The word is escaped, so that a terminal can show it.
impl fmt::Display for KeywordError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("expected one of ")?;
        for word in self.expected {
            write!(out, "`{word}`, ")?;
        }
        let rest = if self.is_cut { "…" } else { "" };
        write!(out, "found {:?}{rest}", self.given())
    }
}

/// Prints the same text as `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for KeywordError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for KeywordError {}

crate::keywords! {
    /// The kind of the bytes of a leaf. The leaves of one branch are listed in this order.
    ///
    /// Fields and variants name the branches of a path. A kind names a leaf below them, in
    /// brackets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum LeafKind {
        /// A value's own bytes that are not payload: pointers, lengths and capacities.
        Inline => "[inline]",
        /// Payload: scalars, text, enums, the elements of a buffer.
        Data => "[data]",
        /// Capacity that no element uses.
        Spare => "[spare]",
        /// Control bytes and alignment of a hash table.
        Table => "[table]",
        /// Links, lengths and edges of tree and list nodes.
        Nodes => "[nodes]",
        /// Reference counts of `Rc` and `Arc`.
        Counts => "[counts]",
        /// Bytes that only align other bytes.
        Padding => "[padding]",
        /// The inline bytes of a field marked `#[profile(skip)]`.
        Skipped => "[skipped]",
        /// The known bytes of contents that could not be read.
        Opaque => "[opaque]",
    }
}

/// Below a map, the branch that contains the map's keys.
pub const KEYS: &str = "[keys]";
/// Below a handle, the branch that contains the shared allocation.
pub const SHARED: &str = "[shared]";
/// The branch that contains the entries past the limit of a keyed map.
pub const OTHER: &str = "[other]";

/// A name as a frame of a folded stack.
///
/// Readers split a line at its last space and at every `;`. They read a number before the last
/// space as a second count. So white space becomes `_` and `;` becomes `:`. Control and format
/// characters are escaped as in Rust.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Frame<'n>(pub &'n str);

impl fmt::Display for Frame<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => return out.write_str("\"\""),
            // Some readers treat a line that begins with `# ` as a comment.
            "#" => return out.write_str("\\u{23}"),
            name if name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';') => {
                return out.write_str(name);
            }
            _ => {}
        }
        self.0.chars().try_for_each(|char| match char {
            ';' => out.write_char(':'),
            _ if is_hostile(char) => write_escaped(char, out),
            _ if char.is_whitespace() => out.write_char('_'),
            _ => out.write_char(char),
        })
    }
}

/// Writes a character, escaped as in Rust if it is [hostile](is_hostile).
///
/// # Errors
/// Returns the errors from `out`.
pub fn write_escaped(char: char, out: &mut impl Write) -> fmt::Result {
    match char {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if is_hostile(char) => write!(out, "{}", char.escape_unicode()),
        _ => out.write_char(char),
    }
}

/// Returns whether a character is a control character, a line separator, or an invisible character
/// that reorders text.
pub fn is_hostile(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns `Vec` for `alloc::vec::Vec<my::Type>`, and a word such as `tuple` for a type without a
/// name.
#[must_use]
pub fn type_frame(type_name: &str) -> &str {
    let name = type_name.strip_prefix("dyn ").unwrap_or(type_name);
    match name.as_bytes().first() {
        Some(b'(') => "tuple",
        Some(b'[') if is_array(name) => "array",
        Some(b'[') => "slice",
        Some(b'&' | b'*') => "pointer",
        _ => {
            let path = &name[..name.find(['<', ' ']).unwrap_or(name.len())];
            path.rsplit(':').next().unwrap_or(path)
        }
    }
}

/// Returns whether a bracketed type has a length: `[u8; 4]` has one, `[[u8; 4]]` has none.
fn is_array(name: &str) -> bool {
    let inside = name.strip_suffix(']').unwrap_or(name);
    inside.rsplit_once(' ').is_some_and(|(items, len)| {
        items.ends_with(';') && len.bytes().all(|byte| byte.is_ascii_digit())
    })
}

crate::keywords! {
    /// The purpose of the bytes below a field. A field without a role inherits the role of its
    /// parent field.
    ///
    /// `#[profile(role = "…")]` and files use the same words.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Role {
        /// The payload that the program exists for.
        #[default]
        Data => "data",
        /// Descriptions of the payload: names, units, shapes.
        Metadata => "metadata",
        /// Data that could be recomputed or dropped: caches, uncertainties, scratch space.
        Auxiliary => "auxiliary",
    }
}

/// The memory that bytes are in.
///
/// The text has the form that machine-learning frameworks use: `cpu`, `cuda:0`, `metal:1`.
///
/// ```
/// use memprof::tree::Device;
///
/// assert_eq!(Device::Cuda(1).to_string(), "cuda:1");
/// assert_eq!("cuda:1".parse(), Ok(Device::Cuda(1)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
#[non_exhaustive]
pub enum Device {
    /// The memory of the host.
    #[default]
    Cpu,
    /// A GPU, by its CUDA number.
    Cuda(u16),
    /// An Apple GPU, by a number that the program chooses.
    Metal(u16),
    /// A GPU, by its number in NVIDIA's management library. This variant is used if CUDA does not
    /// list the GPU, or if the CUDA number is unknown.
    Nvml(u16),
    /// A map of a file, or an anonymous map, which no allocator counts. Not all of it need be in
    /// memory.
    Mmap,
}

impl FromStr for Device {
    type Err = KeywordError;

    fn from_str(word: &str) -> Result<Self, KeywordError> {
        const EXPECTED: &[&str] =
            &["cpu", "cuda:<number>", "metal:<number>", "nvml:<number>", "mmap"];
        let error = || KeywordError::new(word, EXPECTED);
        match word {
            "cpu" => return Ok(Self::Cpu),
            "mmap" => return Ok(Self::Mmap),
            _ => {}
        }
        let (family, number) = word.split_once(':').ok_or_else(error)?;
        // `+1` and `01` parse as numbers, but they are not valid device numbers.
        let is_plain = number == "0" || !number.starts_with(['+', '0']);
        let number = number.parse().ok().filter(|_| is_plain).ok_or_else(error)?;
        match family {
            "cuda" => Ok(Self::Cuda(number)),
            "metal" => Ok(Self::Metal(number)),
            "nvml" => Ok(Self::Nvml(number)),
            _ => Err(error()),
        }
    }
}

impl TryFrom<String> for Device {
    type Error = KeywordError;

    fn try_from(word: String) -> Result<Self, KeywordError> {
        word.parse()
    }
}

impl From<Device> for String {
    fn from(device: Device) -> Self {
        device.to_string()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => out.pad("cpu"),
            Self::Cuda(number) => out.pad(&format!("cuda:{number}")),
            Self::Metal(number) => out.pad(&format!("metal:{number}")),
            Self::Nvml(number) => out.pad(&format!("nvml:{number}")),
            Self::Mmap => out.pad("mmap"),
        }
    }
}

crate::keywords! {
    /// The reason why a value's owned memory was not read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum OpaqueReason {
        /// Another thread or the current thread held a lock.
        Locked => "locked",
        /// A `RefCell` was mutably borrowed.
        Borrowed => "borrowed",
        /// The type does not expose its memory, for example a channel, a closure or `dyn Any`.
        Foreign => "foreign",
        /// The target of a followed reference, which the root may own too, or a shared value that
        /// contains the root. Some bytes may count twice.
        Followed => "followed",
        /// A skipped field that can own memory.
        Skipped => "skipped",
        /// The walk did not visit the values, because an observer stopped it or because it visited
        /// only a random sample.
        Stopped => "stopped",
        /// A hand-written impl used the index of a field that its shape does not have.
        BadIndex => "bad index",
        /// The bytes were measured when the value was created, and may have changed since.
        Measured => "measured",
        /// The value is in a `Measured`, but no allocator counted while it was created.
        NotMeasured => "not measured",
    }
}

crate::keywords! {
    /// The kind of source from which a profile was created. A later origin in the list has fewer
    /// figures.
    ///
    /// A profile of values has all figures. Counters have names, bytes and the memory in which the
    /// bytes are. Folded stacks have names and bytes only. Their counts, roles and sharing are
    /// unknown, not 0. It is also unknown whether their bytes are exact.
    ///
    /// ```
    /// use memprof::tree::Origin;
    /// use memprof::Profile;
    ///
    /// assert_eq!(Profile::of(&7_u64).origin(), Origin::Values);
    /// let folded = Profile::from_folded("main;parse 12\n")?;
    /// assert_eq!(folded.origin(), Origin::Folded);
    /// assert!(!folded.is_exact());
    /// # Ok::<(), memprof::views::FoldedError>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Origin {
        /// Values of a program, visited by a walk.
        #[default]
        Values => "values",
        /// Counters of a device, an allocator or a library.
        Counters => "counters",
        /// Folded stacks, which many tools write.
        Folded => "folded",
    }
}

#[cfg(test)]
mod tests {
    use super::{Device, KeywordError, MAX_GIVEN_LEN};
    use crate::tree::{LeafKind, OpaqueReason, Origin, Role};
    use core::fmt::{Debug, Display};
    use core::str::FromStr;

    fn check<T>(all: &[T], as_str: fn(T) -> &'static str)
    where
        T: Copy + Debug + Display + PartialEq + FromStr<Err = KeywordError>,
    {
        let words: Vec<&str> = all.iter().map(|&one| as_str(one)).collect();
        assert_eq!("?".parse::<T>().unwrap_err().expected(), words);
        for (&one, word) in all.iter().zip(words) {
            assert!(word.len() <= MAX_GIVEN_LEN, "{word}");
            assert_eq!((one.to_string().as_str(), word.parse()), (word, Ok(one)));
            assert_eq!(format!("{one:^40}"), format!("{word:^40}"));
        }
    }

    #[test]
    fn keywords_round_trip() {
        check(LeafKind::ALL, LeafKind::as_str);
        check(Role::ALL, Role::as_str);
        check(OpaqueReason::ALL, OpaqueReason::as_str);
        check(Origin::ALL, Origin::as_str);
    }

    #[test]
    fn an_error_shows_the_start_of_a_long_word_without_control_characters() {
        let error = |given: &str| KeywordError::new(given, &["a", "b"]).to_string();
        assert_eq!(error(""), "expected one of `a`, `b`, found \"\"");
        let escaped = "expected one of `a`, `b`, found \"\\u{1b}[31m\\u{9b}\"";
        assert_eq!(error("\u{1b}[31m\u{9b}"), escaped);
        let longest = "x".repeat(MAX_GIVEN_LEN);
        assert_eq!(error(&longest), format!("expected one of `a`, `b`, found \"{longest}\""));
        // The 30th byte is within a character.
        let cut = "x".repeat(MAX_GIVEN_LEN - 1);
        let shown = format!("expected one of `a`, `b`, found \"{cut}\"…");
        assert_eq!(error(&format!("{cut}é")), shown);
    }

    #[test]
    fn only_written_forms_of_devices_are_parsed() {
        for device in [
            Device::Cpu,
            Device::Cuda(0),
            Device::Cuda(u16::MAX),
            Device::Metal(3),
            Device::Nvml(1),
            Device::Mmap,
        ] {
            assert_eq!(device.to_string().parse(), Ok(device));
        }
        for word in
            ["", "gpu", "cpu:0", "cuda", "cuda:", "cuda:+1", "cuda:01", "cuda:00", "cuda:65536"]
        {
            assert!(word.parse::<Device>().is_err(), "{word}");
        }
        assert_eq!(
            "gpu:0".parse::<Device>().unwrap_err().to_string(),
            "expected one of `cpu`, `cuda:<number>`, `metal:<number>`, `nvml:<number>`, `mmap`, found \"gpu:0\""
        );
    }
}
