//! The profile as a flame graph: an SVG with search and zoom for a browser.
//!
//! inferno draws it from folded stacks. Each frame's name contains its size, because the picture
//! shows names only, and each has a colour by the first level with several branches.

use crate::Profile;
use crate::text::{Frame, Shown, Units, debug_as_text};
use crate::tree::Branch;
use crate::views::notes::{Known, footer, parts};
use core::fmt;
use inferno::flamegraph::color::{BackgroundColor, Color, PaletteMap, StrokeColor};
use inferno::flamegraph::{self, Direction, Options, TextTruncateDirection};
use memprof_core::tree::sort_by;
use std::collections::BTreeMap;
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
        let mut frames = Frames::of(self.framed().plain().root());
        let mut options = Self::drawing();
        let total = Known::of(self.root()).show(Units::Iec);
        options.title = format!("{} · {total}", Shown(self.root().name()));
        options.subtitle = Some(footer(self, Units::Iec).join(" · "));
        options.flame_chart = true;
        options.palette_map = Some(&mut frames.colors);
        // In a flame chart, inferno keeps the order of the lines and draws the last line first.
        draw(options, frames.lines.iter().rev())
    }

    /// Returns the changes since an earlier profile as a differential flame graph in SVG. The title
    /// contains both names.
    ///
    /// The frames and their widths are those of this profile. The colour of a frame shows the
    /// change of its own bytes, without those of the frames below it: red for growth, blue for
    /// shrinkage. Paths that are gone have no bytes and so no frame: [`diff`](Self::diff) lists
    /// them.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let before = Profile::from_folded("app;cache 3000\napp;scratch 500\n")?;
    /// let after = Profile::from_folded("app;cache 4000\n")?;
    /// let svg = after.to_flamegraph_since(&before, ["monday", "tuesday"])?;
    /// assert!(svg.contains("<title>cache (4,000 bytes, 100.00%; +25.00%)</title>"));
    /// assert!(svg.contains("monday 3.4 KiB → tuesday 3.9 KiB"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if inferno rejects its input. No profile is known to cause this error.
    pub fn to_flamegraph_since(
        &self,
        before: &Self,
        names: [&str; 2],
    ) -> Result<String, FlamegraphError> {
        if self.total_bytes() == 0 {
            return Ok(empty(names[1]));
        }
        let mut bytes: BTreeMap<String, [u64; 2]> = BTreeMap::new();
        for (side, profile) in [before, self].into_iter().enumerate() {
            for line in profile.to_folded().lines() {
                let Some((stack, amount)) = line.rsplit_once(' ') else { continue };
                // The roots are one frame even if their names differ.
                let below = stack.find(';').map_or("", |at| &stack[at..]);
                let stack = format!("{}{below}", Frame(self.root().name()));
                let known = &mut bytes.entry(stack).or_default()[side];
                *known = known.saturating_add(amount.parse().unwrap_or(0));
            }
        }
        let mut options = Self::drawing();
        let total = |name: &str, profile: &Self| {
            format!("{} {}", Shown(name), Known::of(profile.root()).show(Units::Iec))
        };
        options.title = format!("{} → {}", total(names[0], before), total(names[1], self));
        options.subtitle =
            Some("own bytes: red grew, blue shrank; removed paths are not drawn".into());
        let lines =
            bytes.iter().map(|(stack, [before, after])| format!("{stack} {before} {after}"));
        let lines: Vec<String> = lines.collect();
        draw(options, lines.iter())
    }

    fn drawing<'o>() -> Options<'o> {
        let mut options = Options::default();
        options.count_name = "bytes".into();
        options.name_type = String::new();
        options.direction = Direction::Inverted;
        options.text_truncate_direction = TextTruncateDirection::Right;
        options.frame_height = 20;
        options.bgcolors = Some(BackgroundColor::Flat(WHITE));
        options.stroke_color = StrokeColor::Color(WHITE);
        options
    }
}

fn draw<'s>(
    mut options: Options<'_>,
    lines: impl Iterator<Item = &'s String>,
) -> Result<String, FlamegraphError> {
    let mut svg = Vec::new();
    flamegraph::from_lines(&mut options, lines.map(String::as_str), &mut svg)
        .map_err(|source| FlamegraphError { source })?;
    String::from_utf8(svg).map_err(|error| FlamegraphError { source: io::Error::other(error) })
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

debug_as_text!(FlamegraphError);

impl Error for FlamegraphError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

/// The input of inferno.
pub(crate) struct Frames {
    /// Folded stacks in drawing order; each frame is labelled with its size.
    pub(crate) lines: Vec<String>,
    colors: PaletteMap,
    stack: String,
    /// In bytes. inferno would leave out a smaller frame: in an image of 1200 pixels, it is
    /// narrower than an eighth of a pixel. Such branches share one frame.
    floor: u64,
}

/// A frame with less than 1/`VISIBLE` of the total is not drawn. This is inferno's default.
const VISIBLE: u64 = 10_000;

#[derive(Clone, Copy)]
enum Paint {
    /// A frame without a hue: the root, and the branches below it up to the first one with several
    /// children.
    Neutral,
    Hue(Color),
}

impl Frames {
    pub(crate) fn of(root: Branch<'_>) -> Self {
        let mut frames = Self {
            lines: Vec::new(),
            colors: PaletteMap::default(),
            stack: String::new(),
            floor: root.total_bytes() / VISIBLE,
        };
        // inferno draws a frame without a name around the root. White hides it.
        frames.colors.insert("", WHITE);
        frames.branch(root, Paint::Neutral);
        frames
    }

    fn branch(&mut self, branch: Branch<'_>, paint: Paint) {
        let color = match paint {
            Paint::Neutral => ROOT,
            Paint::Hue(color) => color,
        };
        let outer = self.open(branch.name(), branch.total_bytes(), color);
        let (mut children, hidden): (Vec<Branch<'_>>, Vec<_>) =
            branch.children().partition(|child| child.total_bytes() >= self.floor);
        sort_by(&mut children, |a, b| b.total_bytes().cmp(&a.total_bytes()));
        for (index, child) in children.iter().enumerate() {
            let paint = match paint {
                Paint::Neutral if children.len() == 1 => Paint::Neutral,
                Paint::Neutral => Paint::Hue(HUES[index % HUES.len()]),
                Paint::Hue(color) => Paint::Hue(lighter(color)),
            };
            self.branch(*child, paint);
        }
        self.more(&hidden);
        self.own(branch);
        self.stack.truncate(outer);
    }

    /// Adds one frame for the branches that are too small to be visible alone.
    fn more(&mut self, hidden: &[Branch<'_>]) {
        let bytes = hidden.iter().map(|branch| branch.total_bytes()).sum();
        if bytes > 0 {
            let name = format!("…{}_more", hidden.len());
            let outer = self.open(&name, bytes, GREY);
            self.line(bytes);
            self.stack.truncate(outer);
        }
    }

    /// Adds frames for the branch's own bytes, by kind. A branch without children is a single line.
    fn own(&mut self, branch: Branch<'_>) {
        if branch.children().next().is_none() {
            self.line(branch.total_bytes());
            return;
        }
        let mut parts = parts(branch);
        sort_by(&mut parts, |a, b| b.bytes.cmp(&a.bytes));
        for part in parts {
            let outer = self.open(part.name, part.bytes, GREY);
            self.line(part.bytes);
            self.stack.truncate(outer);
        }
    }

    /// Returns the previous length of the stack.
    fn open(&mut self, name: &str, bytes: u64, color: Color) -> usize {
        // The only space is the one before the count, so that readers split the line there.
        let size = Units::Iec.show(bytes).to_string().replace(' ', "\u{a0}");
        let label = format!("{}\u{a0}{size}", Frame(name));
        let outer = self.stack.len();
        if outer > 0 {
            self.stack.push(';');
        }
        self.stack.push_str(&label);
        self.colors.insert(label, color);
        outer
    }

    fn line(&mut self, bytes: u64) {
        if bytes > 0 {
            self.lines.push(format!("{} {bytes}", self.stack));
        }
    }
}

/// The colour of the background, and of frames that must be invisible on it.
const WHITE: Color = Color { r: 255, g: 255, b: 255 };

/// The colour of the root and of the branches below it, down to the first one with several
/// children.
const ROOT: Color = Color { r: 205, g: 210, b: 217 };

/// The colour of bytes without a field's name.
const GREY: Color = Color { r: 228, g: 230, b: 233 };

/// The hues of the children of the first branch that has several, used in turn.
const HUES: [Color; 8] = [
    Color { r: 121, g: 174, b: 224 },
    Color { r: 245, g: 171, b: 96 },
    Color { r: 127, g: 196, b: 133 },
    Color { r: 196, g: 155, b: 219 },
    Color { r: 240, g: 206, b: 90 },
    Color { r: 239, g: 142, b: 140 },
    Color { r: 113, g: 200, b: 195 },
    Color { r: 203, g: 178, b: 145 },
];

/// Returns a lighter colour of the same hue, for the next level down.
fn lighter(color: Color) -> Color {
    let towards_white = |part: u8| part + (255 - part) / 5;
    Color { r: towards_white(color.r), g: towards_white(color.g), b: towards_white(color.b) }
}
