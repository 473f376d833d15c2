//! The JSON form of a comparison, with a line for every path that changed.

use crate::views::diff::entry::Change;
use crate::views::diff::side::Side;
use crate::views::diff::{Diff, DiffKind};
use crate::views::json::safe;
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::sync::mpsc;
use std::thread;

/// The value of the first key, which identifies the format.
const FORMAT: &str = "memprof diff";

/// The version of the format. It is raised when keys change their meaning or a kind is added. New
/// keys do not raise it.
const VERSION: u64 = 1;

/// The number of lines that are formatted together as one part, about 100 KB.
const PART_LEN: usize = 1 << 10;

/// One of the two profiles.
#[derive(Serialize)]
struct SideRecord<'d> {
    name: &'d str,
    bytes: u64,
    exact: bool,
    /// Left out if it is `false`.
    #[serde(skip_serializing_if = "is_false")]
    lower_end: bool,
}

/// One path. `before` or `after` is left out if that profile does not have the path.
#[derive(Serialize)]
struct EntryRecord<'d> {
    kind: &'static str,
    /// `None` if the kind is unknown.
    change: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<u64>,
    #[serde(skip_serializing_if = "is_false")]
    before_lower_end: bool,
    #[serde(skip_serializing_if = "is_false")]
    after_lower_end: bool,
    path: &'d [&'d str],
}

impl Diff<'_> {
    /// Returns JSON with a line for every path that changed. [`widest`](Self::widest) has no
    /// effect here. `docs/format.md` describes the format.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let (before, after) = (Profile::of(&vec![0_u8; 10]), Profile::of(&vec![0_u8; 12]));
    /// let json = after.diff(&before).to_json();
    /// assert!(json.contains(r#"{"kind":"grown","change":2,"before":34,"after":36,"path":["Vec"]}"#));
    /// ```
    #[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
    pub fn to_json(&self) -> String {
        let mut json = Vec::new();
        self.write(&mut json).expect("writing to memory does not fail");
        String::from_utf8(json).expect("serde_json writes UTF-8")
    }

    /// Writes the JSON of [`to_json`](Self::to_json) in parts, without holding all of it in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_json(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        self.write(&mut out)?;
        out.flush()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, ")?;
        match self.known_change() {
            Some(change) => write!(out, "\"change\": {change},\n\"before\": ")?,
            None => write!(out, "\"change\": null,\n\"before\": ")?,
        }
        safe::write(&record(&self.before), out)?;
        out.write_all(b",\n\"after\": ")?;
        safe::write(&record(&self.after), out)?;
        out.write_all(b",\n\"entries\": [")?;
        self.write_lines(out)?;
        out.write_all(b"\n]}\n")
    }

    /// Writes a line for each change. Another thread formats every second part. Most of the time is
    /// spent waiting for memory, because changes are ordered by size and branches are not.
    fn write_lines(&self, out: &mut impl Write) -> io::Result<()> {
        thread::scope(|scope| {
            let (sender, received) = mpsc::sync_channel(2);
            let format_odd_parts = move || {
                for part in self.changes.chunks(PART_LEN).skip(1).step_by(2) {
                    if sender.send(self.lines(part)).is_err() {
                        return;
                    }
                }
            };
            // If the thread can't start, its end of the channel closes and this thread formats all
            // parts.
            let needs_helper = self.changes.len() > PART_LEN;
            let _ =
                needs_helper.then(|| thread::Builder::new().spawn_scoped(scope, format_odd_parts));
            for (index, part) in self.changes.chunks(PART_LEN).enumerate() {
                let formatted = if index % 2 == 1 { received.recv().ok() } else { None };
                let lines = formatted.unwrap_or_else(|| self.lines(part))?;
                // Each line begins with the comma that separates it from the line before.
                out.write_all(if index == 0 { &lines[1..] } else { &lines })?;
            }
            Ok(())
        })
    }

    fn lines(&self, changes: &[Change]) -> io::Result<Vec<u8>> {
        let mut lines = Vec::new();
        for change in changes {
            let entry = self.entry(change);
            lines.extend_from_slice(b",\n");
            let record = EntryRecord {
                kind: entry.kind().as_str(),
                change: (entry.kind() != DiffKind::Unknown).then(|| entry.change()),
                before: entry.before(),
                after: entry.after(),
                before_lower_end: entry.before.is_lower_end,
                after_lower_end: entry.after.is_lower_end,
                path: entry.path().frames(),
            };
            safe::write(&record, &mut lines)?;
        }
        Ok(lines)
    }
}

fn record<'d>(side: &Side<'d>) -> SideRecord<'d> {
    SideRecord {
        name: side.name(),
        bytes: side.total_bytes(),
        exact: side.is_exact(),
        lower_end: side.total().is_lower_end,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
