//! The parser of folded stacks. It sorts lines by path, so that it visits each branch once.

use crate::Profile;
use crate::tree::{Leaf, LeafKind, Origin, Role, Tensors};
use crate::views::folded::FoldedError;
use crate::walk::Shared;
use core::cmp::Ordering;
use memprof_core::tree::{Builder, MAX_DEPTH, Own, same_bytes, sort_by_text};

/// The name of the root if paths begin with different frames, as in flame graphs.
const ALL: &str = "all";

/// One line. A million lines take 16 MB, because the kind and the line number are read from the
/// text again when needed.
#[derive(Clone, Copy)]
struct Line {
    /// The offset of the path in the text; `len` is its length without a last frame that names a
    /// kind.
    at: u32,
    len: u32,
    bytes: u64,
}

/// Reads a profile from a text.
pub(crate) fn read(text: &str) -> Result<Profile, FoldedError> {
    // A line takes at least four bytes, so a `u32` can also number lines and branches.
    if u32::try_from(text.len()).is_err() {
        return Err(FoldedError::too_long());
    }
    let mut lines = lines(text)?;
    // Stacks that memprof wrote are already sorted, except for names that had to be escaped.
    if !lines.is_sorted_by(|a, b| compare_frames(a.path(text), b.path(text)).is_le()) {
        sort_by_text(&mut lines, |line| line.path(text).as_bytes(), rank);
    }
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Err(FoldedError::empty());
    };
    let mut tree = PathBuilder::default();
    if root_frame(first.path(text)) != root_frame(last.path(text)) {
        tree.begin(ALL, &Own::default());
        tree.extra_depth = 1;
    }
    let mut own = Own::default();
    for same in lines.chunk_by(|a, b| a.path(text) == b.path(text)) {
        own.clear();
        for line in same {
            let leaf = Leaf::new(line.kind(text), Role::default(), line.bytes);
            // A line of 0 bytes creates a branch, or marks contents that could not be read.
            if leaf.bytes() > 0 || leaf.is_mark() {
                own.add_leaf(leaf);
            }
        }
        tree.add(same[0].path(text), &own)
            .map_err(|()| FoldedError::too_deep(same[0].number(text)))?;
    }
    Ok(tree.finish())
}

/// Returns the lines that contain stacks.
fn lines(text: &str) -> Result<Vec<Line>, FoldedError> {
    let mut lines = Vec::new();
    let (mut at, mut sum) = (0, 0_u64);
    for (index, raw) in text.split('\n').enumerate() {
        let start = at;
        at += raw.len() + 1;
        // Some editors write a byte order mark at the start of a file.
        let mark =
            if index == 0 && raw.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let stack = raw[mark..].trim_ascii_end();
        if stack.is_empty() || stack == "#" || stack.starts_with("# ") {
            continue;
        }
        let number = index as u32 + 1;
        let (path, bytes) = split(stack, number)?;
        sum = sum.checked_add(bytes).ok_or_else(|| FoldedError::overflow(number))?;
        let path = match path.rsplit_once(';') {
            Some((path, last)) if is_kind(last) => path,
            _ => path,
        };
        let (at, len) = ((start + mark) as u32, path.len() as u32);
        lines.push(Line { at, len, bytes });
    }
    Ok(lines)
}

/// Splits a line at its last white space into the path and its bytes.
fn split(stack: &str, number: u32) -> Result<(&str, u64), FoldedError> {
    let error = |expected| FoldedError::at(number, expected, stack);
    let Some((path, digits)) = stack.rsplit_once([' ', '\t']) else {
        return Err(error("frames joined by `;`, a space and a whole number"));
    };
    if path.trim_ascii().is_empty() {
        return Err(error("a frame before the number"));
    }
    // Rust would parse `+1`, but no tool that folds stacks writes it.
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error("a whole number after the last space"));
    }
    match digits.parse() {
        Ok(bytes) => Ok((path, bytes)),
        Err(_) => Err(error("a number below 2^64 after the last space")),
    }
}

/// Returns whether the last frame of a path names a kind of leaf. The first byte of the frame
/// excludes most frames.
fn is_kind(frame: &str) -> bool {
    frame.starts_with('[') && frame.parse::<LeafKind>().is_ok()
}

fn root_frame(path: &str) -> &str {
    path.split(';').next().unwrap_or(path)
}

/// Compares paths frame by frame, so that everything below a path comes directly after it.
fn compare_frames(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = same_bytes(a, b);
    let rank = |path: &[u8]| path.get(same).map(|&byte| rank(byte));
    rank(a).cmp(&rank(b))
}

/// Returns the rank of a byte in the order in which `;` comes first.
fn rank(byte: u8) -> u8 {
    match byte {
        b';' => 0,
        byte if byte < b';' => byte + 1,
        byte => byte,
    }
}

impl Line {
    fn path<'t>(&self, text: &'t str) -> &'t str {
        &text[self.at as usize..(self.at + self.len) as usize]
    }

    /// Returns the kind that the frame after the path names.
    fn kind(self, text: &str) -> LeafKind {
        let rest = &text[(self.at + self.len) as usize..];
        let frame = rest.strip_prefix(';').and_then(|rest| rest.split([' ', '\t']).next());
        frame.and_then(|frame| frame.parse().ok()).unwrap_or(LeafKind::Data)
    }

    /// Returns the number of the line, counted from 1.
    fn number(self, text: &str) -> u32 {
        text[..self.at as usize].split('\n').count() as u32
    }
}

/// A tree that is built path by path.
#[derive(Default)]
struct PathBuilder<'t> {
    builder: Builder,
    /// The path added last; all of its branches are open.
    path: &'t str,
    /// The number of open branches above the first frame of a path.
    extra_depth: usize,
}

impl<'t> PathBuilder<'t> {
    /// Adds a path that sorts after all previous paths; fails if the path is too deep.
    fn add(&mut self, path: &'t str, own: &Own) -> Result<(), ()> {
        let common_frames = if self.builder.open().len() > self.extra_depth {
            common_frames(self.path, path)
        } else {
            0
        };
        while self.builder.open().len() > self.extra_depth + common_frames {
            self.builder.end();
        }
        let mut frames = path.split(';').skip(common_frames).peekable();
        while let Some(frame) = frames.next() {
            if self.builder.open().len() >= MAX_DEPTH {
                return Err(());
            }
            let nothing = Own::default();
            self.begin(frame, if frames.peek().is_none() { own } else { &nothing });
        }
        self.path = path;
        Ok(())
    }

    fn begin(&mut self, name: &str, own: &Own) {
        self.builder.begin(name, own);
    }

    fn finish(self) -> Profile {
        let tree = self.builder.finish(Origin::Folded);
        let (shared, tensors) = (Shared::default(), Tensors::default());
        Profile { tree, shared, tensors, shallow_bytes: None }
    }
}

/// Returns the number of frames that two paths share at their start.
fn common_frames(a: &str, b: &str) -> usize {
    let same = same_bytes(a.as_bytes(), b.as_bytes());
    let ends = |path: &str| path.as_bytes().get(same).is_none_or(|&byte| byte == b';');
    let before = a.bytes().take(same).filter(|&byte| byte == b';').count();
    before + usize::from(ends(a) && ends(b))
}
