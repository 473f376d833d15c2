//! The parts of shared contexts that a draw of a sampled walk counts.

use super::{Context, Kind};

/// The graph of contexts, whose edges are the handles inside contexts.
pub(super) struct OwnershipGraph<'s> {
    pub(super) contexts: &'s [Context],
    /// The targets of each context's handles, in one list. The targets of context `i` are from
    /// `starts[i]` to `starts[i + 1]`.
    targets: Vec<u32>,
    starts: Vec<u32>,
}

impl<'s> OwnershipGraph<'s> {
    /// Builds the graph of `contexts` from the handles between contexts.
    pub(super) fn new(contexts: &'s [Context], edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0_u32; contexts.len() + 1];
        for &(from, _) in edges {
            starts[from as usize] += 1;
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
        Self { contexts, targets, starts }
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
                parts[target] += match self.contexts[target].kind {
                    Kind::Shared { strong } => own * factors_of_targets[edge] / f64::from(strong),
                    // Such a value is a part of the context that contains it.
                    Kind::Value { .. } | Kind::Target => own,
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
}
