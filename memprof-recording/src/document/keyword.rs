//! The serde impls of keyword enums: a keyword is written with `as_str` and read with `FromStr`.

use super::{Doubt, HeapLevel, LeakVerdict, RootState, Trigger};
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use memprof_profile::tree::KeywordError;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! strings {
    ($($keyword:ty),+) => {
        $(
            impl Serialize for $keyword {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $keyword {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(Keyword(PhantomData))
                }
            }
        )+
    };
}

strings!(Doubt, HeapLevel, LeakVerdict, RootState, Trigger);

struct Keyword<T>(PhantomData<T>);

impl<T: FromStr<Err = KeywordError>> Visitor<'_> for Keyword<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a word")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
        word.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Doubt, HeapLevel, LeakVerdict, RootState, Trigger};
    use core::fmt::Debug;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    fn check<T: Debug + PartialEq + Serialize + DeserializeOwned>(all: &[T], words: &str) {
        assert_eq!(serde_json::to_string(all).expect("words can be written"), words);
        assert_eq!(serde_json::from_str::<Vec<T>>(words).expect("they can be read"), all);
    }

    #[test]
    fn words_are_those_of_the_format() {
        check(HeapLevel::ALL, r#"["counters","sampled"]"#);
        check(Doubt::ALL, r#"["few_samples","unsteady","short_lived","replaced"]"#);
        check(LeakVerdict::ALL, r#"["unknown","leaks","no_certain_site","nothing_grows"]"#);
        check(
            RootState::ALL,
            r#"["profiled","partial","locked","spared","dropped","panicked","stuck","not_reached"]"#,
        );
        check(Trigger::ALL, r#"["start","interval","checkpoint","request","peak","signal","end"]"#);
    }

    #[test]
    fn an_unknown_word_is_refused_with_those_that_are_accepted() {
        let error = serde_json::from_str::<HeapLevel>("\"off\"").expect_err("it is unknown");
        let expected = "expected one of `counters`, `sampled`, found \"off\" at line 1 column 5";
        assert_eq!(error.to_string(), expected);
    }
}
