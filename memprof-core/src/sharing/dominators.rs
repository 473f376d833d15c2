//! Dominators of a graph: the vertices without which another cannot be reached.
//!
//! This is the algorithm of Lengauer and Tarjan, *A Fast Algorithm for Finding Dominators in a
//! Flowgraph*, with their simple form of linking: its time grows with the edges times the logarithm
//! of the vertices. The shorter one of Cooper, Harvey and Kennedy walked up the whole chain of
//! dominators for each vertex. For a list of 64,000 shared nodes, each with an item that something
//! else holds too, it took 39 s.

use super::Targets;
use crate::list::{List, Number};
use core::mem::take;

/// When a depth-first search came to a vertex. It comes to a vertex after all its dominators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Visit(u32);

impl Number for Visit {
    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

type PerVisit<T> = List<T, Visit>;

/// The order in which a depth-first search comes to the vertices.
struct Search<V> {
    vertices: PerVisit<V>,
    /// The vertex from which the search came.
    parents: PerVisit<Visit>,
    visits: List<Option<Visit>, V>,
}

impl<V: Number> Search<V> {
    fn new(vertices: usize, targets: &Targets<V, V>) -> Self {
        let mut search = Self {
            vertices: List::default(),
            parents: List::default(),
            visits: vec![None; vertices].into(),
        };
        let first = search.visit(V::at(0), Visit(0));
        let mut open = vec![(first, 0)];
        while let Some((parent, next)) = open.last_mut() {
            let Some(&target) = targets.of(search.vertices[*parent]).get(*next) else {
                open.pop();
                continue;
            };
            *next += 1;
            if search.visits[target].is_none() {
                let visit = search.visit(target, *parent);
                open.push((visit, 0));
            }
        }
        search
    }

    fn visit(&mut self, vertex: V, parent: Visit) -> Visit {
        self.parents.push(parent);
        let visit = self.vertices.push(vertex);
        self.visits[vertex] = Some(visit);
        visit
    }
}

/// The part of the tree of the search whose vertices have their semidominators: the first vertex
/// from which a path leads to the vertex through later ones only.
struct Linked {
    semidominators: PerVisit<Visit>,
    /// A vertex above in this part, and the vertex with the first semidominator on the way there.
    above: PerVisit<Option<Visit>>,
    best: PerVisit<Visit>,
    path: Vec<Visit>,
}

impl Linked {
    fn new(visits: usize) -> Self {
        let own: PerVisit<Visit> = (0..visits).map(Visit::at).collect();
        Self {
            semidominators: own.clone(),
            above: vec![None; visits].into(),
            best: own,
            path: Vec::new(),
        }
    }

    /// Returns the vertex with the first semidominator among a vertex and those above it, without
    /// the top of this part. The next call takes a shorter way.
    fn best(&mut self, visit: Visit) -> Visit {
        let mut path = take(&mut self.path);
        let mut at = visit;
        while let Some(above) = self.above[at].filter(|&above| self.above[above].is_some()) {
            path.push(at);
            at = above;
        }
        for below in path.drain(..).rev() {
            let Some(above) = self.above[below] else { continue };
            let [best, own] = [self.best[above], self.best[below]];
            if self.semidominators[best] < self.semidominators[own] {
                self.best[below] = best;
            }
            self.above[below] = self.above[above];
        }
        self.path = path;
        self.best[visit]
    }
}

/// Returns the immediate dominator of each vertex: the last other vertex on every path from the first
/// vertex. For a vertex to which no path leads, that is the first vertex. Also returns the vertices
/// to which paths lead, each after those that it dominates.
pub(super) fn dominators<V: Number>(vertices: usize, edges: &[(V, V)]) -> (List<V, V>, Vec<V>) {
    let targets = Targets::new(vertices, edges.iter().copied());
    let sources = Targets::new(vertices, edges.iter().map(|&(from, to)| (to, from)));
    let search = Search::new(vertices, &targets);
    let visits = search.vertices.len();
    let mut linked = Linked::new(visits);
    let mut dominators: PerVisit<Visit> = vec![Visit(0); visits].into();
    // The vertices with a semidominator, as linked lists.
    let mut first_of: PerVisit<Option<Visit>> = vec![None; visits].into();
    let mut next_of = first_of.clone();
    for visit in search.vertices.numbers().skip(1).rev() {
        for &source in sources.of(search.vertices[visit]) {
            let Some(source) = search.visits[source] else { continue };
            let best = linked.best(source);
            let semidominator = linked.semidominators[best];
            let known = &mut linked.semidominators[visit];
            *known = semidominator.min(*known);
        }
        let semidominator = linked.semidominators[visit];
        next_of[visit] = first_of[semidominator].replace(visit);
        let parent = search.parents[visit];
        linked.above[visit] = Some(parent);
        let mut next = first_of[parent].take();
        while let Some(below) = next {
            next = next_of[below];
            let best = linked.best(below);
            let is_parent = linked.semidominators[best] == linked.semidominators[below];
            dominators[below] = if is_parent { parent } else { best };
        }
    }
    let mut above: List<V, V> = vec![V::at(0); vertices].into();
    for visit in search.vertices.numbers().skip(1) {
        if dominators[visit] != linked.semidominators[visit] {
            dominators[visit] = dominators[dominators[visit]];
        }
        above[search.vertices[visit]] = search.vertices[dominators[visit]];
    }
    (above, search.vertices.0.into_iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::dominators;
    use crate::list::{Id, List, Number};

    type Vertex = Id<()>;
    type Edge = (Vertex, Vertex);

    fn first() -> Vertex {
        Vertex::at(0)
    }

    /// Returns whether edges lead from the first vertex to `target` without passing `avoided`.
    fn reaches(vertices: usize, edges: &[Edge], target: Vertex, avoided: Vertex) -> bool {
        let mut is_met = List::<bool, Vertex>::from(vec![false; vertices]);
        let mut open = vec![first()];
        while let Some(vertex) = open.pop() {
            if vertex != avoided && !core::mem::replace(&mut is_met[vertex], true) {
                open.extend(edges.iter().filter(|edge| edge.0 == vertex).map(|edge| edge.1));
            }
        }
        is_met[target]
    }

    /// A chain, each vertex of which leads to an item to which the first vertex leads, too.
    #[test]
    fn the_time_of_a_long_chain_with_ways_around_it_is_bounded() {
        const LENGTH: usize = 100_000;
        let item = |vertex: usize| Vertex::at(vertex + LENGTH);
        let chain = (1..LENGTH).map(|vertex| (Vertex::at(vertex - 1), Vertex::at(vertex)));
        let items = (1..LENGTH)
            .flat_map(|vertex| [(Vertex::at(vertex), item(vertex)), (first(), item(vertex))]);
        let edges: Vec<Edge> = chain.chain(items).collect();
        let begun = std::time::Instant::now();
        let (above, _) = dominators(2 * LENGTH, &edges);
        assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
        assert!((1..LENGTH).all(|vertex| above[item(vertex)] == first()));
        assert_eq!(above[Vertex::at(LENGTH - 1)], Vertex::at(LENGTH - 2));
    }

    #[test]
    fn the_immediate_dominator_is_the_last_vertex_on_all_paths() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            Vertex::at((state >> 33) as usize % bound)
        };
        for _ in 0..500 {
            let vertices = 2 + below(9).index();
            // Each vertex has an edge from a smaller one, so all can be reached.
            let mut edges: Vec<Edge> =
                (1..vertices).map(|vertex| (below(vertex), Vertex::at(vertex))).collect();
            edges.extend((0..below(12).index()).map(|_| (below(vertices), below(vertices))));
            let (above, order) = dominators(vertices, &edges);
            assert_eq!(order.len(), vertices);
            let others: Vec<Vertex> = (1..vertices).map(Vertex::at).collect();
            for &vertex in &others {
                let dominates = |other: &Vertex| !reaches(vertices, &edges, vertex, *other);
                let all: Vec<Vertex> = others.iter().copied().filter(dominates).collect();
                let mut chain = vec![vertex];
                while *chain.last().unwrap() != first() {
                    chain.push(above[*chain.last().unwrap()]);
                }
                chain.pop();
                chain.sort_unstable_by_key(|vertex| vertex.index());
                assert_eq!(chain, all, "{vertex:?} in {edges:?}");
            }
        }
    }
}
