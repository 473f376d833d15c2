//! Rows of calls, in nanoseconds.

use super::document::{Document, Event, Frame};
use crate::lanes::{Lane, end_ns, lanes};
use memprof_session::Recording;
use memprof_session::document::OperationPath;
use std::collections::HashMap;
use std::io::{self, Write};

/// A profile for each row of each thread, as speedscope draws no calls that overlap.
pub(super) fn write(document: &mut Document<impl Write>, recording: &Recording) -> io::Result<()> {
    let paths = recording.operation_paths.iter().map(|path| (path.path, path));
    let paths: HashMap<u32, &OperationPath> = paths.collect();
    let mut frames: HashMap<u32, usize> = HashMap::new();
    let calls = &recording.operation_events;
    for lane in lanes(calls) {
        let at = |index: &usize| &calls[*index];
        for call in lane.calls.iter().map(at) {
            frames.entry(call.path).or_insert_with(|| match paths.get(&call.path) {
                Some(path) => document.frame(frame(path)),
                None => document.frame(Frame::named(&format!("unknown operation {}", call.path))),
            });
        }
        let first = lane.calls.first().map_or(0, |first| at(first).start_ns);
        let last = lane.calls.last().map_or(first, |last| end_ns(at(last)));
        let events = lane.calls.iter().map(at).flat_map(|call| {
            let frame = frames[&call.path];
            let event = |opens, at| Event { opens, frame, at };
            [event(true, call.start_ns), event(false, end_ns(call))]
        });
        document.events(&title(&lane), (first, last), events)?;
    }
    Ok(())
}

fn frame(path: &OperationPath) -> Frame<'_> {
    let known = !path.file.is_empty();
    Frame {
        name: path.names.last().map_or("unnamed operation", |name| name),
        file: known.then_some(&path.file),
        line: known.then_some(path.line),
    }
}

fn title(lane: &Lane) -> String {
    match lane.row {
        0 => format!("operations of thread {}", lane.thread),
        row => format!("operations of thread {}, row {}", lane.thread, row + 1),
    }
}
