//! Writes the page: fills in the placeholders of `page.html`.

use super::contents::Head;
use super::escape::write_json;
use super::{PageError, assets, policy};
use crate::escape::Escaped;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};

/// The result of writing a page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The size of the page in bytes.
    pub bytes: u64,
    /// Sentences about the parts that the page leaves out and about problems of the recording, as
    /// in the page.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Shell {
    pub(super) head: Head,
    /// The text that is shown if scripts are off.
    pub(super) summary: String,
    pub(super) columns: Vec<u8>,
}

impl Shell {
    pub(super) fn write(self, out: impl Write) -> Result<Written, PageError> {
        let mut out = Counted { out, bytes: 0 };
        let mut rest = assets::SHELL;
        while let Some((before, after)) = rest.split_once("{{") {
            out.write_all(before.as_bytes())?;
            let Some((place, after)) = after.split_once("}}") else { break };
            self.fill(place, &mut out)?;
            rest = after;
        }
        out.write_all(rest.as_bytes())?;
        out.flush()?;
        Ok(Written { bytes: out.bytes, notes: self.head.notes })
    }

    fn fill(&self, place: &str, out: &mut impl Write) -> io::Result<()> {
        match place {
            "policy" => {
                let scripts = [assets::LOADER, assets::SCRIPT];
                out.write_all(policy::policy(&scripts, assets::STYLE).as_bytes())
            }
            "version" => out.write_all(env!("CARGO_PKG_VERSION").as_bytes()),
            "style" => out.write_all(assets::STYLE.as_bytes()),
            "loader" => out.write_all(assets::LOADER.as_bytes()),
            "script" => {
                let mut packed = GzEncoder::new(Vec::new(), Compression::best());
                packed.write_all(assets::SCRIPT.as_bytes())?;
                write_base64(&packed.finish()?, out)
            }
            "title" => write!(out, "{}", Escaped(&self.head.title)),
            "summary" => write!(out, "{}", Escaped(&self.summary)),
            "head" => write_json(&self.head, out),
            "columns" => write_base64(&self.columns, out),
            other => unreachable!("the shell has no place called {other}"),
        }
    }
}

fn write_base64(bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut letters = EncoderWriter::new(out, &STANDARD);
    letters.write_all(bytes)?;
    letters.finish().map(drop)
}

struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
