//! The allocator's results in the form of the files.

use crate::framework::{self, InputShapes};
use crate::time::nanoseconds;
use memprof_heap::site::{Frame, LiveBlock, OperationLive};
use memprof_recording::document::{
    Block, Doubt, Estimate, FrameworkRow, HeldBy, Known, Leak, LeakVerdict, LeakWatch, Lifetime,
    Module, OperationEvent, OperationPath, OperationRow, Place, Site, ThreadName,
    UnexplainedOperation, WallTime,
};
use memprof_recording::loaded_modules;
use std::collections::BTreeSet;
use std::time::Duration;

/// Converts an estimate. With few samples, the margin also covers allocations of which no sample
/// was taken. More than two digits after the point would only make the file larger.
pub(super) fn estimate(estimate: memprof_heap::site::Estimate) -> Estimate {
    let rounded = |amount: f64| (amount * 100.0).round() / 100.0;
    Estimate::new(rounded(estimate.value), rounded(estimate.margin() / 1.96), estimate.samples)
}

fn lifetime(lifetimes: memprof_heap::site::Lifetimes) -> Option<Lifetime> {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let error = lifetimes.standard_error().map(milliseconds);
    Some(Lifetime::new(milliseconds(lifetimes.mean()?), error, lifetimes.samples()))
}

pub(super) fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

pub(super) fn path(path: &memprof_heap::operation::OperationPath) -> OperationPath {
    OperationPath {
        path: path.id.number(),
        names: owned(&path.names),
        parent: path.parent.map(memprof_heap::operation::PathId::number),
        file: path.file.to_owned(),
        line: path.line,
    }
}

pub(super) fn event(event: &memprof_heap::event::OperationEvent, began: u64) -> OperationEvent {
    OperationEvent {
        path: event.path.number(),
        thread: event.thread,
        start_ns: event.start_ns.saturating_sub(began),
        end_ns: event.end_ns.saturating_sub(began),
        net_bytes: event.net_bytes,
        before_bytes: event.live_before,
        after_bytes: event.live_after,
        tensor_net_bytes: event.tensor_net_bytes,
    }
}

pub(super) fn thread_name(thread: memprof_heap::event::ThreadName) -> ThreadName {
    ThreadName { thread: thread.thread, name: thread.name }
}

pub(super) fn operation(operation: &memprof_heap::operation::Operation) -> OperationRow {
    // Without calls the figures are unknown.
    let known = |bytes: i64| (operation.calls > 0).then_some(bytes);
    OperationRow {
        path: owned(&operation.path),
        file: operation.file.to_owned(),
        line: operation.line,
        calls: operation.calls,
        allocated_bytes: operation.allocated_bytes,
        allocated_blocks: operation.allocated_blocks,
        freed_bytes: operation.freed_bytes,
        freed_blocks: operation.freed_blocks,
        own_allocated_bytes: operation.own_allocated_bytes,
        net_bytes: operation.net_bytes(),
        average_net_bytes: operation.average_net_bytes(),
        max_net_bytes: known(operation.max_net_bytes),
        peak_bytes: operation.peak,
        before_bytes: known(operation.live_before),
        after_bytes: known(operation.live_after),
        wall_time: operation.wall_time.map(|time| WallTime {
            calls: time.calls,
            total_ns: nanoseconds(time.total),
            longest_ns: nanoseconds(time.longest),
        }),
        retained: operation.retained.map(estimate),
        retained_blocks: operation.retained_blocks.map(estimate),
    }
}

pub(super) fn framework(row: &framework::FrameworkRow) -> FrameworkRow {
    let time = |known: framework::Known<Duration>| Known {
        calls: known.calls,
        total: nanoseconds(known.total).try_into().unwrap_or(i64::MAX),
        max: nanoseconds(known.max).try_into().unwrap_or(i64::MAX),
    };
    let bytes = |known: framework::Known<i64>| Known {
        calls: known.calls,
        total: known.total,
        max: known.max,
    };
    let figures = &row.figures;
    FrameworkRow {
        name: row.name.clone(),
        calls: figures.calls,
        cpu_ns: figures.cpu_time.map(time),
        device_ns: figures.device_time.map(time),
        cpu_bytes: figures.cpu_bytes.map(bytes),
        device_bytes: figures.device_bytes.map(bytes),
        shapes: match &row.shapes {
            InputShapes::Known(shapes) => Some(shapes.clone()),
            _ => None,
        },
    }
}

pub(super) fn place(frame: Option<&Frame>) -> Place {
    let text = |text: &Option<std::sync::Arc<str>>| text.as_deref().map(str::to_owned);
    frame.map_or_else(Place::default, |frame| Place {
        function: text(&frame.function),
        file: text(&frame.file),
        line: frame.line,
        // The frame of call sites without a stack has no address.
        address: (frame.address != 0).then_some(frame.address as u64),
    })
}

pub(super) fn modules(addresses: &BTreeSet<u64>) -> Vec<Module> {
    let mut modules = loaded_modules(memprof_heap::__private::delay_forks);
    modules.retain(|module| {
        let mut ranges = module.ranges.iter();
        ranges.any(|[start, end]| addresses.range(*start..(*end).max(*start)).next().is_some())
    });
    modules
}

/// Without names, the place has only the innermost address.
fn place_of(location: Option<&Frame>, frames: &[Frame]) -> Place {
    // The frame that stands for a cut has no address.
    let is_unnamed = frames.iter().all(|frame| frame.function.is_none() || frame.address == 0);
    place(location.or_else(|| frames.first().filter(|_| is_unnamed)))
}

fn stack(frames: &[Frame]) -> Vec<Place> {
    // On some systems, the outermost return address is 0.
    let is_end = |frame: &&Frame| frame.address == 0 && frame.function.is_none();
    frames.iter().filter(|frame| !is_end(frame)).map(|frame| place(Some(frame))).collect()
}

pub(super) fn site(site: &memprof_heap::site::Site) -> Site {
    Site {
        place: place_of(site.location.as_ref(), site.stacks.first().map_or(&[], |way| &way.frames)),
        live: estimate(site.live),
        live_blocks: estimate(site.live_blocks),
        allocated: Some(estimate(site.allocated)),
        lifetime: lifetime(site.lifetimes),
        stack: site.stacks.first().map_or_else(Vec::new, |way| stack(&way.frames)),
        stack_number: None,
    }
}

pub(super) fn unexplained(live: &OperationLive) -> UnexplainedOperation {
    UnexplainedOperation {
        operation: owned(&live.names),
        live: estimate(live.bytes),
        live_blocks: estimate(live.blocks),
    }
}

pub(super) fn block(block: &LiveBlock) -> Block {
    Block {
        bytes: block.bytes,
        age_ns: nanoseconds(block.age),
        operation: owned(&block.operation),
        place: place_of(block.location(), &block.frames),
        stack: stack(&block.frames),
        stack_number: None,
    }
}

pub(super) fn leak(leak: &memprof_heap::leak::Leak, held_by: Vec<HeldBy>) -> Leak {
    let all = stack(&leak.stack);
    let shared =
        leak.shared_frames.map(|frames| stack(&leak.stack[..frames.min(leak.stack.len())]));
    Leak {
        held_by,
        place: place_of(leak.location.as_ref(), &leak.stack),
        operation: owned(&leak.operation),
        bytes_per_second: leak.growth.per_second,
        bytes_per_call: leak.bytes_per_call,
        bytes_per_second_interval: leak.growth.interval.into(),
        live: estimate(leak.live),
        live_blocks: estimate(leak.live_blocks),
        different_callers: shared.map(|shared| all.len() - shared.len()),
        stack: all,
        stack_number: None,
        stacks: Vec::new(),
        freed_at_end: false,
        allocated_type: None,
        doubt: leak.doubt.map(|doubt| match doubt {
            memprof_heap::leak::Doubt::FewSamples => Doubt::FewSamples,
            memprof_heap::leak::Doubt::ShortLived => Doubt::ShortLived,
            memprof_heap::leak::Doubt::Replaced => Doubt::Replaced,
            _ => Doubt::Unsteady,
        }),
    }
}

pub(super) fn leak_watch(leaks: &memprof_heap::leak::Leaks) -> LeakWatch {
    let finite = |bytes: f64| Some(bytes).filter(|bytes| bytes.is_finite());
    let process = leaks.process.filter(|_| leaks.process_grows);
    LeakWatch {
        verdict: match leaks.verdict() {
            memprof_heap::leak::Verdict::Leaks => LeakVerdict::Leaks,
            memprof_heap::leak::Verdict::NoCertainSite => LeakVerdict::NoCertainSite,
            memprof_heap::leak::Verdict::NothingGrows => LeakVerdict::NothingGrows,
            _ => LeakVerdict::Unknown,
        },
        observations: leaks.observations,
        watched_ns: nanoseconds(leaks.watched),
        process_bytes: leaks.process_bytes,
        process_bytes_per_second: process.and_then(|growth| finite(growth.per_second)),
        smallest_found_bytes_per_second: finite(leaks.smallest_found),
    }
}
