//! The call sites that held memory at the peak of a recording, as JSON.

use memprof_recording::document::{Estimate, Place};
use memprof_recording::{LiveSite, Recording};
use serde::Serialize;

/// The maximum number of call sites.
const SITES: usize = 20;

/// The moment of the highest recorded peak, with the call sites that held the memory.
#[derive(Serialize)]
pub(super) struct AtPeakJson {
    at_ns: u64,
    live_bytes: i64,
    /// The peak of live bytes, which may be between two recorded moments.
    peak_bytes: Option<u64>,
    sites: Vec<SiteJson>,
    more: usize,
}

#[derive(Serialize)]
struct SiteJson {
    your_code: Option<Place>,
    called: Option<Place>,
    allocates: Place,
    operations: Vec<Vec<String>>,
    live: Estimate,
    live_blocks: Estimate,
    held_by: Vec<HeldByJson>,
    stack: Vec<Place>,
}

#[derive(Serialize)]
struct HeldByJson {
    root: String,
    live: Estimate,
}

impl AtPeakJson {
    /// Returns `None` if the recording has no stacks of a peak.
    pub(super) fn of(recording: &Recording) -> Option<Self> {
        let moment = recording.peak_stacks()?;
        let sites = recording.live_sites(moment);
        let more = sites.len().saturating_sub(SITES);
        Some(Self {
            at_ns: moment.at_ns,
            live_bytes: moment.live_bytes,
            peak_bytes: recording.peak_bytes(),
            sites: sites.into_iter().take(SITES).map(SiteJson::of).collect(),
            more,
        })
    }
}

impl SiteJson {
    fn of(site: LiveSite) -> Self {
        let held_by = site.roots.into_iter().map(|(root, live)| HeldByJson { root, live });
        Self {
            your_code: site.your_code,
            called: site.called,
            allocates: site.allocates,
            operations: site.operations,
            live: site.live,
            live_blocks: site.live_blocks,
            held_by: held_by.collect(),
            stack: site.stack,
        }
    }
}
