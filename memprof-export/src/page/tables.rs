//! The tables of a page: operations, places, leaks and unexplained memory at the end of the
//! session.

use super::contents::{self, AtPeak, PeakSite, Tables};
use super::sources::Sources;
use super::texts;
use memprof_profile::views::Units;
use memprof_session::document::{
    Block, Estimate, FrameworkRow, OperationRow, Place, Site, Summary,
};
use memprof_session::{LiveSite, Recording, Suspect};

impl Tables {
    pub(super) fn new(summary: &Summary, recording: &Recording) -> Self {
        Self {
            operations: summary.operations.iter().map(operation).collect(),
            frameworks: summary.framework_operations.iter().map(framework).collect(),
            sites: summary.sites.iter().map(site).collect(),
            leaks: summary
                .suspects(&recording.metadata.program)
                .iter()
                .map(|one| leak(one, recording.holders(one, Units::Iec)))
                .collect(),
            unexplained: summary.unexplained_sites.iter().map(site).collect(),
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
            largest_blocks: summary.largest_blocks.iter().map(block).collect(),
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
    let text = |place: &Place| self::place(&sources.place(place));
    let of = |site: &LiveSite| {
        let allocates = text(&site.allocates);
        let yours = site.your_code.as_ref().filter(|yours| **yours != site.allocates);
        PeakSite {
            place: yours
                .map_or(allocates.clone(), |yours| format!("{} → {allocates}", text(yours))),
            operation: site.operations.first().map(|path| names(path)).unwrap_or_default(),
            roots: site.roots.iter().map(|(name, _)| texts::name(name)).collect(),
            live: site.live.into(),
            blocks: site.live_blocks.into(),
            stack: site.stack.iter().map(text).collect(),
        }
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

fn site(site: &Site) -> contents::Site {
    contents::Site {
        place: place(&site.place),
        live: site.live.into(),
        blocks: site.live_blocks.into(),
        allocated: site.allocated.map(Into::into),
        stack: stack(&site.stack),
    }
}

fn leak(leak: &Suspect<'_>, held_by: Vec<String>) -> contents::Leak {
    let allocates = place(leak.allocates);
    let yours = leak.your_code.filter(|yours| *yours != leak.allocates);
    contents::Leak {
        place: yours.map_or(allocates.clone(), |yours| format!("{} → {allocates}", place(yours))),
        live: leak.live.into(),
        blocks: leak.live_blocks.into(),
        stack: leak.frames(false).into_iter().map(place).collect(),
        // A joined suspect has the operations of all its parts. The operation of the largest part
        // comes first.
        operation: leak.operations.first().map(|path| names(path)).unwrap_or_default(),
        bytes_per_second: leak.bytes_per_second,
        bytes_per_call: leak.bytes_per_call,
        confidence: leak.confidence,
        held_by,
        freed_at_end: leak.freed_at_end,
    }
}

fn block(block: &Block) -> contents::Block {
    contents::Block {
        bytes: block.bytes,
        age_ns: block.age_ns,
        operation: names(&block.operation),
        place: place(&block.place),
    }
}

fn names(names: &[String]) -> Vec<String> {
    names.iter().map(|name| texts::name(name)).collect()
}

fn stack(frames: &[Place]) -> Vec<String> {
    frames.iter().map(place).collect()
}

fn place(place: &Place) -> String {
    let short = place.short_function();
    place.shown_as(|name| texts::name(short.as_deref().unwrap_or(name)), texts::file)
}
