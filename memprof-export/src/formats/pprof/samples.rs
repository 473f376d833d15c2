//! Call sites, live stacks and operations in the pprof format.

use super::build::{Building, Counted, Frame};
use super::{message, process};
use crate::formats::ExportError;
use crate::formats::stacks::{self, OTHER_SITES, Shares, Sites};
use memprof_recording::Recording;
use memprof_recording::document::{Estimate, LiveStacks, Place};
use std::collections::BTreeSet;

const OF_SITES: [Counted; 3] = [Counted::AllocSpace, Counted::InuseObjects, Counted::InuseSpace];

pub(super) fn of_sites(recording: &Recording) -> Result<message::Profile, ExportError> {
    let metadata = &recording.metadata;
    let sites = stacks::sites(recording)?;
    let allocated = sites.listed.iter().all(|site| site.allocated.is_some());
    let counted = if allocated { &OF_SITES[..] } else { &OF_SITES[1..] };
    let mut building = Building::new(&metadata.program, counted);
    building.set_modules(&recording.summary.modules);
    let mut shares = [Shares::default(); OF_SITES.len()];
    let mut values = |estimates: [Option<Estimate>; OF_SITES.len()]| {
        let share = |(estimate, shares): (Option<Estimate>, &mut Shares)| {
            estimate.map_or(0, |estimate| shares.next(estimate))
        };
        let values: Vec<u64> = estimates.into_iter().zip(&mut shares).map(share).collect();
        values[OF_SITES.len() - counted.len()..].to_vec()
    };
    for site in sites.listed {
        let values = values([site.allocated, Some(site.live_blocks), Some(site.live)]);
        building.sample(stacks::stack(site).iter().map(frame), &values);
    }
    building.comment(&process(metadata));
    building.time(metadata.started_unix_ns, metadata.generated_ns);
    building.comment("estimated from samples; each site has its stack with the most live bytes");
    if allocated {
        building.comment("alloc_space counts only sites with live bytes");
    }
    if let Some(live) = sites.other {
        let values = values([None, None, Some(live)]);
        building.sample([Frame::named(OTHER_SITES)], &values);
        building.comment("only inuse_space is known for [other_sites]");
    }
    if let Some(libraries) = within_libraries(&sites) {
        building.drop_frames(libraries);
    }
    building.finish()
}

fn frame(place: &Place) -> Frame<'_> {
    let function = stacks::function(place).into();
    let has_name = place.function.is_some() || place.file.is_some();
    let return_address = if has_name { None } else { place.address };
    Frame { function, file: place.file.as_deref(), line: place.line, return_address }
}

/// Returns a regular expression that matches the functions called directly by the program's own
/// functions.
///
/// These functions and all functions that they call belong to libraries, which only pass a request
/// on to the allocator. Without the expression, tables would list only library functions. A name
/// that also occurs at a call site or among its callers is kept.
fn within_libraries(sites: &Sites<'_>) -> Option<String> {
    let mut called = BTreeSet::new();
    let mut kept_names = BTreeSet::new();
    for site in sites.listed {
        let stack = stacks::stack(site);
        let place = stack.iter().position(|frame| *frame == site.place).unwrap_or(0);
        kept_names.extend(stack[place..].iter().filter_map(compared));
        called.extend(stack[..place].last().and_then(compared));
    }
    let names: Vec<String> = called.difference(&kept_names).map(|name| escaped(name)).collect();
    (!names.is_empty()).then(|| names.join("|"))
}

/// Readers treat a parenthesis as the start of the arguments.
fn compared(frame: &Place) -> Option<&str> {
    let name = frame.function.as_deref()?;
    name.split('(').next().filter(|name| !name.is_empty())
}

/// Escapes a name so that a regular expression matches it literally.
fn escaped(name: &str) -> String {
    let shown = memprof_profile::text::Shown(name).to_string();
    let mut escaped = String::with_capacity(shown.len());
    for char in shown.chars() {
        if char.is_ascii_punctuation() && char != '_' {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

pub(super) fn of_live_stacks(
    recording: &Recording,
    moment: &LiveStacks,
) -> Result<message::Profile, ExportError> {
    let metadata = &recording.metadata;
    let counted = [Counted::InuseObjects, Counted::InuseSpace];
    let mut building = Building::new(&metadata.program, &counted);
    building.set_modules(&recording.stacks.modules);
    let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
    for (frames, live, live_blocks) in recording.live_stack_frames(moment) {
        let values = [blocks.next(live_blocks), bytes.next(live)];
        if frames.is_empty() {
            building.sample([Frame::named(OTHER_SITES)], &values);
        } else {
            building.sample(frames.iter().map(frame), &values);
        }
    }
    building.comment(&process(metadata));
    building.time(metadata.started_unix_ns.saturating_add(moment.at_ns), 0);
    let name = moment.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
    let trigger = moment.trigger.as_str();
    building.comment(&format!("{trigger}{name}: {} bytes were live, counted", moment.live_bytes));
    building.comment("estimated from samples; each stack of that moment is listed");
    building.finish()
}

const OF_OPERATIONS: [Counted; 4] =
    [Counted::AllocObjects, Counted::AllocSpace, Counted::InuseObjects, Counted::InuseSpace];

pub(super) fn of_operations(recording: &Recording) -> Result<message::Profile, ExportError> {
    let metadata = &recording.metadata;
    let operations = stacks::operations(recording)?;
    let live = stacks::has_retained(recording);
    let counted = if live { &OF_OPERATIONS[..] } else { &OF_OPERATIONS[..2] };
    let mut building = Building::new(&metadata.program, counted);
    let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
    let share = |estimate: Option<Estimate>, shares: &mut Shares| {
        estimate.map_or(0, |estimate| shares.next(estimate))
    };
    for operation in operations {
        let row = operation.row;
        let values = [
            operation.allocated_blocks,
            row.own_allocated_bytes,
            share(row.retained_blocks, &mut blocks),
            share(row.retained, &mut bytes),
        ];
        let stack = row.path.iter().rev().map(|name| Frame::named(name));
        building.sample(stack, &values[..counted.len()]);
    }
    building.comment(&process(metadata));
    building.time(metadata.started_unix_ns, metadata.generated_ns);
    building.comment("allocations outside all operations are not in this file");
    if live {
        building.comment("inuse_objects and inuse_space are estimated from samples");
    }
    building.finish()
}
