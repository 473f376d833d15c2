//! The finished profile: a tree of names whose leaves have the bytes.

use crate::MemoryProfile;
use crate::holders;
use crate::tree::{Branch, Device, Origin, Tensors};
use crate::views::is_lower_bound;
use crate::walk::{Holders, Observer, Shared};
use memprof_core::tree::{Collected, NameTree, Plain};
use memprof_core::type_frame;

/// A tree of names that shows where the bytes of a value are.
///
/// ```
/// use memprof::Profile;
///
/// let names = vec![String::from("alpha"), String::from("beta")];
/// let profile = Profile::named("names", &names);
/// assert_eq!(profile.total_bytes(), 24 + 2 * 24 + 5 + 4);
/// assert_eq!(profile.to_folded(), "names 81\n");
/// assert!(profile.is_exact());
/// ```
///
/// | question | methods |
/// |---|---|
/// | How do I create a profile? | [`of`](Self::of), [`named`](Self::named), [`of_all`](Self::of_all), [`joined`](Self::joined), [`observed`](Self::observed), [`of_counters`](Self::of_counters) |
/// | How many bytes, and are they exact? | [`total_bytes`](Self::total_bytes), [`is_exact`](Self::is_exact), [`is_lower_bound`](Self::is_lower_bound), [`devices`](Self::devices) |
/// | Where are they? | [`tree`](Self::tree), [`top`](Self::top), [`bytes_at`](Self::bytes_at), [`leaves`](Self::leaves), [`visit`](Self::visit), [`root`](Self::root) |
/// | What is their purpose, and what should change? | [`report`](Self::report), [`statistics`](Self::statistics), [`advice`](Self::advice) |
/// | What is shared, and who keeps it alive? | [`sharing`](Self::sharing), [`shared`](Self::shared), [`holders`](Self::holders) |
/// | What changed? | [`diff`](Self::diff), [`against`](Self::against), [`check_budget`](Self::check_budget) |
/// | How do I write and read it? | [`to_folded`](Self::to_folded), [`from_folded`](Self::from_folded), `to_json`, `from_json`, `to_yaml`, [`to_markdown`](Self::to_markdown), `to_flamegraph` |
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Profile {
    pub(crate) tree: NameTree,
    pub(crate) shared: Shared,
    pub(crate) tensors: Tensors,
    pub(crate) shallow_bytes: Option<u64>,
    pub(crate) holders: Option<Vec<Holders>>,
}

/// # Profiles of values, of other profiles and of counters
impl Profile {
    /// Profiles `root` and names the tree after its type.
    ///
    /// A `Box`, `Rc` or `Arc` is named after what it points to:
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::sync::{Arc, Mutex};
    ///
    /// assert_eq!(Profile::of(&Arc::new(String::new())).root().name(), "String");
    /// assert_eq!(Profile::of(&Arc::new(Mutex::new(1))).root().name(), "Mutex");
    /// ```
    ///
    /// # Cost
    /// Takes 0.5 to 2 µs for the tree. Beyond that, it takes about as long as a hand-written sum
    /// over the same values, if they exceed the caches: 2 to 3 times as long for cells and shared
    /// memory, 5 to 9 times for long lists of boxes or of `Rc<RefCell<…>>`. Elements of types that
    /// own nothing are not visited.
    pub fn of<T: MemoryProfile + ?Sized>(root: &T) -> Self {
        Self::named(type_frame(root.type_name()), root)
    }

    /// Profiles `root` under a name of your choice.
    pub fn named<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Collected::of(name, root).into()
    }

    /// Profiles like [`named`](Self::named), with an observer that can stop the walk and
    /// receives the addresses of blocks; [`Observer`] has an example.
    ///
    /// If the observer stops the walk, the total includes only the bytes found until then, and is
    /// at most the total of a full walk. The inline bytes of elements count with their collection,
    /// even if the elements were not visited. In [`shared`](Self::shared), memory with handles that
    /// the walk did not reach counts as externally held.
    ///
    /// # Cost
    /// The cost of [`of`](Self::of) plus one call of the observer per 256 values. If the observer
    /// wants addresses, the walk calls it for each address, and every value is visited.
    pub fn observed<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        observer: &mut dyn Observer,
    ) -> Self {
        Collected::observed(name, root, observer).into()
    }

    /// Profiles several values together, each below the root under its own name. Memory that the
    /// values share counts once, and values with the same name add up.
    ///
    /// ```
    /// use memprof::{MemoryProfile, Profile};
    /// use std::sync::Arc;
    ///
    /// let unit = Arc::new(String::from("m/s"));
    /// let (speed, wind) = ((vec![0.0_f64; 100], unit.clone()), (vec![0.0_f64; 10], unit));
    /// let values: [(_, &dyn MemoryProfile); 2] = [("speed", &speed), ("wind", &wind)];
    /// let profile = Profile::of_all("arrays", values);
    /// assert_eq!(profile.root().children().count(), 2);
    /// assert_eq!(profile.shared().handles, 2);
    /// ```
    pub fn of_all<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
    ) -> Self {
        Collected::of_all(name, values).into()
    }

    /// Joins several profiles below a new root. Profiles with the same name add up.
    ///
    /// The profiles come from separate walks, so memory that they share counts in each of them.
    /// [`of_all`](Self::of_all) counts shared memory once.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let cache = Profile::named("cache", &vec![0_u8; 100]);
    /// let device = Profile::from_folded("cuda:0;free 4096\n")?;
    /// let process = Profile::joined("process", [&cache, &device]);
    /// assert_eq!(process.to_folded(), "process;cache 124\nprocess;cuda:0;free 4096\n");
    /// assert!(!process.is_exact(), "folded stacks do not record exactness");
    /// # Ok::<(), memprof::views::FoldedError>(())
    /// ```
    pub fn joined<'p>(name: &str, parts: impl IntoIterator<Item = &'p Self>) -> Self {
        let parts: Vec<&Self> = parts.into_iter().collect();
        let tree = NameTree::joined(name, parts.iter().map(|part| &part.tree));
        let mut shared = Shared::default();
        let mut tensors = Tensors::default();
        for part in &parts {
            shared += part.shared;
            tensors.add_below(name, &part.tensors);
        }
        let shallow = |sum: u64, part: &&Self| Some(sum.saturating_add(part.shallow_bytes?));
        let shallow_bytes = parts.iter().try_fold(0, shallow);
        Self { tree, shared, tensors, shallow_bytes, holders: holders::joined(name, &parts) }
    }

    /// Returns a profile of counters. Each counter has a path below a new root, the memory that it
    /// counts, and its bytes.
    ///
    /// Counters of the same path and memory add up. A counter that was read as 0 becomes a branch
    /// without bytes. Leave out counters that could not be read.
    ///
    /// ```
    /// use memprof::tree::{Device, Origin};
    /// use memprof::Profile;
    ///
    /// let gpu = Device::Cuda(0);
    /// let read = [(["cuda:0", "used"], gpu, 3 << 30), (["cuda:0", "free"], gpu, 13 << 30)];
    /// let profile = Profile::of_counters("gpu", read);
    /// assert_eq!(profile.to_folded(), "gpu;cuda:0;free 13958643712\ngpu;cuda:0;used 3221225472\n");
    /// assert_eq!(profile.devices(), [(gpu, 16 << 30)]);
    /// assert_eq!(profile.origin(), Origin::Counters);
    /// ```
    pub fn of_counters<P>(name: &str, leaves: impl IntoIterator<Item = (P, Device, u64)>) -> Self
    where
        P: IntoIterator<Item: AsRef<str>>,
    {
        let leaf = |(path, device, bytes): (P, Device, u64)| {
            (path.into_iter().map(|frame| frame.as_ref().to_owned()).collect(), device, bytes)
        };
        Self::of_tree(NameTree::of_counters(name, leaves.into_iter().map(leaf)))
    }

    pub(crate) fn of_tree(tree: NameTree) -> Self {
        let (shared, tensors) = (Shared::default(), Tensors::default());
        Self { tree, shared, tensors, shallow_bytes: None, holders: None }
    }
}

/// # Totals
impl Profile {
    /// Returns all bytes: the root's own bytes and everything it owns. Shared memory counts once.
    pub fn total_bytes(&self) -> u64 {
        self.tree.total_bytes()
    }

    /// Returns the root of the tree.
    pub fn root(&self) -> Branch<'_> {
        self.tree.root()
    }

    /// Returns the origin of the profile, which limits what the profile can contain.
    pub fn origin(&self) -> Origin {
        self.tree.origin()
    }

    /// Returns the totals of shared memory, and the bytes without sharing. All are 0 if the
    /// [`origin`](Self::origin) has no data on sharing.
    pub fn shared(&self) -> Shared {
        self.shared
    }

    /// Returns the root's own bytes, its `size_of_val`, without anything it owns. Returns `None` if
    /// the profile was read from a file without that figure.
    pub fn shallow_bytes(&self) -> Option<u64> {
        self.shallow_bytes
    }

    /// Returns the tensors that the walk visited: their number, and the largest ones.
    pub fn tensors(&self) -> &Tensors {
        &self.tensors
    }

    /// Returns whether every byte is known. An exact profile has nothing opaque or estimated, and
    /// no skipped field that owns memory. Its [`origin`](Self::origin) must record all of these.
    pub fn is_exact(&self) -> bool {
        self.root().is_exact()
    }

    /// Returns whether the total is a lower bound, because contents were not read: behind a held
    /// lock, of a borrowed cell, or of a type whose contents are hidden. Views print `≥` before
    /// such a total.
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::cell::RefCell;
    ///
    /// let text = RefCell::new(String::from("hello"));
    /// assert!(!Profile::of(&text).is_lower_bound());
    /// let borrowed = text.borrow_mut();
    /// assert!(Profile::of(&text).is_lower_bound());
    /// # drop(borrowed);
    /// ```
    pub fn is_lower_bound(&self) -> bool {
        is_lower_bound(self.root())
    }

    /// Returns the profile with its names as [folded stacks](Self::to_folded) write them. Compare a
    /// profile with one that was read from folded stacks in this form.
    ///
    /// Branches add up if their names become equal.
    pub fn with_frames(&self) -> Self {
        Self { tree: self.tree.with_frames(), ..self.clone() }
    }

    /// Returns the tree as views show it, without the bracketed frames that describe a line.
    ///
    /// # Cost
    /// Reads the name of every branch. Builds another tree if it finds such a frame.
    pub fn plain(&self) -> Plain<'_> {
        self.tree.plain()
    }
}

impl From<Collected> for Profile {
    fn from(collected: Collected) -> Self {
        let Collected { tree, shared, tensors, shallow_bytes, holders, .. } = collected;
        Self { tree, shared, tensors, shallow_bytes: Some(shallow_bytes), holders }
    }
}

/// A profile of a branch and of everything below it. It has no totals of shared memory and no tensors,
/// which a profile has only as a whole.
impl From<Branch<'_>> for Profile {
    fn from(root: Branch<'_>) -> Self {
        Self::of_tree(NameTree::of_branch(root))
    }
}

#[cfg(test)]
mod tests {
    use crate::Profile;
    use std::pin::Pin;
    use std::rc::Rc;
    use std::sync::{Arc, Mutex};

    #[test]
    fn an_owning_pointer_is_named_after_its_pointee() {
        let name = |profile: Profile| profile.root().name().to_owned();
        assert_eq!(name(Profile::of(&Box::new(String::new()))), "String");
        assert_eq!(name(Profile::of(&Rc::new(vec![1]))), "Vec");
        assert_eq!(name(Profile::of(&Arc::new(Box::new(1_u8)))), "u8");
        assert_eq!(name(Profile::of(&Arc::<[u8]>::from([1, 2]))), "slice");
        assert_eq!(name(Profile::of(&Pin::new(Box::new(String::new())))), "String");
        assert_eq!(name(Profile::of(&Arc::new(Mutex::new(String::new())))), "Mutex");
        assert_eq!(name(Profile::of(&Some(Box::new(1_u8)))), "Option");
        assert_eq!(name(Profile::of(&&1_u8)), "pointer", "a reference owns nothing");
    }
}
