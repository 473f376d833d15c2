//! The parts of the files; `docs/format.md` describes them for programs in other languages.
//!
//! Byte counts and nanoseconds are integers, never rounded. Estimates, averages and rates may have
//! fractions. An unknown figure is `null`, never 0.
#![expect(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    reason = "the recorder, which is another crate, makes them; a new field comes with a new version"
)]

mod framework;
mod resident;
mod snapshot;
mod stacks;
mod summary;
mod timeline;

pub use framework::{FrameworkRow, Known};
pub use resident::{MemoryLimit, MemoryPressure, PartKind, ResidentMemory, ResidentPart};
pub use snapshot::{
    ClaimedTwice, DeviceReading, GaugeReading, ProcessMemory, Reconciliation, RootReading,
    RootState, SelfCost, Snapshot, SourceReading, TensorReading, Trigger, UnexplainedOperation,
    UnlistedRoots, json_line,
};
pub use stacks::{LiveStacks, Module, PinnedRow, StackRow, StackTable};
pub use summary::{
    Block, Doubt, Estimate, HeapLevel, HeapTotals, HeldBy, Leak, LeakVerdict, LeakWatch, Lifetime,
    NotWritten, OutOfMemory, Place, Site, Summary, add_growth, with_side,
};
pub(crate) use summary::{CodeLine, HOOK_DEPTH};
pub use timeline::{
    DroppedEvents, Ended, FirstLine, Line, Metadata, OperationEvent, OperationPath, OperationRow,
    ThreadName, TimelineWriter, WallTime,
};

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;
use memprof_profile::tree::KeywordError;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The value of the key `format` of a document.
pub const DOCUMENT: &str = "memprof session";
/// The value of the key `format` of a timeline's first line.
pub const TIMELINE: &str = "memprof timeline";
/// The version of the format: raised if a key changes its meaning or gets a new keyword as its
/// value.
pub const VERSION: u64 = 1;

/// Implements serde for keyword enums: a keyword is written with `as_str` and read with `FromStr`.
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

strings!(Doubt, HeapLevel, LeakVerdict, MemoryLimit, PartKind, RootState, Trigger);

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
    use std::fs;
    use std::path::Path;

    fn check<T: Debug + PartialEq + Serialize + DeserializeOwned>(all: &[T], words: &str) {
        assert_eq!(serde_json::to_string(all).expect("words can be written"), words);
        assert_eq!(serde_json::from_str::<Vec<T>>(words).expect("they can be read"), all);
    }

    #[test]
    fn words_are_those_of_the_format() {
        check(HeapLevel::ALL, r#"["counters","sampled"]"#);
        check(Doubt::ALL, r#"["few_samples","unsteady","short_lived","replaced","many_callers"]"#);
        check(LeakVerdict::ALL, r#"["unknown","leaks","no_certain_site","nothing_grows"]"#);
        check(
            RootState::ALL,
            r#"["profiled","partial","locked","spared","dropped","panicked","stuck","not_reached"]"#,
        );
        check(
            Trigger::ALL,
            r#"["start","interval","checkpoint","request","peak","limit","signal","end"]"#,
        );
    }

    #[test]
    fn an_unknown_word_is_refused_with_those_that_are_accepted() {
        let error = serde_json::from_str::<HeapLevel>("\"off\"").expect_err("it is unknown");
        let expected = "expected one of `counters`, `sampled`, found \"off\" at line 1 column 5";
        assert_eq!(error.to_string(), expected);
    }

    /// Keys are the names of public fields.
    #[test]
    fn the_page_of_the_format_names_every_key_of_a_file() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = package.join("../docs/format.md");
        let page = fs::read_to_string(page).expect("the workspace has it");
        let mut keys = 0;
        for file in fs::read_dir(package.join("src/document")).expect("it is this folder") {
            let source = fs::read_to_string(file.expect("it can be read").path());
            let source = source.expect("it is text");
            for line in source.lines().filter_map(|line| line.strip_prefix("    ")) {
                let Some(field) = line.strip_prefix("pub ") else { continue };
                let Some((key, _)) = field.split_once(": ") else { continue };
                if key.chars().all(|char| char.is_ascii_lowercase() || char == '_') {
                    assert!(page.contains(&format!("`{key}`")), "docs/format.md lacks {key}");
                    keys += 1;
                }
            }
        }
        assert!(keys > 100, "{keys}");
    }
}
