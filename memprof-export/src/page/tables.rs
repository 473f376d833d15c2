//! The tables of a page: operations, places, leaks and unexplained memory at the end of the
//! session.

use super::contents::{self, AtPeak, PeakSite, Tables};
use super::places::Places;
use super::sources::Sources;
use super::texts;
use memprof_profile::views::Units;
use memprof_recording::document::{
    Block, Doubt, Estimate, FrameworkRow, OperationRow, Place, Site, Summary,
};
use memprof_recording::{LiveSite, Recording, Suspect};

impl Tables {
    pub(super) fn new(summary: &Summary, recording: &Recording, units: Units) -> Self {
        let places = Places::of(recording);
        let program = &recording.metadata.program;
        let leaks = |suspects: &[Suspect<'_>]| leaks(suspects, &places, recording, units);
        let is_replaced = |suspect: &Suspect<'_>| suspect.doubt == Some(Doubt::Replaced);
        let (replaced, uncertain): (Vec<_>, Vec<_>) =
            summary.doubtful_suspects(program).into_iter().partition(is_replaced);
        Self {
            operations: summary.operations.iter().map(operation).collect(),
            frameworks: summary.framework_operations.iter().map(framework).collect(),
            sites: sites(&summary.sites, &places),
            leaks: leaks(&summary.suspects(program)),
            uncertain: leaks(&uncertain),
            replaced: leaks(&replaced),
            leak_verdict: recording.leak_verdict(units),
            leaks_unknown: recording.leaks_unknown_reason().map(str::to_owned),
            unexplained: sites(&summary.unexplained_sites, &places),
            unexplained_operations: summary
                .unexplained_operations
                .iter()
                .map(|one| contents::UnexplainedOperation {
                    operation: names(&one.operation),
                    live: one.live.into(),
                    blocks: one.live_blocks.into(),
                })
                .collect(),
            claimed_twice: summary
                .claimed_twice
                .iter()
                .map(|one| contents::ClaimedTwice {
                    roots: one.roots.each_ref().map(|name| texts::name(name)),
                    live: one.live.into(),
                })
                .collect(),
            largest_blocks: blocks(&summary.largest_blocks, &places),
            other_sites: summary.other_sites.map(Into::into),
            at_peak: None,
        }
    }
}

/// The page lists at most this number of call sites at the peak.
const MAX_PEAK_SITES: usize = 50;

/// Returns the call sites that held memory at the peak, with short file names.
pub(super) fn at_peak(recording: &Recording, sources: &Sources) -> Option<AtPeak> {
    let moment = recording.peak_stacks()?;
    let mut sites = recording.live_sites(moment);
    let rest = sites.split_off(sites.len().min(MAX_PEAK_SITES));
    let mut other = Estimate::default();
    for site in &rest {
        let error = other.standard_error.hypot(site.live.standard_error);
        let samples = other.samples.saturating_add(site.live.samples);
        other = Estimate::new(other.value + site.live.value, error, samples);
    }
    let places = Places::of(recording);
    let text = |place: &Place| places.text(&sources.place(place));
    let site_text = |site: &LiveSite| {
        let yours = site.your_code.as_ref().map(|yours| sources.place(yours));
        places.site(yours.as_ref(), &sources.place(&site.allocates), &site.stack)
    };
    let of = |site: &LiveSite| PeakSite {
        place: site_text(site),
        operation: site.operations.first().map(|path| names(path)).unwrap_or_default(),
        roots: site.roots.iter().map(|(name, _)| texts::name(name)).collect(),
        live: site.live.into(),
        blocks: site.live_blocks.into(),
        stack: site.stack.iter().map(text).collect(),
    };
    Some(AtPeak {
        at: moment.at_ns,
        live: moment.live_bytes,
        highest: recording.peak_bytes(),
        sites: sites.iter().map(of).collect(),
        more: rest.len() as u64,
        other: other.into(),
    })
}

fn operation(row: &OperationRow) -> contents::Operation {
    contents::Operation {
        path: texts::operation(&row.path),
        place: texts::location(&row.file, Some(row.line)),
        calls: row.calls,
        allocated: row.allocated_bytes,
        allocated_blocks: row.allocated_blocks,
        freed: row.freed_bytes,
        total: row.net_bytes,
        average: row.average_net_bytes,
        max: row.max_net_bytes,
        peak: row.peak_bytes,
        before: row.before_bytes,
        after: row.after_bytes,
        time_ns: row.wall_time.map(|time| time.total_ns),
        retained: row.retained.map(Into::into),
    }
}

fn framework(row: &FrameworkRow) -> contents::Framework {
    contents::Framework {
        name: texts::name(&row.name),
        calls: row.calls,
        cpu_ns: row.cpu_ns.map(|estimate| estimate.total),
        device_ns: row.device_ns.map(|estimate| estimate.total),
        cpu_bytes: row.cpu_bytes.map(|estimate| estimate.total),
        device_bytes: row.device_bytes.map(|estimate| estimate.total),
        shapes: row.shapes.as_ref().map(|shapes| texts::name(&format!("{shapes:?}"))),
    }
}

fn sites(sites: &[Site], places: &Places<'_>) -> Vec<contents::Site> {
    let of = |site: &Site| contents::Site {
        place: places.site(places.your_code(&site.stack), &site.place, &site.stack),
        live: site.live.into(),
        blocks: site.live_blocks.into(),
        allocated: site.allocated.map(Into::into),
        lifetime: site.lifetime.map(|lifetime| contents::Lifetime {
            mean_ms: lifetime.mean_ms,
            interval_ms: lifetime.interval_ms(),
            samples: lifetime.samples,
        }),
        stack: places.stack(&site.stack),
    };
    sites.iter().map(of).collect()
}

fn leaks(
    suspects: &[Suspect<'_>],
    places: &Places<'_>,
    recording: &Recording,
    units: Units,
) -> Vec<contents::Leak> {
    let of = |leak: &Suspect<'_>| {
        // Without names, all frames are left out of the short stack.
        let frames = Some(leak.frames(false)).filter(|frames| !frames.is_empty());
        contents::Leak {
            place: places.site(leak.your_code, leak.allocates, leak.frames(true)),
            live: leak.live.into(),
            blocks: leak.live_blocks.into(),
            stack: places.stack(frames.unwrap_or_else(|| leak.frames(true))),
            // A joined suspect has the operations of all its parts. The operation of the largest
            // part comes first.
            operation: leak.operations.first().map(|path| names(path)).unwrap_or_default(),
            bytes_per_second: leak.bytes_per_second,
            bytes_per_call: leak.bytes_per_call,
            bytes_per_second_interval: leak.bytes_per_second_interval,
            held_by: recording.holders(leak, units),
            freed_at_end: leak.freed_at_end,
            doubt: leak.doubt_reason(),
        }
    };
    suspects.iter().map(of).collect()
}

fn blocks(blocks: &[Block], places: &Places<'_>) -> Vec<contents::Block> {
    let of = |block: &Block| contents::Block {
        bytes: block.bytes,
        age_ns: block.age_ns,
        operation: names(&block.operation),
        place: places.site(None, &block.place, &block.stack),
    };
    blocks.iter().map(of).collect()
}

fn names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| texts::name(name)).collect()
}
