//! The frames of a flame graph: their stacks, widest first, and their colours.

use crate::text::Frame;
use crate::text::Units;
use crate::tree::Branch;
use crate::views::flamegraph::palette::{GREY, HUES, ROOT, WHITE, lighter};
use crate::views::parts::parts;
use core::cmp::Reverse;
use inferno::flamegraph::color::{Color, PaletteMap};

/// The input of inferno.
pub(crate) struct Frames {
    /// Folded stacks in drawing order; each frame is labelled with its size.
    pub(crate) lines: Vec<String>,
    pub(crate) colors: PaletteMap,
    /// The stack of the current frame.
    stack: String,
    /// The minimum number of bytes of a branch with a frame of its own. inferno would leave out a
    /// smaller frame: in an image of 1200 pixels, it is narrower than an eighth of a pixel. Such
    /// branches share one frame.
    floor: u64,
}

/// A frame with less than 1/`VISIBLE` of the total is not drawn. This is inferno's default.
const VISIBLE: u64 = 10_000;

/// The way in which a frame gets its colour.
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
        children.sort_by_key(|child| Reverse(child.total_bytes()));
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
        parts.sort_by_key(|part| Reverse(part.bytes));
        for part in parts {
            let outer = self.open(part.name, part.bytes, GREY);
            self.line(part.bytes);
            self.stack.truncate(outer);
        }
    }

    /// Pushes a frame on the stack, and returns the previous length of the stack.
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
