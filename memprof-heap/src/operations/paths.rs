//! Operations within operations: each path of names has a number.
//!
//! An operation that is entered within itself, directly or through others, leads back to the path
//! it had: `parse;value;parse` is `parse`. So there are as many paths as the program has names in
//! different orders, however deep it recurses.
//!
//! Paths are never removed, and found without a lock: also in a child process whose parent forked
//! while another thread was here.

use super::site::OperationSite;
use core::sync::atomic::Ordering::{Acquire, Release};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::OnceLock;

/// Paths that have a number of their own; the rest is `OTHER`.
pub(crate) const PATHS: usize = 4096;

/// No operation.
pub(crate) const ROOT: u32 = 0;
/// All for which no number was left.
const OTHER: u32 = 1;

struct Path {
    parent: u32,
    site: &'static OperationSite,
}

static OTHERS: OperationSite = OperationSite::new("<other>", "", 0);

static TABLE: [OnceLock<Path>; PATHS] = [const { OnceLock::new() }; PATHS];
/// Where each path is by the hash of its parent and name; 0 where nothing is.
static INDEX: [AtomicU32; 2 * PATHS] = [const { AtomicU32::new(0) }; 2 * PATHS];
static NEXT: AtomicU32 = AtomicU32::new(OTHER + 1);

/// The path from `parent` to an operation, and whether that is `parent` or around it.
pub(super) fn path_to(parent: u32, site: &'static OperationSite) -> (u32, bool) {
    let mut outer = parent;
    while let Some(path) = get(outer) {
        if path.site.name() == site.name() {
            return (outer, true);
        }
        outer = path.parent;
    }
    if outer == OTHER {
        return (OTHER, true);
    }
    (child(parent, site), false)
}

fn child(parent: u32, site: &'static OperationSite) -> u32 {
    let mut place = hash(parent, site.name()) as usize % INDEX.len();
    let mut mine = None;
    for _ in 0..INDEX.len() {
        let found = INDEX[place].load(Acquire);
        if found != 0 {
            if get(found)
                .is_some_and(|path| path.parent == parent && path.site.name() == site.name())
            {
                return found;
            }
            place = (place + 1) % INDEX.len();
            continue;
        }
        let number = match mine {
            Some(number) => number,
            None => match add(parent, site) {
                Some(number) => number,
                None => return OTHER,
            },
        };
        mine = Some(number);
        if INDEX[place].compare_exchange(0, number, Release, Relaxed).is_ok() {
            return number;
        }
        // Somebody was faster: it may be the same path, so the place is looked at again.
    }
    OTHER
}

fn add(parent: u32, site: &'static OperationSite) -> Option<u32> {
    if NEXT.load(Relaxed) as usize >= PATHS {
        return None;
    }
    let number = NEXT.fetch_add(1, Relaxed);
    TABLE.get(number as usize)?.set(Path { parent, site }).ok()?;
    Some(number)
}

fn get(number: u32) -> Option<&'static Path> {
    TABLE.get(number as usize)?.get()
}

fn hash(parent: u32, name: &str) -> u64 {
    const MULTIPLIER: u64 = 0xF135_7AEA_2E62_A9C5;
    let hash = name.bytes().fold(u64::from(parent), |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(MULTIPLIER).rotate_left(23)
    });
    hash >> 16
}

/// The operations of a path, the outermost first; none for `ROOT`.
pub(crate) fn path_of(number: u32) -> Vec<&'static OperationSite> {
    if number == OTHER {
        return vec![&OTHERS];
    }
    let mut sites = Vec::new();
    let mut next = number;
    while let Some(path) = get(next) {
        sites.push(path.site);
        next = path.parent;
    }
    sites.reverse();
    sites
}

/// The number of the path around, `ROOT` if there is none.
pub(super) fn parent_of(number: u32) -> u32 {
    get(number).map_or(ROOT, |path| path.parent)
}

/// All numbers that a path may have.
pub(super) fn numbers() -> core::ops::Range<u32> {
    OTHER..NEXT.load(Relaxed).min(PATHS as u32)
}
