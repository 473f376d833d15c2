//! Sums over call sites without a live sample: by place, without the stacks.

use crate::results::frame::Frame;
use crate::results::frame::Place;
use crate::results::symbols::{Locations, Symbols};
use crate::sampling::Estimate;
use crate::sampling::{self, Sample, call_site_counts};
use std::collections::HashMap;

/// The sums over those call sites of one place that have no live sample.
#[derive(Default)]
pub(super) struct Freed {
    pub(super) location: Option<Frame>,
    pub(super) bytes: Estimate,
    pub(super) blocks: Estimate,
}

/// Returns the sums over all call sites that have none of these samples. The samples are sorted by
/// call site.
pub(super) fn by_place(samples: &[Sample], symbols: &mut Symbols) -> HashMap<Place, Freed> {
    let mut known = Locations::default();
    let mut places: HashMap<_, Freed> = HashMap::new();
    for site in sampling::used_sites() {
        if samples.binary_search_by_key(&site, |sample| sample.site).is_ok() {
            continue;
        }
        let (place, location) = symbols.place_of_site(site, &mut known);
        let all = call_site_counts(site);
        let freed = places.entry(place).or_default();
        freed.location = location;
        freed.bytes.add(all.bytes);
        freed.blocks.add(all.blocks);
    }
    places
}
