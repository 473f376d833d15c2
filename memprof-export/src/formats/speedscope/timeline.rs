//! Rows of calls in nanoseconds.

use super::document::{Document, Event, Frame};
use crate::lanes::end_ns;
use crate::nesting::{Edge, Nest, nests};
use memprof_recording::Recording;
use memprof_recording::document::OperationPath;
use std::collections::HashMap;
use std::io::{self, Write};

/// Writes a profile for each row of each thread, because speedscope cannot draw calls that overlap.
pub(super) fn write(document: &mut Document<impl Write>, recording: &Recording) -> io::Result<()> {
    let paths = recording.operation_paths.iter().map(|path| (path.path, path));
    let paths: HashMap<u32, &OperationPath> = paths.collect();
    let mut frames: HashMap<u32, usize> = HashMap::new();
    let calls = &recording.operation_events;
    for call in calls {
        frames.entry(call.path).or_insert_with(|| match paths.get(&call.path) {
            Some(path) => document.frame(frame(path)),
            None => document.frame(Frame::named(&format!("unknown operation {}", call.path))),
        });
    }
    for nest in nests(recording) {
        let events = nest.edges.iter().map(|edge| match *edge {
            Edge::Begin(at) => {
                Event { opens: true, frame: frames[&calls[at].path], at: calls[at].start_ns }
            }
            Edge::End(at) => {
                Event { opens: false, frame: frames[&calls[at].path], at: end_ns(&calls[at]) }
            }
        });
        let first = events.clone().next().map_or(0, |event| event.at);
        let last = events.clone().next_back().map_or(first, |event| event.at);
        document.events(&title(&nest, recording), (first, last), events)?;
    }
    Ok(())
}

fn frame(path: &OperationPath) -> Frame<'_> {
    let has_location = !path.file.is_empty();
    Frame {
        name: path.names.last().map_or("unnamed operation", |name| name),
        file: has_location.then_some(&path.file),
        line: has_location.then_some(path.line),
    }
}

fn title(nest: &Nest, recording: &Recording) -> String {
    let thread = recording.thread_label(nest.thread);
    match nest.row {
        0 => format!("operations of {thread}"),
        row => format!("operations of {thread}, row {}", row + 1),
    }
}
