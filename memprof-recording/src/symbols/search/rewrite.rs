//! A recording's file with names: only its summary and its stacks change.

use super::resolve::Resolved;
use super::{MissingNames, SymbolSearch};
use crate::document::{Line, StackTable, Summary};
use crate::{Recording, RecordingError};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// A recording's text with names, and the modules in which names were not found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Symbolized {
    /// The text of the recording, in the same form.
    pub text: String,
    /// The number of addresses that got names, without those of libraries of the system.
    pub named: usize,
    /// The modules in which names were not found.
    pub missing: Vec<MissingNames>,
}

impl SymbolSearch {
    /// Returns the text of a recording with the names of its addresses.
    ///
    /// Only the last summary and the stacks change; everything else is copied.
    ///
    /// ```no_run
    /// use memprof::session::SymbolSearch;
    ///
    /// let text = std::fs::read_to_string("memory_profile_20261121_083000.json")?;
    /// let named = SymbolSearch::new().symbolize(&text)?;
    /// std::fs::write("named.json", named.text)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not a recording, as
    /// [`Recording::from_text`](crate::Recording::from_text) does.
    ///
    /// # Cost
    /// The call reads as much as [`resolve`](Self::resolve).
    pub fn symbolize(&self, text: &str) -> Result<Symbolized, RecordingError> {
        // Read the recording first, so that all errors of the format are reported.
        let mut recording = Recording::from_text(text)?;
        let Resolved { named, missing } = self.resolve_all(&mut recording);
        let Recording { summary, stacks, .. } = recording;
        let text = if Recording::is_timeline(text) {
            timeline(text, &summary, stacks)?
        } else {
            let mut document: Document = serde_json::from_str(text)?;
            document.replace("summary", &summary)?;
            document.replace("stacks", &[stacks])?;
            serde_json::to_string(&document)? + "\n"
        };
        Ok(Symbolized { text, named, missing })
    }
}

/// Replaces the last summary of a timeline, and adds the stacks with their names.
fn timeline(
    text: &str,
    summary: &Summary,
    stacks: StackTable,
) -> Result<String, serde_json::Error> {
    let is_summary = |line: &str| {
        serde_json::from_str::<Document>(line)
            .is_ok_and(|line| line.0.iter().any(|(key, _)| key == "summary"))
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let last = lines.iter().rposition(|line| is_summary(line));
    let mut new = String::with_capacity(text.len());
    for (index, line) in lines.into_iter().enumerate() {
        if Some(index) == last {
            let mut document: Document = serde_json::from_str(line)?;
            document.replace("summary", summary)?;
            new.push_str(&serde_json::to_string(&document)?);
            new.push('\n');
        } else {
            new.push_str(line);
        }
    }
    if stacks != StackTable::default() {
        // The last line may be torn.
        if !new.ends_with('\n') {
            new.push('\n');
        }
        // These stacks replace those of the same numbers.
        new.push_str(&serde_json::to_string(&Line::Stacks(Cow::Owned(stacks)))?);
        new.push('\n');
    }
    Ok(new)
}

/// A JSON object with its keys in the order of the file, and with values that are not parsed.
struct Document(Vec<(String, Box<RawValue>)>);

impl Document {
    fn replace(&mut self, key: &str, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let value = serde_json::value::to_raw_value(value)?;
        if let Some((_, old)) = self.0.iter_mut().find(|(name, _)| name == key) {
            *old = value;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Keys)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Document;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Document(entries))
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
