//! The texts of places in the source: `parse (src/parse.rs:41)`, and `app+0x93b6ee` for an address
//! without a name.

use super::sources::Sources;
use super::texts;
use memprof_profile::text::KeyFrames;
use memprof_recording::document::{LiveStacks, Module, Place, Snapshot};
use memprof_recording::{LiveSite, Recording};
use std::collections::{HashMap, HashSet};

const MAX_SITES: usize = 50;

#[derive(Debug)]
pub(super) struct Places<'r> {
    recording: &'r Recording,
    sources: &'r Sources,
    modules: Vec<&'r Module>,
    program: &'r str,
    /// The number of different stacks with each address, among the stacks of the page's tables.
    stacks_with: HashMap<u64, usize>,
}

impl<'r> Places<'r> {
    pub(super) fn of(recording: &'r Recording, sources: &'r Sources) -> Self {
        let modules = recording.summary.modules.iter().chain(&recording.stacks.modules);
        let (modules, program) = (modules.collect(), &*recording.metadata.program);
        Self { recording, sources, modules, program, stacks_with: stacks_with(recording) }
    }

    /// Returns the call sites at a given moment, largest first.
    pub(super) fn live_sites(&self, moment: &LiveStacks) -> Vec<LiveSite> {
        self.shortened(self.recording.live_sites(moment))
    }

    pub(super) fn shortened(&self, mut sites: Vec<LiveSite>) -> Vec<LiveSite> {
        for site in &mut sites {
            let places = [&mut site.your_code, &mut site.called].into_iter().flatten();
            for place in places.chain([&mut site.allocates]).chain(&mut site.stack) {
                *place = self.sources.place(place);
            }
        }
        sites
    }

    pub(super) fn text(&self, place: &Place) -> String {
        if let Some(address) = place.address.filter(|_| !is_named(place)) {
            return self.address(address);
        }
        let short = place.short_function();
        place.shown_as(|name| texts::name(short.as_deref().unwrap_or(name)), texts::file)
    }

    /// Returns the file name of the module, and the address that tools such as `addr2line` accept.
    fn address(&self, return_address: u64) -> String {
        // The call is before its return address, which may be the first address of another function.
        let call = return_address.saturating_sub(1);
        let Some(module) = self.modules.iter().find(|module| module.contains(call)) else {
            return format!("{call:#x}");
        };
        let file = module.path.rsplit(['/', '\\']).next().unwrap_or(&module.path);
        format!("{}+{:#x}", texts::name(file), call.wrapping_sub(module.load_bias))
    }

    /// Returns the line of the user's code, if known, and the function that allocates.
    pub(super) fn site<'p>(
        &self,
        yours: Option<&Place>,
        allocates: &Place,
        stack: impl IntoIterator<Item = &'p Place>,
    ) -> String {
        if yours.is_none()
            && !is_named(allocates)
            && let Some(text) = self.unnamed(stack)
        {
            return text;
        }
        match yours.filter(|yours| !is_same_line(yours, allocates)) {
            Some(yours) => format!("{} → {}", self.text(yours), self.text(allocates)),
            None => self.text(allocates),
        }
    }

    pub(super) fn program(&self) -> &str {
        self.program
    }

    /// Returns the call sites that no root reached, largest first. Empty if the snapshot's stacks
    /// are unknown, or if its roots were walked without claiming samples.
    pub(super) fn unexplained_sites(&self, snapshot: &Snapshot) -> Vec<(String, f64)> {
        let stacks = self.recording.live_stacks.iter();
        let moment = stacks.rev().find(|moment| moment.snapshot == Some(snapshot.number));
        let is_claimed =
            |moment: &&LiveStacks| snapshot.roots.is_empty() || !moment.root_names.is_empty();
        let Some(moment) = moment.filter(is_claimed) else { return Vec::new() };
        let mut moment = moment.clone();
        moment.rows.retain(|row| row.root.is_none());
        let sites = self.live_sites(&moment);
        sites.iter().take(MAX_SITES).map(|site| (self.live_site(site), site.live.value)).collect()
    }

    pub(super) fn live_site(&self, site: &LiveSite) -> String {
        self.site(site.your_code.as_ref(), &site.allocates, &site.stack)
    }

    pub(super) fn stack<'p>(&self, frames: impl IntoIterator<Item = &'p Place>) -> Vec<String> {
        frames.into_iter().map(|frame| self.text(frame)).collect()
    }

    /// All stacks of a stripped program begin in the allocator, so the innermost address that the
    /// fewest other stacks have names the call site.
    fn unnamed<'p>(&self, stack: impl IntoIterator<Item = &'p Place>) -> Option<String> {
        let addresses = stack.into_iter().filter_map(|frame| frame.address);
        let count = |address: &u64| self.stacks_with.get(address).copied().unwrap_or(0);
        addresses.min_by_key(count).map(|address| self.address(address))
    }

    /// Returns the first frame of the user's code in a stack, whose innermost frame comes first.
    pub(super) fn your_code<'p>(&self, stack: &'p [Place]) -> Option<&'p Place> {
        KeyFrames::of(stack, |frame| frame.origin(Some(self.program))).your_code
    }
}

/// Counts the stacks of the summary and those at the peak.
fn stacks_with(recording: &Recording) -> HashMap<u64, usize> {
    let summary = &recording.summary;
    let sites = summary.sites.iter().chain(&summary.unexplained_sites).map(|site| &site.stack);
    let leaks = summary.leaks.iter().chain(&summary.doubtful_leaks).map(|leak| &leak.stack);
    let blocks = summary.largest_blocks.iter().map(|block| &block.stack);
    let addresses = |stack: &Vec<Place>| stack.iter().filter_map(|frame| frame.address).collect();
    let mut stacks: HashSet<Vec<u64>> = sites.chain(leaks).chain(blocks).map(addresses).collect();
    let peak = recording.peak_stacks().into_iter().flat_map(|moment| &moment.rows);
    stacks.extend(peak.filter_map(|row| recording.stacks.addresses.get(&row.stack).cloned()));
    let mut stacks_with: HashMap<u64, usize> = HashMap::new();
    for stack in &stacks {
        for &address in stack.iter().collect::<HashSet<_>>() {
            *stacks_with.entry(address).or_default() += 1;
        }
    }
    stacks_with
}

const fn is_named(place: &Place) -> bool {
    place.function.is_some() || place.file.is_some()
}

/// Returns `true` if two places are the same line. Functions that are inlined share an address.
fn is_same_line(one: &Place, other: &Place) -> bool {
    (&one.function, &one.file, one.line) == (&other.function, &other.file, other.line)
}
