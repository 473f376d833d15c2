//! The counts of operations. Each test uses names of its own.

mod figures;
mod futures;
mod guards;
mod order;
mod recursion;
mod tasks;
mod threads;

use crate::block;
use memprof_heap::operation::{Operation, OperationSite};
use memprof_heap::operations;
use std::sync::{Mutex, PoisonError};

fn find(path: &str) -> Operation {
    let all = operations().expect("the level is Counters");
    all.find(path).unwrap_or_else(|| panic!("no {path}")).clone()
}

/// Returns bytes and blocks allocated, then bytes and blocks freed.
fn flow(of: &Operation) -> [u64; 4] {
    [of.allocated_bytes, of.allocated_blocks, of.freed_bytes, of.freed_blocks]
}

/// Creates an operation whose name is computed at run time.
fn site(name: String) -> &'static OperationSite {
    // Sites are stored, so that leak checkers find the ones that are never entered.
    static ALL: Mutex<Vec<&OperationSite>> = Mutex::new(Vec::new());
    let site = OperationSite::new(Box::leak(name.into_boxed_str()), file!(), line!());
    let site: &OperationSite = Box::leak(Box::new(site));
    ALL.lock().unwrap_or_else(PoisonError::into_inner).push(site);
    site
}
