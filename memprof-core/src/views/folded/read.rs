//! From folded stacks to a tree: the lines are sorted by path, and each branch is met once.

use crate::sharing::Shared;
use crate::tree::{Builder, MAX_DEPTH, Own};
use crate::views::folded::FoldedError;
use crate::{Kind, Leaf, Origin, Profile, Role, Tensors};
use core::cmp::Ordering;

/// The root of paths that begin with different frames, as flame graphs call it.
const ALL: &str = "all";

/// One line. A million of them take 24 MB.
struct Line {
    /// Where in the text the path begins, and how long it is without the frame that is a kind.
    at: u32,
    len: u32,
    /// Counted from 1.
    number: u32,
    kind: Kind,
    bytes: u64,
}

/// Reads a whole profile.
pub(crate) fn read(text: &str) -> Result<Profile, FoldedError> {
    // A line takes at least four bytes, so that lines and branches can be numbered by a `u32` too.
    if u32::try_from(text.len()).is_err() {
        return Err(FoldedError::too_long());
    }
    let mut lines = lines(text)?;
    let order = |a: &Line, b: &Line| by_frames(a.path(text), b.path(text));
    // What memprof writes is sorted but for names that had to be escaped.
    if !lines.is_sorted_by(|a, b| order(a, b).is_le()) {
        lines.sort_unstable_by(order);
    }
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Err(FoldedError::empty());
    };
    let mut growing = Growing::default();
    if root_of(first.path(text)) != root_of(last.path(text)) {
        growing.begin(ALL, &Own::default());
        growing.above = 1;
    }
    let mut own = Own::default();
    for same in lines.chunk_by(|a, b| a.path(text) == b.path(text)) {
        own.clear();
        for line in same {
            own.add_leaf(Leaf::new(line.kind, Role::default(), line.bytes));
        }
        // A line of 0 bytes says that a branch is there, and marks what could not be seen.
        own.leaves.retain(|leaf| leaf.bytes > 0 || leaf.is_mark());
        growing
            .add(same[0].path(text), &own)
            .map_err(|()| FoldedError::too_deep(same[0].number))?;
    }
    Ok(growing.finish())
}

/// The lines that are stacks.
fn lines(text: &str) -> Result<Vec<Line>, FoldedError> {
    let mut lines = Vec::new();
    let (mut at, mut sum) = (0, 0_u64);
    for (index, raw) in text.split('\n').enumerate() {
        let start = at;
        at += raw.len() + 1;
        // Some editors begin a text with a mark of its encoding.
        let mark =
            if index == 0 && raw.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let stack = raw[mark..].trim_ascii_end();
        if stack.is_empty() || stack == "#" || stack.starts_with("# ") {
            continue;
        }
        let number = index as u32 + 1;
        let (path, bytes) = split(stack, number)?;
        sum = sum.checked_add(bytes).ok_or_else(|| FoldedError::overflow(number))?;
        let (path, kind) = match path.rsplit_once(';').map(|(path, last)| (path, kind(last))) {
            Some((path, Some(kind))) => (path, kind),
            _ => (path, Kind::Data),
        };
        let (at, len) = ((start + mark) as u32, path.len() as u32);
        lines.push(Line { at, len, number, kind, bytes });
    }
    Ok(lines)
}

/// The path of a line and its bytes, which stand after the last white space.
fn split(stack: &str, number: u32) -> Result<(&str, u64), FoldedError> {
    let wrong = |expected| FoldedError::at(number, expected, stack);
    let Some((path, digits)) = stack.rsplit_once([' ', '\t']) else {
        return Err(wrong("frames joined by `;`, a space and a whole number"));
    };
    if path.trim_ascii().is_empty() {
        return Err(wrong("a frame before the number"));
    }
    // Numbers may be written `+1` for Rust, but not by anybody who folds stacks.
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong("a whole number after the last space"));
    }
    match digits.parse() {
        Ok(bytes) => Ok((path, bytes)),
        Err(_) => Err(wrong("a number below 2^64 after the last space")),
    }
}

/// The kind that a last frame spells; most frames are told by their first byte.
fn kind(frame: &str) -> Option<Kind> {
    if frame.starts_with('[') { Kind::from_frame(frame) } else { None }
}

fn root_of(path: &str) -> &str {
    path.split(';').next().unwrap_or(path)
}

/// Frame by frame, so that what is below a path comes right after it.
fn by_frames(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = same_bytes(a, b);
    let rank = |path: &[u8]| match path.get(same) {
        None => 0,
        Some(b';') => 1,
        Some(&byte) => 2 + u16::from(byte),
    };
    rank(a).cmp(&rank(b))
}

/// How many bytes two paths begin with that are the same; eight at a time, as sorting a million paths
/// does little else.
fn same_bytes(a: &[u8], b: &[u8]) -> usize {
    let (eights_of_a, eights_of_b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    let same = 8 * eights_of_a.iter().zip(eights_of_b).take_while(|(a, b)| a == b).count();
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

impl Line {
    fn path<'t>(&self, text: &'t str) -> &'t str {
        &text[self.at as usize..(self.at + self.len) as usize]
    }
}

/// A tree that grows path by path.
#[derive(Default)]
struct Growing<'t> {
    names: String,
    builder: Builder,
    /// The path added last; all of its branches are open.
    path: &'t str,
    /// How many branches are open above the first frame of a path.
    above: usize,
}

impl<'t> Growing<'t> {
    /// Adds a path that comes after all those before it; the error is that it is too deep.
    fn add(&mut self, path: &'t str, own: &Own) -> Result<(), ()> {
        let shared =
            if self.builder.open().len() > self.above { shared(self.path, path) } else { 0 };
        while self.builder.open().len() > self.above + shared {
            self.builder.end();
        }
        let mut frames = path.split(';').skip(shared).peekable();
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
        let name = Builder::add_name(&mut self.names, name);
        self.builder.begin(name, own);
    }

    fn finish(mut self) -> Profile {
        while !self.builder.open().is_empty() {
            self.builder.end();
        }
        self.names.shrink_to_fit();
        let branches = self.builder.finish().made_from(Origin::Folded);
        Profile {
            names: self.names,
            branches,
            shared: Shared::default(),
            tensors: Tensors::default(),
            shallow_bytes: None,
        }
    }
}

/// How many frames two paths begin with that are the same.
fn shared(a: &str, b: &str) -> usize {
    let same = same_bytes(a.as_bytes(), b.as_bytes());
    let ends = |path: &str| path.as_bytes().get(same).is_none_or(|&byte| byte == b';');
    let before = a.bytes().take(same).filter(|&byte| byte == b';').count();
    before + usize::from(ends(a) && ends(b))
}
