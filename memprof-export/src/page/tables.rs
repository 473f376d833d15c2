//! The tables of a page: operations, call sites, claims of several roots and large blocks.

use super::contents::{self, AtPeak, CallSite, LiveType, Pinned, PinnedSite, SiteGrowth, Tables};
use super::places::Places;
use super::texts;
use crate::known::peak_bytes;
use memprof_profile::views::Units;
use memprof_recording::document::{
    Block, Estimate, FrameworkRow, LiveStacks, OperationRow, Place, Site, Summary,
};
use memprof_recording::{LiveSite, PinnedMemory, Recording, Suspect};
use std::collections::HashMap;

impl Tables {
    pub(super) fn new(
        summary: &Summary,
        recording: &Recording,
        places: &Places<'_>,
        units: Units,
    ) -> Self {
        let program = &recording.metadata.program;
        let mut sites = CallSites { places, all: Vec::new(), indices: HashMap::new() };
        let at_peak = sites.add_peak(recording);
        for site in &summary.sites {
            sites.add_live(site);
        }
        for site in &summary.unexplained_sites {
            add(&mut sites.of(site).unexplained, site.live);
        }
        let doubtful = summary.doubtful_suspects(program);
        for suspect in summary.suspects(program).iter().chain(&doubtful) {
            sites.add_suspect(suspect, recording, units);
        }
        Self {
            operations: summary.operations.iter().map(operation).collect(),
            frameworks: summary.framework_operations.iter().map(framework).collect(),
            sites: sites.sorted(),
            other_sites: summary.other_sites.map(Into::into),
            leak_verdict: recording.leak_verdict(units),
            resident_growth: recording.resident_growth(units),
            leaks_unknown: recording.leaks_unknown_reason().map(str::to_owned),
            claimed_twice: summary
                .claimed_twice
                .iter()
                .map(|one| contents::ClaimedTwice {
                    roots: one.roots.each_ref().map(|name| texts::name(name)),
                    live: one.live.into(),
                })
                .collect(),
            largest_blocks: blocks(&summary.largest_blocks, places),
            at_peak,
            pinned: pinned(recording, places),
        }
    }
}

const MAX_PEAK_SITES: usize = 50;

/// The call sites, each once. Stacks with the same line of the user's code are one call site.
struct CallSites<'p> {
    places: &'p Places<'p>,
    all: Vec<CallSite>,
    /// The indices by the user's line, or by the text of call sites without one.
    indices: HashMap<String, usize>,
}

impl CallSites<'_> {
    fn at(&mut self, yours: Option<&Place>, allocates: &Place, stack: &[&Place]) -> &mut CallSite {
        let place = self.places.site(yours, allocates, stack.iter().copied());
        let key = yours.map_or_else(|| place.clone(), |yours| self.places.text(yours));
        let index = *self.indices.entry(key).or_insert_with(|| {
            let stack = self.places.stack(stack.iter().copied());
            self.all.push(CallSite { place, stack, ..CallSite::default() });
            self.all.len() - 1
        });
        &mut self.all[index]
    }

    fn of(&mut self, site: &Site) -> &mut CallSite {
        let stack: Vec<&Place> = site.stack.iter().collect();
        self.at(self.places.your_code(&site.stack), &site.place, &stack)
    }

    fn add_peak(&mut self, recording: &Recording) -> Option<AtPeak> {
        let moment = recording.peak_stacks()?;
        let mut sites = self.places.live_sites(moment);
        let rest = sites.split_off(sites.len().min(MAX_PEAK_SITES));
        for live in &sites {
            let stack: Vec<&Place> = live.stack.iter().collect();
            let site = self.at(live.your_code.as_ref(), &live.allocates, &stack);
            add(&mut site.peak, live.live);
            if site.operation.is_empty() {
                site.operation = operation_of(live);
            }
            for root in roots_of(live) {
                if !site.roots.contains(&root) {
                    site.roots.push(root);
                }
            }
        }
        let sum = |all: Estimate, site: &LiveSite| all.plus(&site.live);
        let other = rest.iter().fold(Estimate::default(), sum);
        Some(AtPeak {
            at: moment.at_ns,
            live: moment.live_bytes,
            bytes: peak_bytes(recording).unwrap_or(moment.live_bytes),
            sampled: sites.iter().fold(other, sum).into(),
            more: rest.len() as u64,
            other: other.into(),
            types: types(recording, moment),
        })
    }

    fn add_live(&mut self, site: &Site) {
        let known = self.of(site);
        add(&mut known.live, site.live);
        add(&mut known.blocks, site.live_blocks);
        if let Some(allocated) = site.allocated {
            add(&mut known.allocated, allocated);
        }
        known.lifetime =
            known.lifetime.take().or(site.lifetime.map(|lifetime| contents::Lifetime {
                mean_ms: lifetime.mean_ms,
                interval_ms: lifetime.interval_ms(),
                samples: lifetime.samples,
            }));
    }

    /// Adds a call site that grew, with the words of the list of leaks.
    fn add_suspect(&mut self, suspect: &Suspect<'_>, recording: &Recording, units: Units) {
        let whole = suspect.frames(true);
        // Without names, all frames are left out of the short stack.
        let short = Some(suspect.frames(false)).filter(|frames| !frames.is_empty());
        let place = self.places.site(suspect.your_code, suspect.allocates, whole.iter().copied());
        let stack = self.places.stack(short.unwrap_or_else(|| whole.clone()));
        let site = self.at(suspect.your_code, suspect.allocates, &whole);
        if site.growth.is_some() {
            return;
        }
        site.growth = Some(SiteGrowth {
            bytes_per_second: suspect.bytes_per_second,
            interval: suspect.bytes_per_second_interval,
            bytes_per_call: suspect.bytes_per_call,
            held_by: recording.holders(suspect, units),
            freed_at_end: suspect.freed_at_end,
            doubt: suspect.doubt_reason(),
        });
        // A joined suspect has the operations of all its parts, the largest part's first.
        let operation = suspect.operations.first().map(|path| names(path)).unwrap_or_default();
        (site.place, site.stack, site.operation) = (place, stack, operation);
        site.live = site.live.take().or(Some(suspect.live.into()));
        site.blocks = site.blocks.take().or(Some(suspect.live_blocks.into()));
    }

    fn sorted(mut self) -> Vec<CallSite> {
        let rate = |site: &CallSite| {
            let growth = site.growth.as_ref().filter(|growth| growth.doubt.is_none());
            growth.map_or(f64::NEG_INFINITY, |growth| growth.bytes_per_second)
        };
        self.all.sort_by(|one, other| rate(other).total_cmp(&rate(one)));
        self.all
    }
}

fn add(sum: &mut Option<contents::Estimate>, more: Estimate) {
    let more = contents::Estimate::from(more);
    *sum = Some(sum.map_or(more, |sum| contents::Estimate {
        value: sum.value + more.value,
        side: sum.side.hypot(more.side),
        samples: sum.samples.saturating_add(more.samples),
    }));
}

fn types(recording: &Recording, moment: &LiveStacks) -> Vec<LiveType> {
    let types = recording.live_types(moment);
    let is_any_known = types.iter().any(|one| one.name.is_some());
    let of = types.into_iter().filter(|_| is_any_known);
    of.map(|one| LiveType { name: one.name.as_deref().map(texts::name), live: one.live.into() })
        .collect()
}

fn pinned(recording: &Recording, places: &Places<'_>) -> Option<Pinned> {
    let pinned = recording.pinned(recording.snapshots.last()?).filter(PinnedMemory::is_large)?;
    let (at, trimmable) = (pinned.moment.at_ns, pinned.trimmable_bytes);
    let site = |site: &LiveSite| {
        let bytes = site.pinned?;
        Some(PinnedSite {
            place: places.live_site(site),
            operation: operation_of(site),
            roots: roots_of(site).collect(),
            free: bytes.free.into(),
            returned: bytes.returned(),
        })
    };
    let sites = places.shortened(pinned.sites).iter().filter_map(site).collect();
    Some(Pinned { at, free: pinned.free.into(), trimmable, sites })
}

/// Returns the names of the first operation.
fn operation_of(site: &LiveSite) -> Vec<String> {
    site.operations.first().map(|path| names(path)).unwrap_or_default()
}

fn roots_of(site: &LiveSite) -> impl Iterator<Item = String> {
    site.roots.iter().map(|(name, _)| texts::name(name))
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
