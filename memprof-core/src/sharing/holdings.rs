//! The graph of shared pieces: copies, cycles, and pieces held from outside the root.

use super::Piece;

/// The graph of pieces, whose edges are the handles inside pieces.
pub(super) struct Holdings<'s> {
    pieces: &'s [Piece],
    root_handles: Vec<u64>,
    /// The targets of each piece's handles, in one list. Those of piece `i` are from `starts[i]` to
    /// `starts[i + 1]`.
    targets: Vec<u32>,
    starts: Vec<u32>,
    /// The number of handles met to each piece.
    pub(super) seen: Vec<u64>,
}

impl<'s> Holdings<'s> {
    /// Builds the graph of `pieces` from the number of handles to each from the root, and the
    /// handles among them.
    pub(super) fn new(pieces: &'s [Piece], root_handles: Vec<u64>, edges: &[(u32, u32)]) -> Self {
        let mut seen = root_handles.clone();
        let mut starts = vec![0_u32; pieces.len() + 1];
        for &(from, to) in edges {
            starts[from as usize] += 1;
            seen[to as usize - 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // `starts[i]` is now the end of the targets of piece `i`, counted from 0. So this loop
        // fills backwards.
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
        Self { pieces, root_handles, targets, starts, seen }
    }

    fn targets(&self, piece: usize) -> &[u32] {
        &self.targets[self.starts[piece] as usize..self.starts[piece + 1] as usize]
    }

    /// Returns the number of copies of each piece if every handle had its own copy.
    pub(super) fn copies(&self) -> Vec<u64> {
        let (order, closes_cycle) = self.post_order();
        let mut copies = self.root_handles.clone();
        for &piece in order.iter().rev() {
            let own = copies[piece as usize];
            let range =
                self.starts[piece as usize] as usize..self.starts[piece as usize + 1] as usize;
            for edge in range.filter(|&edge| !closes_cycle[edge]) {
                let target = &mut copies[self.targets[edge] as usize];
                *target = target.saturating_add(own);
            }
        }
        copies
    }

    /// Returns the pieces in depth-first post-order, and for each edge whether it closes a cycle.
    /// In the reversed order, every holder precedes what it holds.
    ///
    /// The search does not recurse, because real programs have chains of a million shared nodes.
    fn post_order(&self) -> (Vec<u32>, Vec<bool>) {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            New,
            Open,
            Done,
        }
        let mut visits = vec![Visit::New; self.pieces.len()];
        let mut closes_cycle = vec![false; self.targets.len()];
        let mut order = Vec::with_capacity(self.pieces.len());
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for start in 0..self.pieces.len() as u32 {
            if visits[start as usize] != Visit::New {
                continue;
            }
            visits[start as usize] = Visit::Open;
            stack.push((start, self.starts[start as usize]));
            while let Some((piece, edge)) = stack.last_mut() {
                if *edge == self.starts[*piece as usize + 1] {
                    visits[*piece as usize] = Visit::Done;
                    order.push(*piece);
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

    /// Returns for each piece whether a handle outside the root keeps it alive, directly or through
    /// another piece.
    pub(super) fn outside(&self) -> Vec<bool> {
        let mut outside = vec![false; self.pieces.len()];
        let mut stack: Vec<u32> = Vec::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            if self.seen[index] < u64::from(piece.strong) {
                outside[index] = true;
                stack.push(index as u32);
            }
        }
        while let Some(piece) = stack.pop() {
            for &target in self.targets(piece as usize) {
                if !core::mem::replace(&mut outside[target as usize], true) {
                    stack.push(target);
                }
            }
        }
        outside
    }
}
