//! The profile as a flame graph: an SVG with search and zoom for a browser.

pub(crate) mod frames;
mod palette;

use crate::Profile;
use crate::text::Shown;
use crate::text::Units;
use crate::text::WithCauses;
use crate::views::footer::footer;
use core::fmt;
use frames::Frames;
use inferno::flamegraph::color::{BackgroundColor, StrokeColor};
use inferno::flamegraph::{self, Direction, Options, TextTruncateDirection};
use palette::WHITE;
use std::error::Error;
use std::io;

/// The error of a flame graph that could not be drawn. Its source is the error of inferno, the
/// library that draws flame graphs.
pub struct FlamegraphError {
    source: io::Error,
}

/// # Flame graph
impl Profile {
    /// Returns the profile as a flame graph in SVG: the root on top and the widest frames first.
    /// Below the first branch with several children, each child has its own colour. Bytes without a
    /// field's name are grey.
    ///
    /// The file loads nothing from the network or from other files.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let svg = Profile::named("numbers", &vec![0_u64; 100]).to_flamegraph()?;
    /// assert!(svg.contains("<title>numbers\u{a0}824\u{a0}B (824 bytes, 100.00%)</title>"));
    /// # Ok::<(), memprof::views::FlamegraphError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if inferno rejects its input. No profile is known to cause this error.
    pub fn to_flamegraph(&self) -> Result<String, FlamegraphError> {
        if self.total_bytes() == 0 {
            return Ok(empty(self.root().name()));
        }
        let mut frames = Frames::of(self.plain().root());
        let mut options = self.options();
        options.palette_map = Some(&mut frames.colors);
        let mut svg = Vec::new();
        // In a flame chart, inferno keeps the order of the lines and draws the last line first.
        let lines = frames.lines.iter().rev().map(String::as_str);
        flamegraph::from_lines(&mut options, lines, &mut svg)
            .map_err(|source| FlamegraphError { source })?;
        String::from_utf8(svg).map_err(|error| FlamegraphError { source: io::Error::other(error) })
    }

    fn options(&self) -> Options<'static> {
        let mut options = Options::default();
        let total = Units::Iec.show(self.total_bytes());
        options.title = format!("{} · {total}", Shown(self.root().name()));
        options.subtitle = Some(footer(self, Units::Iec).join(" · "));
        options.count_name = "bytes".into();
        options.name_type = String::new();
        options.direction = Direction::Inverted;
        options.text_truncate_direction = TextTruncateDirection::Right;
        options.flame_chart = true;
        options.frame_height = 20;
        options.bgcolors = Some(BackgroundColor::Flat(WHITE));
        options.stroke_color = StrokeColor::Color(WHITE);
        options
    }
}

/// Returns an SVG for a profile without bytes, because inferno draws no empty graph.
fn empty(name: &str) -> String {
    let name = Shown(name).to_string();
    let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!(
        "<?xml version=\"1.0\" standalone=\"no\"?>\n\
         <svg version=\"1.1\" width=\"1200\" height=\"60\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"600\" y=\"36\" text-anchor=\"middle\" font-family=\"monospace\" \
         font-size=\"17\">{name} has no bytes</text>\n</svg>\n"
    )
}

impl fmt::Display for FlamegraphError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the flame graph could not be drawn")
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for FlamegraphError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for FlamegraphError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}
