//! A session as a Perfetto trace (`.pftrace`): a row of calls for each thread, and curves of bytes.
//!
//! Two programs open the file: <https://ui.perfetto.dev>, which does not upload it, and Perfetto's
//! `trace_processor`, which answers SQL. The trace contains:
//! - a slice for each recorded call of an operation. The slice has the live bytes before and after
//!   the call, and its net bytes;
//! - a counter from snapshots for the live heap, the resident memory, each root, the bytes of
//!   roots on each device, each source, and each gauge;
//! - a mark for each checkpoint, each snapshot that a peak caused, and each out-of-memory moment.
//!
//! The trace does not contain the trees of snapshots: Perfetto cannot draw a tree of bytes from a
//! program's own events.

mod trace;

use super::ExportError;
use crate::known::{device_bytes, root_bytes};
use crate::lanes::{Call, end_ns, in_order, packed};
use memprof_recording::Recording;
use memprof_recording::document::{OperationEvent, Snapshot, SourceReading, Trigger};
use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use trace::{Curve, Figure, Kind, OPERATION, Trace, TrackEvent};

/// Writes a recording as a trace for Perfetto.
///
/// Times are nanoseconds since the session began. Unknown values have no sample, so a curve keeps
/// its last value until the next known one.
///
/// # Errors
/// Returns an error if writing fails, or if the data of a source is not a profile.
///
/// # Example
/// ```no_run
/// use std::fs::File;
///
/// let recording = memprof::session::Recording::read_file("session.json")?;
/// memprof::export::perfetto::write(&recording, File::create("session.pftrace")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Packets are written one by one. Sorting the calls into rows takes 64 bytes of memory per call.
/// Each call takes about 70 bytes in the file.
pub fn write(recording: &Recording, out: impl Write) -> Result<(), ExportError> {
    let mut trace = Trace::begin(BufWriter::new(out), recording)?;
    write_moments(&mut trace, recording)?;
    write_curves(&mut trace, recording)?;
    write_calls(&mut trace, recording)?;
    Ok(trace.end()?)
}

fn write_moments(trace: &mut Trace<'_, impl Write>, recording: &Recording) -> io::Result<()> {
    for snapshot in &recording.snapshots {
        let name = match (snapshot.name.as_deref(), snapshot.trigger) {
            (Some(name), _) => name,
            (None, Trigger::Peak) => "peak",
            (None, _) => continue,
        };
        let live = snapshot.heap.map(|heap| Figure::Live.is(heap.live_bytes));
        let event = TrackEvent {
            name: Some(name.to_owned()),
            annotations: live.into_iter().collect(),
            ..TrackEvent::new(Kind::Instant, trace.moments()?)
        };
        trace.event(snapshot.at_ns, event)?;
    }
    for moment in &recording.out_of_memory {
        let requested = i64::try_from(moment.requested_bytes).unwrap_or(i64::MAX);
        let live = moment.heap.map(|heap| Figure::Live.is(heap.live_bytes));
        let event = TrackEvent {
            name: Some("out of memory".to_owned()),
            annotations: [Figure::Requested.is(requested)].into_iter().chain(live).collect(),
            ..TrackEvent::new(Kind::Instant, trace.moments()?)
        };
        trace.event(moment.at_ns, event)?;
    }
    Ok(())
}

/// Writes curves from snapshots: one counter for each name that has bytes.
fn write_curves<'r>(
    trace: &mut Trace<'r, impl Write>,
    recording: &'r Recording,
) -> Result<(), ExportError> {
    let mut snapshots: Vec<&Snapshot> = recording.snapshots.iter().collect();
    // Skipping unchanged values needs chronological order, and the clock may have been set back.
    snapshots.sort_by_key(|snapshot| snapshot.at_ns);
    let mut last: HashMap<u64, i64> = HashMap::new();
    for snapshot in snapshots {
        for (curve, value) in readings(snapshot)? {
            let Some(value) = value else { continue };
            let counter = trace.curve(curve)?;
            if last.insert(counter, value) != Some(value) {
                let event = TrackEvent::new(Kind::Counter, counter);
                let event = TrackEvent { counter_value: Some(value), ..event };
                trace.event(snapshot.at_ns, event)?;
            }
        }
    }
    Ok(())
}

/// A curve with its value; `None` if the value is not known.
type Reading<'n> = (Curve<'n>, Option<i64>);

fn readings(snapshot: &Snapshot) -> Result<Vec<Reading<'_>>, ExportError> {
    let mut readings = vec![
        (Curve::Heap, snapshot.heap.map(|heap| heap.live_bytes)),
        (Curve::Resident, snapshot.process.rss_bytes.map(signed)),
    ];
    readings.extend(
        device_bytes(snapshot).map(|(name, bytes)| (Curve::Device(name), bytes.map(signed))),
    );
    let roots = snapshot.roots.iter();
    readings.extend(roots.map(|root| (Curve::Root(&root.name), root_bytes(root).map(signed))));
    for source in &snapshot.sources {
        readings.push((Curve::Source(&source.name), total(snapshot, source)?));
        readings.extend(source.gauges.iter().map(|gauge| {
            let curve = Curve::Figure(&source.name, &gauge.name, &gauge.unit);
            (curve, gauge.value.map(signed))
        }));
    }
    Ok(readings)
}

/// Returns all bytes of a source, or `None` if it could not be read.
fn total(snapshot: &Snapshot, source: &SourceReading) -> Result<Option<i64>, ExportError> {
    let Some(profile) = source.profile() else { return Ok(None) };
    let wrong = |error| ExportError::profile(&source.name, snapshot.number, error);
    Ok(Some(signed(profile.map_err(wrong)?.total_bytes())))
}

/// Perfetto's signed counters can hold the bytes of any machine.
fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn write_calls(trace: &mut Trace<'_, impl Write>, recording: &Recording) -> io::Result<()> {
    let numbers = (1..).zip(&recording.operation_paths);
    let numbers: HashMap<u32, u64> = numbers.map(|(number, path)| (path.path, number)).collect();
    let calls = &recording.operation_events;
    for nest in nests(recording) {
        let row = trace.row(recording.thread_label(nest.thread))?;
        for edge in nest.edges {
            let at = match edge {
                Edge::Begin(at) => at,
                Edge::End(at) => {
                    trace.event(end_ns(&calls[at]), TrackEvent::new(Kind::End, row))?;
                    continue;
                }
            };
            let call = &calls[at];
            let number = numbers.get(&call.path).copied();
            let event = TrackEvent {
                categories: vec![OPERATION],
                name_number: number,
                name: number.is_none().then(|| format!("unknown operation {}", call.path)),
                annotations: [
                    Some(Figure::Delta.is(call.net_bytes)),
                    Some(Figure::Before.is(call.before_bytes)),
                    Some(Figure::After.is(call.after_bytes)),
                    call.tensor_net_bytes.map(|bytes| Figure::TensorDelta.is(bytes)),
                    number.map(|number| Figure::Path.text(number)),
                ]
                .into_iter()
                .flatten()
                .collect(),
                ..TrackEvent::new(Kind::Begin, row)
            };
            trace.event(call.start_ns, event)?;
        }
    }
    Ok(())
}

/// The maximum number of a thread's rows that hold nested calls. Each further row holds one call at
/// a time. Further rows are needed only if more futures than this number run at once in one thread.
const MAX_NESTED_ROWS: usize = 32;

/// Calls in a row are nested: each ends no later than the call that contains it.
#[derive(Debug)]
struct Nest {
    thread: u32,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Begin(usize),
    End(usize),
}

/// Returns the rows of all threads, sorted by thread and then by row.
///
/// A call is nested in another call only if its path is directly below the path of the other call.
/// A future that ended while an unrelated call ran is not part of that call.
fn nests(recording: &Recording) -> Vec<Nest> {
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
