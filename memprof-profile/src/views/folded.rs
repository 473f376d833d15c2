//! Folded stacks: a line `frame;frame;frame bytes` for each path. Many tools read and write them.
//!
//! The reader accepts lines in any order. It sorts them by path, so that it visits each branch once.

use crate::Profile;
use crate::text::{Frame, Grouped, debug_as_text, shortened};
use crate::tree::{Branch, Leaf, LeafKind, Origin, Role, listed_leaves};
use crate::views::text;
use core::cmp::Ordering;
use core::fmt;
use memprof_core::tree::{Builder, MAX_DEPTH, NameTree, Own, same_bytes, sort_by_text};
use std::borrow::Cow;
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Read, Write};
use std::string::FromUtf8Error;

/// # Folded stacks
impl Profile {
    /// Returns the profile as folded stacks, which flame graph tools read. Each path with own bytes
    /// has a line, sorted by name within each branch.
    ///
    /// The lines add up to [`total_bytes`](Self::total_bytes). Readers split a line at its last
    /// space and at every `;`. So in names, white space becomes `_`, `;` becomes `:`, and control
    /// characters are escaped. Branches add up if their names become equal. Each line has exactly one
    /// space. `to_json` keeps names unchanged.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("names", &vec![String::from("alpha")]);
    /// assert_eq!(profile.to_folded(), "names 53\n");
    /// assert_eq!(profile.to_folded_detailed(), "names;[inline] 48\nnames;[data] 5\n");
    /// ```
    pub fn to_folded(&self) -> String {
        text(|lines| write_plain(self.framed().plain().root(), lines))
    }

    /// Returns folded stacks with the bracketed frames: a line for each kind of
    /// [`leaves`](Self::leaves) at a path. A line of 0 bytes marks contents that could not be read.
    pub fn to_folded_detailed(&self) -> String {
        text(|lines| write_detailed(self.framed().root(), lines))
    }

    /// Writes the folded stacks of [`to_folded`](Self::to_folded) without holding all of them in
    /// memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_folded(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        write_plain(self.framed().plain().root(), &mut out)?;
        out.flush()
    }

    /// Writes the folded stacks of [`to_folded_detailed`](Self::to_folded_detailed) without holding
    /// all of them in memory.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_folded_detailed(&self, out: impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        write_detailed(self.framed().root(), &mut out)?;
        out.flush()
    }

    /// Reads a profile from folded stacks that any tool wrote. Its [`origin`](Self::origin) is
    /// [`Folded`](crate::tree::Origin::Folded).
    ///
    /// A line is frames joined by `;`, white space, and an integer number of bytes. Paths may be in
    /// any order, and lines of the same path add up. If the last frame names a
    /// [`LeafKind`](crate::tree::LeafKind), the bytes become a leaf of that kind. Other bytes
    /// become `[data]`. If paths begin with different frames, the root is named `all`, as in flame
    /// graphs. Blank lines, and lines that begin with `# `, are skipped.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::from_folded("main;load 100\nmain;parse;names 60\nmain;parse 40\n")?;
    /// assert_eq!(profile.total_bytes(), 200);
    /// assert_eq!(profile.to_folded(), "main;load 100\nmain;parse 40\nmain;parse;names 60\n");
    /// # Ok::<(), memprof::views::FoldedError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are no stacks, a line is not a stack, the sum exceeds a `u64`, or
    /// a path has more than 1024 frames. The error names the line and what was expected.
    pub fn from_folded(folded: &str) -> Result<Self, FoldedError> {
        read(folded)
    }

    /// Reads a profile from folded stacks, as [`from_folded`](Self::from_folded) does.
    ///
    /// This function holds the whole text in memory, because paths in any order must be sorted.
    ///
    /// # Errors
    /// Returns the same errors as [`from_folded`](Self::from_folded), and an error if reading fails
    /// or the input is not UTF-8.
    pub fn read_folded(mut folded: impl Read) -> Result<Self, FoldedError> {
        let mut bytes = Vec::new();
        // A stream may be endless, so any text longer than this is rejected.
        let max_len = u64::from(u32::MAX);
        folded.by_ref().take(max_len + 1).read_to_end(&mut bytes).map_err(FoldedError::io)?;
        if bytes.len() as u64 > max_len {
            return Err(FoldedError::too_long());
        }
        match String::from_utf8(bytes) {
            Ok(text) => read(&text),
            Err(error) => Err(FoldedError::not_text(&error)),
        }
    }

    /// Returns the tree, with its names as frames if any name changes: siblings may become equal.
    pub(crate) fn framed(&self) -> Cow<'_, NameTree> {
        let tree = &self.tree;
        let mut frame = String::new();
        let changes = |branch: Branch<'_>| {
            frame.clear();
            let _ = write!(frame, "{}", Frame(branch.name()));
            frame != branch.name()
        };
        if self.root().subtree().any(changes) {
            Cow::Owned(tree.with_frames())
        } else {
            Cow::Borrowed(tree)
        }
    }
}

fn write_plain(root: Branch<'_>, out: &mut impl Write) -> io::Result<()> {
    branch(root, &mut String::new(), out, &|line, stack, out| match line.own_bytes() {
        0 => Ok(()),
        own => writeln!(out, "{stack} {own}"),
    })
}

fn write_detailed(root: Branch<'_>, out: &mut impl Write) -> io::Result<()> {
    branch(root, &mut String::new(), out, &|line, stack, out| {
        let leaves = listed_leaves(line);
        // Leaves of one kind may differ in their role or device.
        leaves.chunk_by(|a, b| a.kind() == b.kind()).try_for_each(|same| {
            let bytes = same.iter().fold(0_u64, |sum, leaf| sum.saturating_add(leaf.bytes()));
            writeln!(out, "{stack};{} {bytes}", same[0].kind().as_str())
        })
    })
}

/// `stack` is the path above the branch, so that each name is escaped only once.
fn branch<W: Write>(
    line: Branch<'_>,
    stack: &mut String,
    out: &mut W,
    own: &impl Fn(Branch<'_>, &str, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let outer = stack.len();
    if outer > 0 {
        stack.push(';');
    }
    let _ = write!(stack, "{}", Frame(line.name()));
    own(line, stack, out)?;
    for child in line.children() {
        branch(child, stack, out, own)?;
    }
    stack.truncate(outer);
    Ok(())
}

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

fn read(text: &str) -> Result<Profile, FoldedError> {
    // A line takes at least four bytes, so a `u32` can also number lines and branches.
    if u32::try_from(text.len()).is_err() {
        return Err(FoldedError::too_long());
    }
    let mut lines = lines(text)?;
    // Stacks that memprof wrote are already sorted.
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

fn split(stack: &str, number: u32) -> Result<(&str, u64), FoldedError> {
    let error = |expected| FoldedError::at(number, expected, stack);
    let Some((path, digits)) = stack.rsplit_once([' ', '\t']) else {
        return Err(error("frames joined by `;`, a space and an integer"));
    };
    if path.trim_ascii().is_empty() {
        return Err(error("a frame before the number"));
    }
    // Rust would parse `+1`, but no tool that folds stacks writes it.
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error("an integer after the last space"));
    }
    match digits.parse() {
        Ok(bytes) => Ok((path, bytes)),
        Err(_) => Err(error("a number below 2^64 after the last space")),
    }
}

/// The first byte of the frame excludes most frames.
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

    fn kind(self, text: &str) -> LeafKind {
        let rest = &text[(self.at + self.len) as usize..];
        let frame = rest.strip_prefix(';').and_then(|rest| rest.split([' ', '\t']).next());
        frame.and_then(|frame| frame.parse().ok()).unwrap_or(LeafKind::Data)
    }

    fn number(self, text: &str) -> u32 {
        text[..self.at as usize].split('\n').count() as u32
    }
}

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
        Profile::of_tree(self.builder.finish(Origin::Folded))
    }
}

fn common_frames(a: &str, b: &str) -> usize {
    let same = same_bytes(a.as_bytes(), b.as_bytes());
    let ends = |path: &str| path.as_bytes().get(same).is_none_or(|&byte| byte == b';');
    let before = a.bytes().take(same).filter(|&byte| byte == b';').count();
    before + usize::from(ends(a) && ends(b))
}

/// The reason why folded stacks could not be read as a profile.
///
/// `Display` names the line, what was expected and what to do.
///
/// ```
/// use memprof::Profile;
///
/// let error = Profile::from_folded("main;load 12\nmain;parse\n").unwrap_err();
/// assert_eq!(error.line(), Some(2));
/// assert_eq!(
///     error.to_string(),
///     "line 2 is not a folded stack: expected frames joined by `;`, a space and an integer, \
///      found \"main;parse\""
/// );
/// ```
pub struct FoldedError {
    message: String,
    line: Option<u32>,
    is_empty: bool,
    source: Option<io::Error>,
}

const EXCERPT: usize = 40;

impl FoldedError {
    fn new(line: Option<u32>, message: String) -> Self {
        Self { message, line, is_empty: false, source: None }
    }

    /// Returns the line that could not be read, counted from 1, if the error is about a line.
    pub fn line(&self) -> Option<u64> {
        self.line.map(u64::from)
    }

    /// Returns whether the text contains no stacks.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    fn io(error: io::Error) -> Self {
        Self { source: Some(error), ..Self::new(None, "cannot read the folded stacks".into()) }
    }

    fn empty() -> Self {
        let message = "the file has no folded stacks; expected lines such as `main;load 100`";
        Self { is_empty: true, ..Self::new(None, message.into()) }
    }

    fn at(number: u32, expected: &str, line: &str) -> Self {
        Self::broken(number, &format!("{expected}, found {:?}", shortened(line, EXCERPT)))
    }

    fn overflow(number: u32) -> Self {
        Self::broken(number, "numbers that add up to less than 2^64")
    }

    fn broken(number: u32, expected: &str) -> Self {
        let message = format!("line {number} is not a folded stack: expected {expected}");
        Self::new(Some(number), message)
    }

    fn not_text(error: &FromUtf8Error) -> Self {
        let (bytes, valid) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let lines = bytes[..valid].split(|&byte| byte == b'\n').count();
        let number = u32::try_from(lines).unwrap_or(u32::MAX);
        let byte = bytes.get(valid).copied().unwrap_or_default();
        let message =
            format!("line {number} is not UTF-8 (byte {byte:#04x}); convert the file to UTF-8");
        Self::new(Some(number), message)
    }

    fn too_deep(number: u32) -> Self {
        let message = format!(
            "line {number} has more than {MAX_DEPTH} frames; truncate the stacks, or collapse recursion"
        );
        Self::new(Some(number), message)
    }

    fn too_long() -> Self {
        let most = Grouped(u32::MAX.into());
        let message = format!("the file has more than {most} bytes; fold fewer stacks");
        Self::new(None, message)
    }
}

impl fmt::Display for FoldedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

debug_as_text!(FoldedError);

impl Error for FoldedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}
