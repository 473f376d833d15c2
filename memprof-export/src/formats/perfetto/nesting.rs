//! Rows of nested calls, for formats that draw call stacks.

use crate::lanes::{Call, in_order, packed};
use memprof_recording::Recording;
use memprof_recording::document::OperationEvent;
use std::collections::HashMap;

/// The maximum number of a thread's rows that hold nested calls. Each further row holds one call at
/// a time. Further rows are needed only if more futures than this number run at once in one thread.
const MAX_NESTED_ROWS: usize = 32;

/// Calls in a row are nested: each ends no later than the call that contains it.
#[derive(Debug)]
pub(crate) struct Nest {
    pub(crate) thread: u32,
    pub(crate) edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Begin(usize),
    End(usize),
}

/// Returns the rows of all threads, sorted by thread and then by row.
///
/// A call is nested in another call only if its path is directly below the path of the other call.
/// A future that ended while an unrelated call ran is not part of that call.
pub(crate) fn nests(recording: &Recording) -> Vec<Nest> {
    let paths = recording.operation_paths.iter();
    let parents: HashMap<u32, u32> =
        paths.filter_map(|path| Some((path.path, path.parent?))).collect();
    let calls = &recording.operation_events;
    // The recording does not show whether calls of the same path are nested or concurrent.
    let is_child_of = |inner: &OperationEvent, outer: &OperationEvent| {
        inner.path != outer.path && parents.get(&inner.path) == Some(&outer.path)
    };
    let in_order = in_order(calls);
    let threads = in_order.chunk_by(|one, next| one.thread == next.thread);
    let nests = threads.flat_map(|thread| {
        let mut rows: Vec<Row> = Vec::new();
        let mut overflow = Vec::new();
        for call in thread {
            for row in &mut rows {
                row.end_until(call.start);
            }
            let is_within = |row: &Row| {
                row.open.last().is_some_and(|outer| {
                    outer.end.0 >= call.end.0 && is_child_of(&calls[call.at.0], &calls[outer.at.0])
                })
            };
            let is_free = |row: &Row| row.open.is_empty();
            let row = rows.iter().position(is_within).or_else(|| rows.iter().position(is_free));
            match row {
                Some(row) => rows[row].begin(*call),
                None if rows.len() < MAX_NESTED_ROWS => rows.push(Row::of(*call)),
                None => overflow.push(*call),
            }
        }
        for row in &mut rows {
            row.end_until(u64::MAX);
        }
        let overflow_edges = packed(&overflow).into_iter().map(|calls| {
            calls.into_iter().flat_map(|at| [Edge::Begin(at), Edge::End(at)]).collect()
        });
        let edges = rows.into_iter().map(|row| row.edges).chain(overflow_edges);
        let thread = thread[0].thread;
        edges.map(move |edges| Nest { thread, edges }).collect::<Vec<_>>()
    });
    nests.collect()
}

#[derive(Debug, Default)]
struct Row {
    edges: Vec<Edge>,
    /// The calls that have not ended, with the outermost first.
    open: Vec<Call>,
}

impl Row {
    fn of(call: Call) -> Self {
        let mut row = Self::default();
        row.begin(call);
        row
    }

    fn begin(&mut self, call: Call) {
        self.edges.push(Edge::Begin(call.at.0));
        self.open.push(call);
    }

    /// Ends all calls that end by this time.
    fn end_until(&mut self, time: u64) {
        while let Some(call) = self.open.pop_if(|call| call.end.0 <= time) {
            self.edges.push(Edge::End(call.at.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, MAX_NESTED_ROWS, nests};
    use memprof_recording::Recording;

    fn rows(calls: &[(u32, u64, u64)]) -> Vec<String> {
        let rows =
            calls.iter().map(|(path, start, end)| format!("[{path},1,{start},{end},0,0,0,null]"));
        let rows: Vec<String> = rows.collect();
        let text = format!(
            r#"{{"format":"memprof timeline","version":1,"metadata":{{"program":"app","pid":7,"memprof":"0.1.0","platform":"linux x86_64","started_unix_ns":5,"generated_at":"1970-01-01T00:00:00Z","generated_ns":9,"interval_ns":5,"snapshots":1,"operations_tracked":true,"ended":"running"}}}}
            {{"operation_paths":[{{"path":1,"names":["a"],"parent":null,"file":"","line":0}},{{"path":2,"names":["a","b"],"parent":1,"file":"","line":0}},{{"path":3,"names":["a","b","c"],"parent":2,"file":"","line":0}},{{"path":4,"names":["d"],"parent":null,"file":"","line":0}}]}}
            {{"operation_events":[{}]}}"#,
            rows.join(",")
        );
        let recording = Recording::from_text(&text).expect("it is a recording");
        assert_eq!(recording.unreadable_lines, 0);
        let path = |at: usize| recording.operation_events[at].path;
        let edge = |edge: &Edge| match *edge {
            Edge::Begin(at) => format!("({}", path(at)),
            Edge::End(_) => ")".to_owned(),
        };
        nests(&recording).iter().map(|nest| nest.edges.iter().map(edge).collect()).collect()
    }

    #[test]
    fn calls_are_nested_in_their_parents() {
        let calls = [(3, 2, 3), (3, 3, 4), (2, 2, 5), (2, 6, 7), (1, 1, 9), (4, 9, 10)];
        assert_eq!(rows(&calls), ["(1(2(3)(3))(2))(4)"]);
    }

    #[test]
    fn unrelated_concurrent_calls_have_their_own_rows() {
        assert_eq!(rows(&[(4, 2, 3), (1, 1, 9), (2, 4, 5)]), ["(1(2))", "(4)"]);
        // Path 2 is a future: it ended after the call in which it began.
        assert_eq!(rows(&[(1, 1, 5), (2, 2, 7), (3, 3, 6)]), ["(1)", "(2(3))"]);
    }

    #[test]
    fn calls_of_one_operation_are_never_nested() {
        assert_eq!(rows(&[(4, 2, 3), (4, 1, 4)]), ["(4)", "(4)"]);
    }

    #[test]
    fn calls_without_duration_end_at_their_start() {
        assert_eq!(rows(&[(2, 1, 1), (1, 1, 4), (2, 4, 4), (4, 9, 5)]), ["(1(2))(2)(4)"]);
    }

    #[test]
    fn each_call_begins_and_ends_once_in_many_rows() {
        let count = MAX_NESTED_ROWS as u64 * 3;
        let calls: Vec<_> = (0..count).map(|at| (4, at, 1000 + at % 7 * 100 + at)).collect();
        let rows = rows(&calls);
        assert!(rows.len() > MAX_NESTED_ROWS, "{rows:?}");
        let text = rows.concat();
        assert_eq!(text.matches('(').count(), calls.len());
        assert_eq!(text.matches(')').count(), calls.len());
    }
}
