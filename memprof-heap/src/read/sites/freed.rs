//! Sums over call sites without a live sample: by place, without the stacks.

use crate::read::frame::Place;
use crate::read::symbols::{Locations, Symbols};
use crate::record::estimate::{Estimate, Lifetimes};
use crate::record::live_table::Sample;
use crate::record::stacks::{self, call_site_counts};
use std::collections::HashMap;

/// The sums over those call sites of one place that have no live sample.
#[derive(Default)]
pub(crate) struct Freed {
    pub(crate) bytes: Estimate,
    pub(crate) blocks: Estimate,
    pub(crate) lifetimes: Lifetimes,
}

/// Returns the sums over all call sites that have none of these samples. The samples are sorted by
/// call site.
pub(crate) fn by_place(samples: &[Sample], symbols: &mut Symbols) -> HashMap<Place, Freed> {
    let mut known = Locations::default();
    let mut places: HashMap<_, Freed> = HashMap::new();
    for site in stacks::used() {
        if samples.binary_search_by_key(&site, |sample| sample.site).is_ok() {
            continue;
        }
        let place = symbols.place_of_site(site, &mut known);
        let all = call_site_counts(site);
        let freed = places.entry(place).or_default();
        freed.bytes.add(all.bytes);
        freed.blocks.add(all.blocks);
        freed.lifetimes.add(all.lifetimes);
    }
    places
}
