//! The names and leaves of a profile, and the properties of a leaf.
//!
//! | question | item |
//! |---|---|
//! | What is a name with bytes below it? | [`Branch`], [`BranchId`], [`Children`], [`Counts`] |
//! | What are bytes of one kind? | [`Leaf`], [`LeafKind`] |
//! | How do I iterate over all leaves? | [`Leaves`], [`Visitor`], [`Path`] |
//! | What is the purpose of the bytes, and where are they? | [`Role`], [`Device`], [`Origin`] |
//! | Why were contents not read? | [`OpaqueReason`] |
//! | How many tensors does a profile hold, and which are the largest? | [`Tensors`], [`TensorRecord`] |
//! | What is the tree without bracketed frames? | [`Plain`] |
//! | Which branches are not named after a field? | [`KEYS`], [`SHARED`], [`OTHER`] |
//! | Why was a path or a keyword refused? | [`PathNotFound`], [`KeywordError`] |
//!
//! ```
//! use memprof::tree::LeafKind;
//! use memprof::Profile;
//!
//! let mut numbers = Vec::with_capacity(100);
//! numbers.extend([1_u64, 2, 3]);
//! let profile = Profile::named("numbers", &numbers);
//! let spare: u64 = profile
//!     .leaves()
//!     .filter(|(_, leaf)| leaf.kind() == LeafKind::Spare)
//!     .map(|(_, leaf)| leaf.bytes())
//!     .sum();
//! assert_eq!(spare, 97 * 8);
//! ```

use crate::Profile;
use crate::text::{Frame, Grouped, Shown, debug_as_text};
use crate::views::missing_values;
use core::fmt;
use memprof_core::tree::{Plain, sort_by};
use std::error::Error;
use std::vec;

pub use memprof_core::tree::{
    Branch, BranchId, Children, Counts, Device, KEYS, KeywordError, Leaf, LeafKind, OTHER,
    OpaqueReason, Origin, Role, SHARED, TensorRecord, Tensors,
};

#[cfg(test)]
mod tests;

/// The frames from the root of a profile down to a leaf.
///
/// `Display` writes the path as in a folded stack, always on one line.
///
/// ```
/// use memprof::Profile;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let paths: Vec<String> = profile.leaves().map(|(path, _)| path.to_string()).collect();
/// assert_eq!(paths, ["names;[inline]", "names;[data]"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path<'p> {
    frames: Vec<&'p str>,
}

impl<'p> Path<'p> {
    /// Returns the frames, the root's name first. The last frame of a leaf's path is its kind.
    pub fn frames(&self) -> &[&'p str] {
        &self.frames
    }

    /// Returns the last frame.
    pub fn name(&self) -> &'p str {
        self.frames.last().copied().unwrap_or_default()
    }

    pub(crate) fn of(frames: Vec<&'p str>) -> Self {
        Self { frames }
    }

    pub(crate) fn push(&mut self, frame: &'p str) {
        self.frames.push(frame);
    }

    pub(crate) fn pop(&mut self) {
        self.frames.pop();
    }

    pub(crate) fn with(&self, frame: &'p str) -> Self {
        let mut frames = Vec::with_capacity(self.frames.len() + 1);
        frames.extend_from_slice(&self.frames);
        frames.push(frame);
        Self { frames }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, frame) in self.frames.iter().enumerate() {
            if index > 0 {
                out.write_str(";")?;
            }
            write!(out, "{}", Frame(frame))?;
        }
        Ok(())
    }
}

/// # Leaves
impl Profile {
    /// Returns every leaf with its path. The last frame of the path is the leaf's kind.
    ///
    /// The leaves add up to [`total_bytes`](Self::total_bytes). A leaf of 0 bytes marks contents
    /// that could not be read.
    ///
    /// ```
    /// use memprof::tree::LeafKind;
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("numbers", &Vec::<u64>::with_capacity(100));
    /// let spare = profile.leaves().find(|(_, leaf)| leaf.kind() == LeafKind::Spare);
    /// assert_eq!(spare.unwrap().1.bytes(), 800);
    /// ```
    pub fn leaves(&self) -> Leaves<'_> {
        let mut path = Path::default();
        path.push(self.root().name());
        Leaves { path, open: vec![Open::new(self.root())] }
    }
}

/// The leaves of a profile with their paths, returned by [`Profile::leaves`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Leaves<'p> {
    path: Path<'p>,
    /// The open branches from the root to the next leaf.
    open: Vec<Open<'p>>,
}

#[derive(Clone, Debug)]
struct Open<'p> {
    leaves: vec::IntoIter<Leaf>,
    children: Children<'p>,
}

impl<'p> Open<'p> {
    fn new(branch: Branch<'p>) -> Self {
        Self { leaves: listed_leaves(branch).into_iter(), children: branch.children() }
    }
}

impl<'p> Iterator for Leaves<'p> {
    type Item = (Path<'p>, Leaf);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let open = self.open.last_mut()?;
            if let Some(leaf) = open.leaves.next() {
                return Some((self.path.with(leaf.kind().as_str()), leaf));
            }
            if let Some(child) = open.children.next() {
                self.path.push(child.name());
                self.open.push(Open::new(child));
            } else {
                self.path.pop();
                self.open.pop();
            }
        }
    }
}

pub(crate) fn listed_leaves(branch: Branch<'_>) -> Vec<Leaf> {
    let shown = |leaf: &Leaf| leaf.bytes() > 0 || leaf.is_mark();
    let mut leaves: Vec<Leaf> = branch.leaves().iter().copied().filter(shown).collect();
    for (reason, _) in branch.opaque() {
        let kind =
            if reason == OpaqueReason::Skipped { LeafKind::Skipped } else { LeafKind::Opaque };
        let index = leaves.partition_point(|leaf| leaf.kind() < kind);
        if leaves.get(index).is_none_or(|leaf| leaf.kind() != kind) {
            leaves.insert(index, Leaf::new(kind, Role::default(), 0));
        }
    }
    leaves
}

/// A visitor of the branches and leaves of a profile, in the order of the tree.
///
/// Only one method is required:
///
/// ```
/// use memprof::tree::{Path, Visitor};
/// use memprof::Profile;
///
/// /// Sums what is allocated and not used.
/// struct Spare(u64);
///
/// impl Visitor for Spare {
///     fn leaf(&mut self, path: &Path<'_>, bytes: u64) {
///         if path.name() == "[spare]" {
///             self.0 += bytes;
///         }
///     }
/// }
///
/// let mut spare = Spare(0);
/// Profile::of(&Vec::<u64>::with_capacity(100)).visit(&mut spare);
/// assert_eq!(spare.0, 800);
/// ```
pub trait Visitor {
    /// Called at the start of a branch: the root, a field, a variant, a key, or a bracketed frame.
    fn branch(&mut self, name: &str) {
        let _ = name;
    }

    /// Called for a leaf of the branch that started last. Its kind is the last frame of the path.
    ///
    /// A leaf of 0 bytes marks contents that could not be read.
    fn leaf(&mut self, path: &Path<'_>, bytes: u64);

    /// Called after everything below a branch was visited.
    fn end_branch(&mut self, name: &str) {
        let _ = name;
    }
}

/// # Visitors
impl Profile {
    /// Calls a visitor for the whole tree. The leaves of a branch come before its children.
    ///
    /// See [`Visitor`] for an example.
    pub fn visit<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        visit(self.root(), &mut Path::default(), visitor);
    }
}

fn visit<'p, V: Visitor + ?Sized>(branch: Branch<'p>, path: &mut Path<'p>, visitor: &mut V) {
    path.push(branch.name());
    visitor.branch(branch.name());
    for leaf in listed_leaves(branch) {
        path.push(leaf.kind().as_str());
        visitor.leaf(path, leaf.bytes());
        path.pop();
    }
    for child in branch.children() {
        visit(child, path, visitor);
    }
    visitor.end_branch(branch.name());
    path.pop();
}

/// # Search by path
impl Profile {
    /// Returns the bytes at a path and below it; `None` if the path does not exist. Shared memory
    /// counts once.
    ///
    /// A path is what [`to_folded`](Self::to_folded) writes, without the root's name: frames joined
    /// by `;`. A frame may be the plain name or its spelling in folded stacks. The path of the root
    /// is empty.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], (7_u64, [0_u8; 8])));
    /// assert_eq!(profile.bytes_at("0"), Some(1024));
    /// assert_eq!(profile.bytes_at("1;0"), Some(8));
    /// assert_eq!(profile.bytes_at(""), Some(1040));
    /// assert_eq!(profile.bytes_at("2"), None);
    /// ```
    ///
    /// # Cost
    /// If memory is shared or maps have keys, this takes as long as [`to_folded`](Self::to_folded)
    /// without writing the text. Otherwise, it searches the branches on the path.
    pub fn bytes_at(&self, path: &str) -> Option<u64> {
        branch_at(&self.plain(), path).map(Branch::total_bytes)
    }

    /// Returns the bytes like [`bytes_at`](Self::bytes_at), with an error that lists existing paths.
    ///
    /// ```
    /// # use memprof::Profile;
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], (7_u64, [0_u8; 8])));
    /// assert_eq!(
    ///     profile.try_bytes_at("1;2").unwrap_err().to_string(),
    ///     "no path \"1;2\" in pair; \"1\" has \"0\", \"1\""
    /// );
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path does not exist.
    pub fn try_bytes_at(&self, path: &str) -> Result<u64, PathNotFound> {
        let plain = self.plain();
        let found = find(plain.root(), path).map(Branch::total_bytes);
        found.map_err(|(found, last)| PathNotFound::new(path, plain.root(), found, last))
    }

    /// Returns the profile of the part at a path: a value, a field or an entry with everything below it.
    ///
    /// ```
    /// # use memprof::Profile;
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], (7_u64, [0_u8; 8])));
    /// assert_eq!(profile.part("1")?.to_folded(), "1;0 8\n1;1 8\n");
    /// # Ok::<(), memprof::tree::PathNotFound>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the path does not exist.
    pub fn part(&self, path: &str) -> Result<Self, PathNotFound> {
        let plain = self.plain();
        let found = find(plain.root(), path).map(Self::from);
        found.map_err(|(found, last)| PathNotFound::new(path, plain.root(), found, last))
    }

    /// Returns whether the bytes at a path and below it are only a lower bound, because a walk did not
    /// visit all values there. If the path does not exist, returns whether such values could have
    /// it.
    ///
    /// Contents that no walk visits, such as those of a channel, do not count. Neither do the
    /// elements of a slice that a sample represents.
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::cell::RefCell;
    ///
    /// let pair = (vec![0_u8; 1000], RefCell::new(vec![0_u8; 1000]));
    /// let _borrowed = pair.1.borrow_mut();
    /// let profile = Profile::named("pair", &pair);
    /// assert!(!profile.is_lower_end_at("0"));
    /// assert!(profile.is_lower_end_at("1") && profile.is_lower_end_at(""));
    /// ```
    pub fn is_lower_end_at(&self, path: &str) -> bool {
        self.unvisited_at(path).is_some()
    }

    /// Returns the first part at a path, below it or above it that a walk did not visit.
    pub(crate) fn unvisited_at(&self, path: &str) -> Option<Unvisited> {
        let plain = self.plain();
        let (mut branch, mut above) = (plain.root(), Path::default());
        for frame in frames(path) {
            if let Some(reason) = missing_values(branch) {
                return Some(Unvisited::new(&above, branch, reason));
            }
            branch = child(branch, frame)?;
            above.push(branch.name());
        }
        first_unvisited(branch, &mut above)
    }
}

/// `Display` writes the path and the reason.
#[derive(Clone, Debug)]
pub(crate) struct Unvisited {
    path: String,
    reason: OpaqueReason,
}

impl Unvisited {
    fn new(path: &Path<'_>, branch: Branch<'_>, reason: OpaqueReason) -> Self {
        let is_root = path.frames.is_empty();
        let path = if is_root { Frame(branch.name()).to_string() } else { path.to_string() };
        Self { path, reason }
    }
}

impl fmt::Display for Unvisited {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.path, self.reason)
    }
}

fn first_unvisited<'p>(branch: Branch<'p>, path: &mut Path<'p>) -> Option<Unvisited> {
    if let Some(reason) = missing_values(branch) {
        return Some(Unvisited::new(path, branch, reason));
    }
    branch.children().find_map(|child| {
        path.push(child.name());
        let found = first_unvisited(child, path);
        path.pop();
        found
    })
}

fn frames(path: &str) -> impl Iterator<Item = &str> {
    path.split(';').filter(move |_| !path.is_empty())
}

pub(crate) fn branch_at<'p>(plain: &'p Plain<'_>, path: &str) -> Option<Branch<'p>> {
    find(plain.root(), path).ok()
}

/// If there is no such branch, returns the part of the path that exists, and its branch.
fn find<'p, 'f>(root: Branch<'p>, path: &'f str) -> Result<Branch<'p>, (&'f str, Branch<'p>)> {
    let (mut branch, mut end) = (root, 0);
    for (index, frame) in frames(path).enumerate() {
        branch = child(branch, frame).ok_or((&path[..end], branch))?;
        end += frame.len() + usize::from(index > 0);
    }
    Ok(branch)
}

/// Prefers the child with the name `frame` to one whose name folded stacks write like `frame`.
fn child<'p>(branch: Branch<'p>, frame: &str) -> Option<Branch<'p>> {
    branch.child(frame).or_else(|| {
        let frame = Frame(frame).to_string();
        branch.children().find(|child| Frame(child.name()).to_string() == frame)
    })
}

/// The error of a path that does not exist in a profile. `Display` lists what is below the last
/// frame that exists.
#[derive(Clone, PartialEq, Eq)]
pub struct PathNotFound {
    path: String,
    root: String,
    found: String,
    below: Vec<String>,
    more: u64,
}

const MAX_LISTED: usize = 6;

impl PathNotFound {
    fn new(path: &str, root: Branch<'_>, found: &str, last: Branch<'_>) -> Self {
        let mut below: Vec<Branch<'_>> = last.children().collect();
        sort_by(&mut below, |a, b| b.total_bytes().cmp(&a.total_bytes()));
        let more = below.len().saturating_sub(MAX_LISTED) as u64;
        let below = below.iter().take(MAX_LISTED).map(|child| Frame(child.name()).to_string());
        let (path, root, found) = (path.into(), root.name().into(), found.into());
        Self { path, root, found, below: below.collect(), more }
    }

    /// Returns the path that was not found.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the names below the last frame of the path that exists, largest first; at most six.
    pub fn below(&self) -> &[String] {
        &self.below
    }
}

impl fmt::Display for PathNotFound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "no path \"{}\" in {}; ", Shown(&self.path), Shown(&self.root))?;
        match self.found.as_str() {
            "" => out.write_str("it has ")?,
            found => write!(out, "\"{}\" has ", Shown(found))?,
        }
        if self.below.is_empty() {
            return out.write_str("no paths below it");
        }
        for (index, name) in self.below.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(out, "{separator}\"{name}\"")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(out, " and {} more", Grouped(more)),
        }
    }
}

debug_as_text!(PathNotFound);

impl Error for PathNotFound {}
