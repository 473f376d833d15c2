//! The step that writes the names of addresses into a summary and into the table of stacks, and
//! joins the call sites of one place.

use super::branches::take_lines;
use crate::document::{
    CodeLine, Doubt, HOOK_DEPTH, HeldBy, Leak, Place, Site, StackTable, Summary, add_growth,
};
use memprof_profile::text::{CUT_ADDRESS, CodeOrigin};
use std::collections::{BTreeMap, BTreeSet};

/// An address has no frames if it was not looked up. A stack with such an address stays unnamed,
/// because with the names of the other addresses alone, its place would be a caller.
pub(super) type Named = BTreeMap<u64, Vec<Place>>;

/// Also joins the call sites whose functions allocate at one line, for one line of the user's code.
pub(super) fn to_summary(summary: &mut Summary, named: &Named, program: &str, stacks: &StackTable) {
    if named.is_empty() {
        return;
    }
    take_lines(summary, named, program, stacks);
    for (place, stack, _) in summary.parts_mut() {
        name_place(place, stack, named);
    }
    let key = |place: &Place, stack: &[Place]| site_key(place, frames(stack, named), program);
    for sites in [&mut summary.sites, &mut summary.unexplained_sites] {
        let key = |site: &Site| key(&site.place, &site.stack);
        *sites = joined(core::mem::take(sites), key, |sum, site| add_site(sum, &site));
        sites.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
    }
    for leaks in [&mut summary.leaks, &mut summary.doubtful_leaks] {
        let key = |leak: &Leak| {
            let doubt = leak.doubt.map(Doubt::as_str);
            Some((key(&leak.place, &leak.stack)?, leak.operation.clone(), doubt))
        };
        *leaks = joined(core::mem::take(leaks), key, add_leak);
        leaks.sort_by(|a, b| b.bytes_per_second.total_cmp(&a.bytes_per_second));
    }
    // A named stack takes much memory, so only the stacks of joined entries are named.
    for (_, stack, _) in summary.parts_mut() {
        let mut with_names = Vec::with_capacity(frames(stack, named).count());
        with_names.extend(frames(stack, named).cloned());
        *stack = with_names;
    }
    summary.begin_leaks_at_places();
}

pub(super) fn to_stacks(stacks: &mut StackTable, named: &Named) {
    let mut hook = BTreeSet::new();
    let unnamed = unnamed_of_stacks(stacks);
    let of_stacks = named.iter().filter(|(address, _)| unnamed.contains(address));
    for (&address, frames) in of_stacks.filter(|(_, frames)| !frames.is_empty()) {
        let own = &frames[Place::hook_frames(frames.iter())..];
        if own.is_empty() {
            hook.insert(address);
        }
        stacks.frames.extend(own.iter().filter(|frame| frame.is_named()).cloned());
    }
    let is_left_out = |address: &u64| named.get(address).is_some_and(Vec::is_empty);
    let all = stacks.addresses.iter();
    let left_out = all.filter(|(_, stack)| stack.iter().any(is_left_out));
    stacks.unnamed = left_out.map(|(&number, _)| number).collect();
    for stack in stacks.addresses.values_mut() {
        let innermost = stack.len().min(HOOK_DEPTH);
        let last = stack[..innermost].iter().rposition(|address| hook.contains(address));
        stack.drain(..last.map_or(0, |last| last + 1));
    }
}

pub(super) fn unnamed_of_stacks(stacks: &StackTable) -> BTreeSet<u64> {
    let named: BTreeSet<u64> = stacks.named().into_keys().collect();
    let all = stacks.addresses.values().flatten().copied();
    all.filter(|address| *address != CUT_ADDRESS && !named.contains(address)).collect()
}

pub(super) fn unnamed(summary: &Summary) -> BTreeSet<u64> {
    let addresses = |has_file: bool| {
        let places = summary.places().filter(move |place| place.file.is_some() == has_file);
        places.filter_map(|place| place.address)
    };
    // An inlined function may lack a file although its address was looked up.
    let named: BTreeSet<u64> = addresses(true).collect();
    addresses(false).filter(|address| !named.contains(address)).collect()
}

/// The identity of a call site: the line that allocates, and the line of the user's code.
pub(super) type SiteKey = (CodeLine, Option<CodeLine>);

pub(super) fn site_key<'a>(
    place: &Place,
    mut frames: impl Iterator<Item = &'a Place>,
    program: &str,
) -> Option<SiteKey> {
    place.function.as_ref()?;
    let your_code = frames.find(|frame| frame.origin(Some(program)) == CodeOrigin::Workspace);
    Some((place.code_line(), your_code.map(Place::code_line)))
}

/// Sets a place without a file to the innermost frame that is the program's own.
fn name_place(place: &mut Place, stack: &[Place], named: &Named) {
    if place.file.is_none()
        && let Some(own) = frames(stack, named).find(|frame| frame.origin(None).is_own())
    {
        *place = own.clone();
    }
}

/// Returns the frames of a stack with names, without the frames of memprof's hook.
pub(super) fn frames<'a>(stack: &'a [Place], named: &'a Named) -> impl Iterator<Item = &'a Place> {
    let found = |frame: &Place| frame.address.and_then(|address| named.get(&address));
    let is_left_out = stack.iter().any(|frame| found(frame).is_some_and(Vec::is_empty));
    let all = move || {
        stack.iter().flat_map(move |frame| match found(frame) {
            Some(frames) if frame.file.is_none() && !is_left_out => &frames[..],
            _ => core::slice::from_ref(frame),
        })
    };
    all().skip(Place::hook_frames(all()))
}

fn joined<T, K: Ord>(
    all: Vec<T>,
    key: impl Fn(&T) -> Option<K>,
    add: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut joined: Vec<T> = Vec::new();
    let mut known: BTreeMap<K, usize> = BTreeMap::new();
    for one in all {
        let Some(key) = key(&one) else {
            joined.push(one);
            continue;
        };
        let index = *known.entry(key).or_insert(joined.len());
        match joined.get_mut(index) {
            Some(sum) => add(sum, one),
            None => joined.push(one),
        }
    }
    joined
}

fn add_site(sum: &mut Site, site: &Site) {
    sum.live = sum.live.plus(&site.live);
    sum.live_blocks = sum.live_blocks.plus(&site.live_blocks);
    // The sum is unknown if one of its parts is unknown.
    sum.allocated = sum.allocated.zip(site.allocated).map(|(a, b)| a.plus(&b));
    sum.lifetime = match (sum.lifetime, site.lifetime) {
        (Some(a), Some(b)) => Some(a.plus(&b)),
        (a, b) => a.or(b),
    };
}

/// The sum has the stack of the larger suspect.
fn add_leak(sum: &mut Leak, leak: Leak) {
    if leak.live.value > sum.live.value {
        (sum.stack, sum.place) = (leak.stack, leak.place);
        (sum.allocated_type, sum.freed_at_end) = (leak.allocated_type, leak.freed_at_end);
    }
    add_growth(
        (&mut sum.bytes_per_second, &mut sum.bytes_per_second_interval),
        (leak.bytes_per_second, leak.bytes_per_second_interval),
    );
    sum.bytes_per_call = sum.bytes_per_call.zip(leak.bytes_per_call).map(|(a, b)| a + b);
    sum.live = sum.live.plus(&leak.live);
    sum.live_blocks = sum.live_blocks.plus(&leak.live_blocks);
    HeldBy::join(&mut sum.held_by, &leak.held_by);
}
