//! The JSON document: profiles, written one by one, and the frames to which they refer by number.

use super::ExportError;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

/// A frame: a name with its file and line, if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame<'n> {
    pub(super) name: &'n str,
    pub(super) file: Option<&'n str>,
    pub(super) line: Option<u32>,
}

impl<'n> Frame<'n> {
    pub(super) const fn named(name: &'n str) -> Self {
        Self { name, file: None, line: None }
    }

    fn json(self) -> Value {
        let mut frame = json!({ "name": self.name });
        if let Some(file) = self.file {
            frame["file"] = file.into();
        }
        if let Some(line) = self.line {
            frame["line"] = line.into();
        }
        frame
    }
}

/// The beginning of a document.
const BEGIN: &str = "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\
                     \"profiles\":[\n";

/// The writer of a document, with the frames numbered so far.
pub(super) struct Document<W> {
    out: W,
    numbers: HashMap<Value, usize>,
    frames: Vec<Value>,
    profiles: u64,
}

/// The beginning or end of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) opens: bool,
    pub(super) frame: usize,
    pub(super) at: u64,
}

impl<W: Write> Document<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, numbers: HashMap::new(), frames: Vec::new(), profiles: 0 }
    }

    /// Returns the number of a frame.
    pub(super) fn frame(&mut self, frame: Frame<'_>) -> usize {
        let next = self.frames.len();
        let json = frame.json();
        *self.numbers.entry(json).or_insert_with_key(|json| {
            self.frames.push(json.clone());
            next
        })
    }

    /// Writes a profile of stacks, with the outermost frame first, and the bytes of each.
    pub(super) fn stacks(
        &mut self,
        name: &str,
        stacks: impl IntoIterator<Item = (Vec<usize>, u64)>,
    ) -> io::Result<()> {
        self.profile("sampled", "bytes", name)?;
        self.out.write_all(b",\"samples\":[")?;
        let mut weights = Vec::new();
        for (stack, bytes) in stacks {
            self.out.write_all(if weights.is_empty() { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut self.out, &stack)?;
            weights.push(bytes);
        }
        self.out.write_all(b"],\n\"weights\":")?;
        serde_json::to_writer(&mut self.out, &weights)?;
        let total = weights.iter().fold(0_u64, |sum, &bytes| sum.saturating_add(bytes));
        // speedscope draws up to the end value, so it must be the total.
        write!(self.out, ",\"startValue\":0,\"endValue\":{total}}}")
    }

    /// Writes a profile of frames that begin and end, with times in nanoseconds.
    pub(super) fn events(
        &mut self,
        name: &str,
        span: (u64, u64),
        events: impl IntoIterator<Item = Event>,
    ) -> io::Result<()> {
        self.profile("evented", "nanoseconds", name)?;
        let (start, end) = span;
        write!(self.out, ",\"startValue\":{start},\"endValue\":{end},\"events\":[")?;
        let mut separator = "\n";
        for Event { opens, frame, at } in events {
            let kind = if opens { "O" } else { "C" };
            write!(self.out, "{separator}{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{at}}}")?;
            separator = ",\n";
        }
        self.out.write_all(b"]}")
    }

    fn profile(&mut self, kind: &str, unit: &str, name: &str) -> io::Result<()> {
        // Writes the beginning only with the first profile, so that an empty export leaves no
        // partial document.
        let separator = if self.profiles == 0 { BEGIN } else { ",\n" };
        self.profiles += 1;
        write!(self.out, "{separator}{{\"type\":\"{kind}\",\"unit\":\"{unit}\",\"name\":")?;
        Ok(serde_json::to_writer(&mut self.out, name)?)
    }

    /// Writes the frames and the name of the document.
    pub(super) fn end(mut self, name: &str) -> Result<(), ExportError> {
        if self.profiles == 0 {
            return Err(ExportError::unknown(
                "trees, call stacks and calls",
                "the recording has none",
                "register a value with the session, sample the heap, or name operations",
            ));
        }
        self.out.write_all(b"\n],\n\"shared\":{\"frames\":[")?;
        let mut separator = "\n";
        for frame in &self.frames {
            write!(self.out, "{separator}{frame}")?;
            separator = ",\n";
        }
        let exporter = concat!("memprof@", env!("CARGO_PKG_VERSION"));
        let name = Value::from(name);
        write!(
            self.out,
            "\n]}},\n\"name\":{name},\"exporter\":\"{exporter}\",\"activeProfileIndex\":0}}\n"
        )?;
        Ok(self.out.flush()?)
    }
}
