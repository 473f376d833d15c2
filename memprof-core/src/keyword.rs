//! Closed lists of words: the macro that defines an enum with them, and the error for any other
//! word.

use core::error::Error;
use core::fmt;

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

#[cfg(test)]
mod tests {
    use super::{KeywordError, MAX_GIVEN_LEN};
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
}
