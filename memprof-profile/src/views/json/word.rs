//! Keywords of the JSON, read without an allocation. An unknown keyword becomes an error later, and
//! the error contains the location.

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use memprof_core::tree::{Device, KeywordError, LeafKind, OpaqueReason, Role};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The meaning of a word, or the error for an unknown one.
pub(crate) struct Word<T>(Result<T, Box<KeywordError>>);

impl<T> From<T> for Word<T> {
    fn from(meaning: T) -> Self {
        Self(Ok(meaning))
    }
}

impl<T: Copy + PartialEq + Default> Word<T> {
    pub(crate) fn is_default(&self) -> bool {
        matches!(self, Self(Ok(meaning)) if *meaning == T::default())
    }
}

impl<T: Copy> Word<T> {
    /// Returns the meaning of the word.
    ///
    /// # Errors
    /// Returns an error if the word is unknown: `problem`, the word, and the accepted words.
    pub(crate) fn known(&self, problem: &str) -> Result<T, String> {
        self.0.as_ref().copied().map_err(|error| format!("{problem}: {error}"))
    }
}

impl<T: Default> Default for Word<T> {
    fn default() -> Self {
        Self(Ok(T::default()))
    }
}

// `collect_str` would work for all of these types, but takes 25 ns more for each leaf.
macro_rules! written_by_as_str {
    ($($keyword:ty),+) => {
        $(
            impl Serialize for Word<$keyword> {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    match &self.0 {
                        Ok(keyword) => serializer.serialize_str(keyword.as_str()),
                        Err(error) => serializer.serialize_str(error.given()),
                    }
                }
            }
        )+
    };
}

written_by_as_str!(LeafKind, Role, OpaqueReason);

impl Serialize for Word<Device> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Ok(device) => serializer.collect_str(device),
            Err(error) => serializer.serialize_str(error.given()),
        }
    }
}

impl<'de, T: FromStr<Err = KeywordError>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(PhantomData))
    }
}

struct Words<T>(PhantomData<T>);

impl<T: FromStr<Err = KeywordError>> Visitor<'_> for Words<T> {
    type Value = Word<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Word<T>, E> {
        Ok(Word(word.parse().map_err(Box::new)))
    }
}
