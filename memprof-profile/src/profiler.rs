//! A profiler of one value that is profiled repeatedly, which visits only what changed.

use crate::MemoryProfile;
use crate::estimate::{Budget, EstimatedProfile, estimate_after};
use crate::profile::{Profile, last_segment};
use crate::walk::Observer;
use core::fmt;
use memprof_core::large::{Remembered, Reuse};
use memprof_core::tree::Collected;

/// A profiler of a value that is profiled repeatedly. It remembers the finished subtrees of
/// [`Frozen`](crate::large::Frozen) values, so a profile of a mostly unchanged value visits what
/// changed.
///
/// A profile made by a `Profiler` equals a [`Profile`] of the same value. The profiler stores the
/// bytes of a value under the value's identity, and keeps no handle to the value. So it never
/// delays the freeing of memory.
///
/// ```
/// use memprof::large::{Frozen, Profiler};
/// use memprof::Profile;
///
/// let mut log: Vec<Frozen<Vec<String>>> = Vec::new();
/// let mut profiler = Profiler::new();
/// for day in 0..3 {
///     log.push(Frozen::new(vec![format!("day {day}"); 1000]));
///     let profile = profiler.named("log", &log);
///     assert_eq!(profile, Profile::named("log", &log));
///     assert_eq!((profiler.last().reused(), profiler.last().walked()), (day, 1));
/// }
/// ```
///
/// # Values that are visited each time
/// Some values are not remembered, because their bytes may change or depend on other values. They
/// contain handles such as `Rc` and `Arc`, cells, locks, tensors, or fields marked `follow` or
/// `shareable`. [`Reuse::refused`] counts them with the reason.
///
/// # Memory
/// The profiler stores about 200 bytes for each frozen value that the last profile met. It forgets
/// all others, so use one profiler for each value.
#[derive(Default)]
pub struct Profiler {
    remembered: Remembered,
    /// `true` during a call of [`together`](Self::together).
    is_joined: bool,
}

impl Profiler {
    /// Returns a profiler that remembers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Profiles `root` like [`Profile::of`].
    ///
    /// # Cost
    /// The cost of [`Profile::of`] for values that are new or not frozen. A remembered value takes
    /// about 100 ns.
    pub fn profile<T: MemoryProfile + ?Sized>(&mut self, root: &T) -> Profile {
        self.named(last_segment(root.type_name()), root)
    }

    /// Profiles `root` like [`Profile::named`].
    ///
    /// # Cost
    /// As for [`profile`](Self::profile).
    pub fn named<T: MemoryProfile + ?Sized>(&mut self, name: &str, root: &T) -> Profile {
        self.walk(name, root, None)
    }

    /// Profiles `root` like [`Profile::observed`].
    ///
    /// If the observer stops the walk, the values that the walk finished are remembered. So the
    /// next walk gets further in the same time.
    ///
    /// # Cost
    /// As for [`profile`](Self::profile). If the observer wants addresses, the walk visits each
    /// remembered value whose addresses are not remembered. It then remembers the addresses of the
    /// values that an earlier profile met.
    pub fn observed<T: MemoryProfile + ?Sized>(
        &mut self,
        name: &str,
        root: &T,
        observer: &mut dyn Observer,
    ) -> Profile {
        self.walk(name, root, Some(observer))
    }

    /// Estimates a profile like [`Profile::estimate_observed`]. The walk over the whole value
    /// reuses remembered values, and the sample does not.
    ///
    /// # Cost
    /// As for [`Profile::estimate`].
    pub fn estimate_observed<T: MemoryProfile + ?Sized>(
        &mut self,
        name: &str,
        root: &T,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> EstimatedProfile {
        let walk = |observer: &mut dyn Observer| self.observed(name, root, observer);
        estimate_after(walk, name, root, budget, observer)
    }

    /// Makes several profiles as one group. Afterwards, the profiler remembers every frozen value
    /// that any profile of the group met.
    ///
    /// ```
    /// use memprof::large::{Frozen, Profiler};
    ///
    /// let (hot, cold) = (vec![Frozen::new(vec![1; 10])], vec![Frozen::new(vec![2; 10])]);
    /// let mut profiler = Profiler::new();
    /// for reused in [0, 2] {
    ///     let [_, cold] = profiler.together(|profiler| {
    ///         [profiler.named("hot", &hot), profiler.named("cold", &cold)]
    ///     });
    ///     assert_eq!(cold.root().name(), "cold");
    ///     assert_eq!(profiler.last().reused(), reused);
    /// }
    /// ```
    pub fn together<R>(&mut self, profile: impl FnOnce(&mut Self) -> R) -> R {
        self.remembered.begin();
        let joined = Joined(self);
        joined.0.is_joined = true;
        let result = profile(&mut *joined.0);
        joined.0.remembered.forget_unmet();
        result
    }

    fn walk<T: MemoryProfile + ?Sized>(
        &mut self,
        name: &str,
        root: &T,
        observer: Option<&mut dyn Observer>,
    ) -> Profile {
        if !self.is_joined {
            return self.together(|profiler| profiler.walk(name, root, observer));
        }
        Collected::remembering(name, root, &mut self.remembered, observer).into()
    }

    /// Returns the number of frozen values that the last profile reused, and the number that it
    /// visited.
    pub fn last(&self) -> Reuse {
        self.remembered.reuse()
    }

    /// Returns the number of frozen values that are remembered.
    pub fn len(&self) -> usize {
        self.remembered.len()
    }

    /// Returns whether no frozen value is remembered.
    pub fn is_empty(&self) -> bool {
        self.remembered.is_empty()
    }

    /// Forgets all frozen values.
    pub fn clear(&mut self) {
        self.remembered = Remembered::new();
    }
}

impl fmt::Debug for Profiler {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Profiler")
            .field("remembered", &self.len())
            .field("last", &self.last())
            .finish()
    }
}

/// A guard that ends a group of profiles when it is dropped, even during a panic.
struct Joined<'p>(&'p mut Profiler);

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        self.0.is_joined = false;
    }
}
