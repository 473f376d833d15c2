//! What happens to shared memory when the root is dropped, by reference counting.
//!
//! Dropping the root drops its handles. A context without a handle is freed, which drops the handles
//! inside it, and so on. What is not freed is held by a handle that the walk did not meet, directly
//! or through other contexts, or only by a cycle of handles, which leaks. Earlier, a walk from the
//! contexts with unknown handles decided both questions at once, and so called cycles freed.

use super::{Context, Kind};

/// What happens to a context when the root is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Freed,
    /// A handle outside the root keeps the context, directly or through other contexts.
    Held,
    /// Only handles in a cycle keep the context.
    Leaked,
}

/// What happens to all contexts.
#[derive(Debug)]
pub(super) struct Ownership {
    pub(super) fates: Vec<Fate>,
    /// The number of handles to each context that the walk met.
    pub(super) handles: Vec<u64>,
    /// False if a number of handles is unknown or changed during the walk.
    pub(super) is_certain: bool,
}

impl Ownership {
    /// Returns the fates of `contexts`, from the number of the root's handles to each context and
    /// the handles inside contexts, as pairs of the context that contains a handle and its target.
    pub(super) fn new(contexts: &[Context], root_handles: &[u32], edges: &[(u32, u32)]) -> Self {
        let mut handles: Vec<u64> = root_handles.iter().map(|&handles| handles.into()).collect();
        let mut is_certain = true;
        // The handles to each context that were not dropped yet.
        let mut left: Vec<u64> = Vec::with_capacity(contexts.len());
        for (context, &dropped) in contexts.iter().zip(&handles) {
            left.push(match context.kind {
                Kind::Shared { strong: 0 } => {
                    is_certain = false;
                    u64::MAX
                }
                Kind::Shared { strong } => u64::from(strong).saturating_sub(dropped),
                Kind::Value { in_context, .. } => in_context.into(),
                Kind::Target => u64::MAX,
            });
        }
        for &(_, to) in edges {
            handles[to as usize - 1] += 1;
        }
        is_certain &= contexts.iter().zip(&handles).all(|(context, &met)| match context.kind {
            Kind::Shared { strong } => strong == 0 || met <= strong.into(),
            Kind::Value { .. } | Kind::Target => true,
        });
        let targets = Targets::new(contexts.len(), edges);
        let mut fates = vec![Fate::Leaked; contexts.len()];
        let mut found: Vec<u32> =
            (0..contexts.len() as u32).filter(|&context| left[context as usize] == 0).collect();
        while let Some(context) = found.pop() {
            fates[context as usize] = Fate::Freed;
            for &target in targets.of(context) {
                let left = &mut left[target as usize];
                if *left != 0 && *left != u64::MAX {
                    *left -= 1;
                    if *left == 0 {
                        found.push(target);
                    }
                }
            }
        }
        // Handles inside contexts that are not freed.
        let mut inside = vec![0_u64; contexts.len()];
        for &(from, to) in edges {
            inside[to as usize - 1] += u64::from(fates[from as usize - 1] != Fate::Freed);
        }
        let is_held = |&context: &u32| left[context as usize] > inside[context as usize];
        found.extend((0..contexts.len() as u32).filter(is_held));
        while let Some(context) = found.pop() {
            if core::mem::replace(&mut fates[context as usize], Fate::Held) == Fate::Leaked {
                let not_freed = |target: &&u32| fates[**target as usize] == Fate::Leaked;
                found.extend(targets.of(context).iter().filter(not_freed));
            }
        }
        Self { fates, handles, is_certain }
    }
}

/// The targets of each context's handles, in one list.
struct Targets {
    targets: Vec<u32>,
    /// The targets of context `i` are from `starts[i]` to `starts[i + 1]`.
    starts: Vec<u32>,
}

impl Targets {
    fn new(contexts: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0_u32; contexts + 1];
        for &(from, _) in edges {
            starts[from as usize - 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // `starts[i]` is now the end of the targets of context `i`, so this fills each list
        // backwards.
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            let slot = &mut starts[from as usize - 1];
            *slot -= 1;
            targets[*slot as usize] = to - 1;
        }
        Self { targets, starts }
    }

    fn of(&self, context: u32) -> &[u32] {
        let context = context as usize;
        &self.targets[self.starts[context] as usize..self.starts[context + 1] as usize]
    }
}
