//! Tests that compare the look-up in this test's own file with `addr2line`.

use super::{Deadlines, look_up};
use crate::SymbolSearch;
use crate::document::Module;
use crate::record::recorder::tests::ALONE;
use crate::symbols::search::look_up as look_up_outside;
use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// Returns the module of this test.
fn own_module() -> Module {
    let module = memprof_heap::site::modules().swap_remove(0);
    let hex = |id: Vec<u8>| super::elf::hexadecimal(&id);
    let ranges = module.ranges.iter().map(|range| [range.start as u64, range.end as u64]);
    Module::new(module.path, module.build_id.map(hex), module.load_bias as u64, ranges.collect())
}

/// Returns addresses over all code of this test.
fn addresses(module: &Module, count: u64) -> Vec<u64> {
    let [start, end] = *module.ranges.iter().max_by_key(|[start, end]| end - start).expect("some");
    (1..count).map(|index| start + (end - start) / count * index).collect()
}

fn minutes(minutes: u64) -> Deadlines {
    let end = Instant::now() + Duration::from_mins(minutes);
    Deadlines { symbols: end, lines: end }
}

#[test]
fn all_frames_are_those_of_addr2line() {
    // Its memory would be sampled by the tests of the recorder.
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let module = own_module();
    let wanted = addresses(&module, 1_500);
    let found = look_up(&module, &wanted, minutes(5), &mut false);
    let set: BTreeSet<u64> = wanted.iter().copied().collect();
    let (expected, missing) = look_up_outside(&module, &set, &SymbolSearch::new());
    assert_eq!(missing, None);
    assert!(expected.len() > 500, "{}", expected.len());
    assert!(expected.values().any(|frames| frames.len() > 2), "functions are inlined");
    for address in wanted {
        let expected = expected.get(&address).map_or(&[][..], |frames| frames);
        assert_eq!(found[&address], expected, "{:#x}", address - module.load_bias - 1);
    }
}
