//! Words of closed lists, read without an allocation; an unknown one is kept for the error.

use crate::{Device, Kind, Opaque, Role};
use core::fmt;
use core::marker::PhantomData;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A word that stands for a `T`, or one that should.
pub(crate) enum Word<T> {
    Known(T),
    Unknown(String),
}

/// What words stand for.
pub(crate) trait Meaning: Copy + PartialEq {
    fn from_word(word: &str) -> Option<Self>;

    fn word(self) -> Cow<'static, str>;
}

impl Meaning for Kind {
    fn from_word(word: &str) -> Option<Self> {
        Self::from_frame(word)
    }

    fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(self.frame())
    }
}

impl Meaning for Role {
    fn from_word(word: &str) -> Option<Self> {
        Self::from_word(word)
    }

    fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(Self::word(self))
    }
}

impl Meaning for Device {
    fn from_word(word: &str) -> Option<Self> {
        Self::from_word(word)
    }

    fn word(self) -> Cow<'static, str> {
        Cow::Owned(self.to_string())
    }
}

impl Meaning for Opaque {
    fn from_word(word: &str) -> Option<Self> {
        Self::from_word(word)
    }

    fn word(self) -> Cow<'static, str> {
        Cow::Borrowed(Self::word(self))
    }
}

impl<T: Meaning + Default> Word<T> {
    pub(crate) fn is_default(&self) -> bool {
        matches!(self, Self::Known(word) if *word == T::default())
    }
}

impl<T: Meaning + Default> Default for Word<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<T: Meaning> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(meaning) => serializer.serialize_str(&meaning.word()),
            Self::Unknown(word) => serializer.serialize_str(word),
        }
    }
}

impl<'de, T: Meaning> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Words(PhantomData))
    }
}

struct Words<T>(PhantomData<T>);

impl<T: Meaning> Visitor<'_> for Words<T> {
    type Value = Word<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Word<T>, E> {
        Ok(T::from_word(word).map_or_else(|| Word::Unknown(word.into()), Word::Known))
    }
}
