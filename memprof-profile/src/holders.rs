//! Who keeps shared memory alive: profiles that contain it, and the text.

use crate::text::{Frame, Shown, Units, counted};
use crate::tree::Origin;
use crate::views::{Known, is_lower_bound};
use crate::walk::{Handles, Holders, Observer};
use crate::{MemoryProfile, Profile};
use core::cmp::Reverse;
use memprof_core::tree::Collected;

/// The maximum number of holders in a line.
const PATHS: usize = 3;

/// Why it is unknown who holds memory.
const UNKNOWN: &str = "too many handles, or not all values visited";

struct WantsHolders;

impl Observer for WantsHolders {
    fn max_graph(&self) -> usize {
        usize::MAX
    }
}

/// # Who keeps shared memory alive
impl Profile {
    /// Profiles `root` like [`named`](Self::named), and also records who keeps its shared memory
    /// alive.
    ///
    /// ```
    /// use memprof::{MemoryProfile, Profile};
    /// use std::sync::Arc;
    ///
    /// #[derive(MemoryProfile)]
    /// struct Cache { all: Vec<Arc<[u8; 1000]>>, latest: Option<Arc<[u8; 1000]>> }
    ///
    /// let block = Arc::new([0; 1000]);
    /// let cache = Cache { all: vec![block.clone()], latest: Some(block) };
    /// let profile = Profile::with_holders("cache", &cache);
    /// let [block] = profile.holders().unwrap() else { panic!() };
    /// assert_eq!(block.dominator.as_deref(), Some("cache"));
    /// assert_eq!(block.freed_bytes, Some(1016));
    /// ```
    ///
    /// # Cost
    /// Takes several times as long as [`of`](Self::of) for handles. Until it returns, it needs about
    /// 70 bytes per shared allocation and per handle to one.
    pub fn with_holders<T: MemoryProfile + ?Sized>(name: &str, root: &T) -> Self {
        Self::observed(name, root, &mut WantsHolders)
    }

    /// Profiles several values like [`of_all`](Self::of_all), and also records who keeps their
    /// shared memory alive.
    pub fn all_with_holders<'v, N: AsRef<str>>(
        name: &str,
        values: impl IntoIterator<Item = (N, &'v dyn MemoryProfile)>,
    ) -> Self {
        Collected::of_all_observed(name, values, &mut WantsHolders).into()
    }

    /// Adds who keeps shared memory alive, from the handles that an [observed](Observer::max_graph)
    /// walk kept. If it kept none, marks that as unknown.
    ///
    /// # Cost
    /// Takes about 100 ns and 70 bytes for each handle and each allocation.
    pub fn add_holders(&mut self, handles: Option<&Handles>) {
        let unknown = || {
            let mut held = Holders::default();
            held.path = Frame(self.root().name()).to_string();
            (held.allocations, held.bytes) = (self.shared.allocations, self.shared.bytes);
            Vec::from_iter((held.allocations > 0).then_some(held))
        };
        self.holders = Some(handles.map_or_else(unknown, Handles::holders));
    }

    /// Returns who keeps shared memory alive, for the paths that keep the most bytes alive, largest
    /// first. Returns `None` if the profile was created without this data.
    ///
    /// All amounts are lower bounds if the total [is](Self::is_lower_bound).
    pub fn holders(&self) -> Option<&[Holders]> {
        self.holders.as_deref()
    }

    /// Returns the path of each of the [`holders`](Self::holders), and a line of text such as `2.0 KiB
    /// at app;index: held by app;old and app;new; dropping app frees 3.0 KiB of shared memory`. Both
    /// are escaped.
    pub fn holder_lines(&self, units: Units) -> impl ExactSizeIterator<Item = (String, String)> {
        let (is_lower_bound, is_exact) = (is_lower_bound(self.root()), self.is_exact());
        let all = self.holders().unwrap_or_default().iter();
        all.map(move |held| {
            // The totals of shared memory leave out values that were not visited.
            let is_lower_bound = is_lower_bound || held.handles.is_empty() && !is_exact;
            let show = |bytes| Known { bytes, is_lower_bound }.show(units);
            (Shown(&held.path).to_string(), line(held, is_lower_bound, show))
        })
    }
}

/// Returns a line of text. If not everything was read, there may be handles that the walk did not meet.
fn line(held: &Holders, is_lower_bound: bool, show: impl Fn(u64) -> String) -> String {
    let (bytes, path) = (show(held.bytes), Shown(&held.path));
    if held.handles.is_empty() {
        return format!("{bytes} at {path}: holders unknown ({UNKNOWN})");
    }
    let mut handles: Vec<_> = held.handles.iter().collect();
    handles.sort_by_key(|(_, count)| Reverse(*count));
    let mut by: Vec<String> = handles
        .iter()
        .take(PATHS)
        .map(|(path, count)| match *count {
            1 => Shown(path).to_string(),
            count => format!("{} ({})", Shown(path), counted(count, "handle")),
        })
        .collect();
    let others = (handles.len() - by.len()) as u64 + held.other_paths;
    by.extend((others > 0).then(|| counted(others, "other path")));
    let last = by.pop().unwrap_or_default();
    let by = if by.is_empty() { last } else { format!("{} and {last}", by.join(", ")) };
    let count = match held.allocations {
        1 => String::new(),
        several => format!(" in {}", counted(several, "allocation")),
    };
    let effect = if let (Some(dominator), Some(freed)) = (&held.dominator, held.freed_bytes) {
        let cycle = if freed < held.bytes { ", as a cycle keeps the rest" } else { "" };
        format!("dropping {} frees {} of shared memory{cycle}", Shown(dominator), show(freed))
    } else {
        let (outside, frees) = if is_lower_bound {
            ("outside or not read", "may not free")
        } else {
            ("outside", "does not free")
        };
        let reason = match held.unmet_handles {
            None => format!("unknown handles {outside}"),
            Some(0) => format!("another holder is held {outside}"),
            Some(unmet) => format!("{} {outside}", counted(unmet, "handle")),
        };
        format!("dropping the value {frees} it ({reason})")
    };
    format!("{bytes}{count} at {path}: held by {by}; {effect}")
}

/// Returns the holders of several profiles, whose roots are now below a root with this name.
pub(crate) fn joined(root: &str, parts: &[&Profile]) -> Option<Vec<Holders>> {
    let mut all = Vec::new();
    for part in parts.iter().filter(|part| part.origin() == Origin::Values) {
        all.extend(part.holders()?.iter().cloned());
    }
    let below = |path: &String| format!("{};{path}", Frame(root));
    for held in &mut all {
        held.path = below(&held.path);
        held.dominator = held.dominator.as_ref().map(below);
        held.handles = held.handles.iter().map(|(path, count)| (below(path), *count)).collect();
    }
    all.sort_by_key(|held| Reverse(held.bytes));
    (!all.is_empty()).then_some(all)
}
