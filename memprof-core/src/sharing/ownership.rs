//! The graph of shared contexts: copies, cycles, and externally held contexts.

use super::{Context, ContextKind};

/// The graph of contexts, whose edges are the handles inside contexts.
pub(super) struct OwnershipGraph<'s> {
    pub(super) contexts: &'s [Context],
    root_handles: Vec<u64>,
    /// The targets of each context's handles, in one list. The targets of context `i` are from
    /// `starts[i]` to `starts[i + 1]`.
    targets: Vec<u32>,
    starts: Vec<u32>,
    /// The number of handles that lead to each context.
    pub(super) handles: Vec<u64>,
}

impl<'s> OwnershipGraph<'s> {
    /// Builds the graph of `contexts`, from the number of the root's handles to each context and
    /// the handles between contexts.
    pub(super) fn new(
        contexts: &'s [Context],
        root_handles: Vec<u64>,
        edges: &[(u32, u32)],
    ) -> Self {
        let mut handles = root_handles.clone();
        let mut starts = vec![0_u32; contexts.len() + 1];
        for &(from, to) in edges {
            starts[from as usize] += 1;
            handles[to as usize - 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // `starts[i]` is now the end of the targets of context `i`, counted from 0. So this loop
        // fills each list backwards.
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges.iter().rev() {
            let slot = &mut starts[from as usize];
            *slot -= 1;
            targets[*slot as usize] = to - 1;
        }
        starts.rotate_left(1);
        if let Some(last) = starts.last_mut() {
            *last = targets.len() as u32;
        }
        Self { contexts, root_handles, targets, starts, handles }
    }

    pub(super) fn targets(&self, context: usize) -> &[u32] {
        &self.targets[self.starts[context] as usize..self.starts[context + 1] as usize]
    }

    /// Returns the number of copies of each context if every handle had its own copy.
    pub(super) fn copies(&self) -> Vec<u64> {
        let (order, closes_cycle) = self.post_order();
        let mut copies = self.root_handles.clone();
        for &context in order.iter().rev() {
            let own = copies[context as usize];
            let range =
                self.starts[context as usize] as usize..self.starts[context as usize + 1] as usize;
            for edge in range.filter(|&edge| !closes_cycle[edge]) {
                let target = &mut copies[self.targets[edge] as usize];
                *target = target.saturating_add(own);
            }
        }
        copies
    }

    /// Returns the part of each context that a draw counts, if the first context is what the drawn
    /// element owns. Each edge represents a number of handles. An edge that closes a cycle adds
    /// nothing.
    pub(super) fn parts(&self, edges: &[(u32, u32)], factors: &[f64]) -> Vec<f64> {
        let mut next = self.starts.clone();
        let mut factors_of_targets = vec![0.0; self.targets.len()];
        for (&(from, _), &factor) in edges.iter().zip(factors) {
            let slot = &mut next[from as usize - 1];
            factors_of_targets[*slot as usize] = factor;
            *slot += 1;
        }
        let (order, closes_cycle) = self.post_order();
        let mut parts = vec![0.0; self.contexts.len()];
        parts[0] = 1.0;
        for &context in order.iter().rev() {
            let own: f64 = parts[context as usize];
            let range =
                self.starts[context as usize] as usize..self.starts[context as usize + 1] as usize;
            for edge in range.filter(|&edge| !closes_cycle[edge]) {
                let target = self.targets[edge] as usize;
                let Context { strong, kind, .. } = self.contexts[target];
                parts[target] += match kind {
                    ContextKind::Shared => own * factors_of_targets[edge] / f64::from(strong),
                    // Such a value is a part of the context that contains it.
                    ContextKind::Value | ContextKind::ValueInShared => own,
                };
            }
        }
        parts
    }

    /// Returns the contexts in depth-first post-order, and for each edge whether it closes a cycle.
    /// In the reversed order, every context precedes the contexts that it has handles to.
    ///
    /// The search does not recurse, because real programs have chains of a million shared nodes.
    fn post_order(&self) -> (Vec<u32>, Vec<bool>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut visits = vec![Visit::New; self.contexts.len()];
        let mut closes_cycle = vec![false; self.targets.len()];
        let mut order = Vec::with_capacity(self.contexts.len());
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for start in 0..self.contexts.len() as u32 {
            if visits[start as usize] != Visit::New {
                continue;
            }
            visits[start as usize] = Visit::Open;
            stack.push((start, self.starts[start as usize]));
            while let Some((context, edge)) = stack.last_mut() {
                if *edge == self.starts[*context as usize + 1] {
                    visits[*context as usize] = Visit::Done;
                    order.push(*context);
                    stack.pop();
                    continue;
                }
                let index = *edge as usize;
                *edge += 1;
                let target = self.targets[index];
                match visits[target as usize] {
                    Visit::New => {
                        visits[target as usize] = Visit::Open;
                        stack.push((target, self.starts[target as usize]));
                    }
                    Visit::Open => closes_cycle[index] = true,
                    Visit::Done => {}
                }
            }
        }
        (order, closes_cycle)
    }

    /// Returns for each context whether a handle outside the root keeps it alive, directly or
    /// through another context.
    pub(super) fn externally_held(&self) -> Vec<bool> {
        let mut externally_held = vec![false; self.contexts.len()];
        let mut stack: Vec<u32> = Vec::new();
        for (index, context) in self.contexts.iter().enumerate() {
            if self.handles[index] < u64::from(context.strong) {
                externally_held[index] = true;
                stack.push(index as u32);
            }
        }
        while let Some(context) = stack.pop() {
            for &target in self.targets(context as usize) {
                if !core::mem::replace(&mut externally_held[target as usize], true) {
                    stack.push(target);
                }
            }
        }
        externally_held
    }
}
