//! Operations whose names the program learns as it runs: locations that spawn tasks, routes of
//! requests, spans.
//!
//! An operation is never freed, because counts, stacks and events refer to it. So each table adds
//! at most [`LARGEST`] operations. Keys that come from outside the program, such as raw URLs, then
//! share one operation instead of filling the memory.

use crate::record::operation::OperationSite;
use crate::record::paths::OTHERS;
use crate::record::process::as_profiler;
use crate::record::sample::unsampled;
use crate::record::sync::rest;
use core::borrow::Borrow;
use core::hash::Hash;
use core::panic::Location;
use std::collections::HashMap;
use std::sync::RwLock;

/// The maximum number of operations of one table: that of all paths of operations, so a larger
/// table adds no rows.
const LARGEST: usize = 1000;

pub(crate) struct NamedOperations<K> {
    by_key: RwLock<Option<HashMap<K, &'static OperationSite>>>,
}

impl<K: Eq + Hash> NamedOperations<K> {
    pub(crate) const fn new() -> Self {
        Self { by_key: RwLock::new(None) }
    }

    /// A forked child never gets a lock that another thread of its parent held, so nothing here
    /// waits longer than 0.2 s.
    pub(crate) fn get_or_add<Q: Eq + Hash + ?Sized>(
        &self,
        key: &Q,
        make: impl FnOnce() -> (K, OperationSite),
    ) -> &'static OperationSite
    where
        K: Borrow<Q>,
    {
        const TRIES: u32 = 1000;
        if let Ok(by_key) = self.by_key.try_read()
            && let Some(site) = by_key.as_ref().and_then(|by_key| by_key.get(key))
        {
            return site;
        }
        for _ in 0..TRIES {
            if let Ok(mut by_key) = self.by_key.try_write() {
                return unsampled(|| {
                    as_profiler(|| Self::add(by_key.get_or_insert_default(), key, make))
                });
            }
            rest();
        }
        &OTHERS
    }

    fn add<Q: Eq + Hash + ?Sized>(
        by_key: &mut HashMap<K, &'static OperationSite>,
        key: &Q,
        make: impl FnOnce() -> (K, OperationSite),
    ) -> &'static OperationSite
    where
        K: Borrow<Q>,
    {
        // Another thread may have added it since the first look.
        if let Some(site) = by_key.get(key) {
            return site;
        }
        if by_key.len() == LARGEST {
            return &OTHERS;
        }
        let (key, site) = make();
        by_key.entry(key).or_insert(Box::leak(Box::new(site)))
    }
}

/// Returns the operation of the tasks that a line of the program spawns.
pub(crate) fn of_location(location: &'static Location<'static>) -> &'static OperationSite {
    static LOCATIONS: NamedOperations<&'static Location<'static>> = NamedOperations::new();
    LOCATIONS.get_or_add(&location, || {
        let name = format!("task {}:{}", location.file(), location.line());
        let site = OperationSite::new(name.leak(), location.file(), location.line());
        (location, site)
    })
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, NamedOperations};
    use crate::record::operation::OperationSite;

    #[test]
    fn keys_beyond_the_limit_share_one_operation() {
        // Operations are never freed, so the table must not be either.
        static TABLE: NamedOperations<usize> = NamedOperations::new();
        let get = |key| TABLE.get_or_add(&key, || (key, OperationSite::new("route", "", 0)));
        let first = std::ptr::from_ref(get(0));
        assert!((1..LARGEST).all(|key| get(key).name() == "route"));
        assert_eq!(get(LARGEST).name(), "<other>");
        assert!(std::ptr::eq(get(0), first), "a known key keeps its operation");
    }
}
