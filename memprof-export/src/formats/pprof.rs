//! The pprof format, which `go tool pprof`, Pyroscope and Parca read.
//!
//! Frame names do not depend on the process, so that the profiles of a fleet can be merged. The
//! comments name the process. Frames without a name have the address of the call and the mapping of
//! its module, so that readers find the name in the module's file.

mod build;

use super::ExportError;
use super::stacks::{self, OTHER_SITES, Shares, Sites};
use build::{Building, Counted, Frame, LocationId};
use flate2::Compression;
use flate2::write::GzEncoder;
use memprof_profile::Profile;
use memprof_profile::text::Shown;
use memprof_profile::tree::{Branch, KEYS, Origin, SHARED};
use memprof_recording::Recording;
use memprof_recording::document::{Estimate, LiveStacks, Metadata, Place, Snapshot};
use prost::Message;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// A profile in the pprof format. [`write`](Self::write) compresses it with gzip, as tools expect.
///
/// ```
/// use memprof::export::Pprof;
/// use memprof::Profile;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let mut file = Vec::new();
/// Pprof::of_profile(&profile, None)?.write(&mut file)?;
/// assert!(file.starts_with(b"\x1f\x8b"), "gzip");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pprof(build::Profile);

impl Pprof {
    /// Converts the tree of a profile. Its frames are the names, with the leaf innermost. The own
    /// bytes of each name are in `inuse_space`.
    ///
    /// `inuse_objects` counts the allocations of values that were walked. It is left out if the
    /// profile's [`origin`](Profile::origin) does not record them.
    ///
    /// Each sample of bytes has two labels. `device` is the memory, and `kind` is the bracketed
    /// frame of the leaf. The device and kind of allocations are unknown, so their samples have no
    /// label and no bytes.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^63 − 1 bytes, which pprof cannot represent.
    pub fn of_profile(profile: &Profile, moment: Option<&Moment>) -> Result<Self, ExportError> {
        let objects = profile.origin() == Origin::Values;
        let counted: &[_] = if objects {
            &[Counted::InuseObjects, Counted::InuseSpace]
        } else {
            &[Counted::InuseSpace]
        };
        let root = profile.root();
        let program = moment.map_or(root.name(), |moment| &moment.program);
        let building = Building::new(program, counted);
        let mut samples = Samples { building, objects, stack: Vec::new() };
        samples.stack.push(samples.building.location(&Frame::named(root.name())));
        samples.line(root, false);
        let mut building = samples.building;
        if let Some(moment) = moment {
            building.comment(&moment.process);
            building.comment(&moment.snapshot);
            building.time(moment.unix_ns, 0);
        }
        // If the origin does not record allocations, exactness is unknown.
        if objects {
            building.comment(if profile.is_exact() { "exact" } else { "not exact" });
        }
        building.finish().map(Self)
    }

    /// Converts the live bytes of a session by call stack, from samples. Functions have their file
    /// and line.
    ///
    /// A frame without a name has its address. Its mapping has the module's file and build id and
    /// the offset in the file, so that readers can look up the name. Without the offset, the
    /// name of the frame is `[unknown]`.
    ///
    /// `inuse_objects` and `inuse_space` have the live memory. `alloc_space` counts all bytes that
    /// these call sites allocated, if the session recorded them.
    ///
    /// The frame `[other_sites]` holds the bytes of call sites that the file does not list, so
    /// `inuse_space` adds up to all live bytes. Only their bytes are known, so the other values do
    /// not include them; a comment in the file states this. Estimates are rounded so that they add
    /// up to the rounded sum.
    ///
    /// # Errors
    /// Returns an error if no samples were taken, if the file ends before its first summary, or if
    /// there are more than 2^63 − 1 bytes.
    pub fn of_sites(recording: &Recording) -> Result<Self, ExportError> {
        let metadata = &recording.metadata;
        let sites = stacks::sites(recording)?;
        let allocated = sites.listed.iter().all(|site| site.allocated.is_some());
        let counted = if allocated { &OF_SITES[..] } else { &OF_SITES[1..] };
        let mut building = Building::new(&metadata.program, counted);
        building.set_modules(&recording.summary.modules);
        let mut shares = [Shares::default(); OF_SITES.len()];
        let mut values = |estimates: [Option<Estimate>; OF_SITES.len()]| {
            let share = |(estimate, shares): (Option<Estimate>, &mut Shares)| {
                estimate.map_or(0, |estimate| shares.next(estimate))
            };
            let values: Vec<u64> = estimates.into_iter().zip(&mut shares).map(share).collect();
            values[OF_SITES.len() - counted.len()..].to_vec()
        };
        for site in sites.listed {
            let values = values([site.allocated, Some(site.live_blocks), Some(site.live)]);
            building.sample(stacks::stack(site).iter().map(frame), &values);
        }
        building.comment(&process(metadata));
        building.time(metadata.started_unix_ns, metadata.generated_ns);
        building
            .comment("estimated from samples; each site has its stack with the most live bytes");
        if allocated {
            building.comment("alloc_space counts only sites with live bytes");
        }
        if let Some(live) = sites.other {
            let values = values([None, None, Some(live)]);
            building.sample([Frame::named(OTHER_SITES)], &values);
            building.comment("only inuse_space is known for [other_sites]");
        }
        if let Some(libraries) = within_libraries(&sites) {
            building.drop_frames(libraries);
        }
        building.finish().map(Self)
    }

    /// Converts the live bytes by call stack at one moment, such as [`Recording::peak_stacks`].
    ///
    /// `inuse_objects` and `inuse_space` have the live memory of each stack, rounded as in
    /// [`of_sites`](Self::of_sites). The frame `[other_sites]` holds the memory of stacks that are
    /// missing from the file.
    ///
    /// # Errors
    /// Returns an error if there are more than 2^63 − 1 bytes.
    pub fn of_live_stacks(recording: &Recording, moment: &LiveStacks) -> Result<Self, ExportError> {
        let metadata = &recording.metadata;
        let counted = [Counted::InuseObjects, Counted::InuseSpace];
        let mut building = Building::new(&metadata.program, &counted);
        building.set_modules(&recording.stacks.modules);
        let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
        for (frames, live, live_blocks) in recording.live_stack_frames(moment) {
            let values = [blocks.next(live_blocks), bytes.next(live)];
            if frames.is_empty() {
                building.sample([Frame::named(OTHER_SITES)], &values);
            } else {
                building.sample(frames.iter().map(frame), &values);
            }
        }
        building.comment(&process(metadata));
        building.time(metadata.started_unix_ns.saturating_add(moment.at_ns), 0);
        let name = moment.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
        let trigger = moment.trigger.as_str();
        building
            .comment(&format!("{trigger}{name}: {} bytes were live (exact)", moment.live_bytes));
        building.comment("estimated from samples; each stack of that moment is listed");
        building.finish().map(Self)
    }

    /// Converts the operations of a session. The frames are the names of the path. Memory is
    /// counted at the innermost operation only, so no memory is counted twice.
    ///
    /// `alloc_objects` and `alloc_space` are exact. `inuse_objects` and `inuse_space` are
    /// estimates, and are left out if no samples were taken.
    ///
    /// # Errors
    /// Returns an error if operations were not counted, if the file ends before its first summary,
    /// or if there are more than 2^63 − 1 bytes.
    pub fn of_operations(recording: &Recording) -> Result<Self, ExportError> {
        let metadata = &recording.metadata;
        let operations = stacks::operations(recording)?;
        let live = stacks::has_retained(recording);
        let counted = if live { &OF_OPERATIONS[..] } else { &OF_OPERATIONS[..2] };
        let mut building = Building::new(&metadata.program, counted);
        let (mut blocks, mut bytes) = (Shares::default(), Shares::default());
        let share = |estimate: Option<Estimate>, shares: &mut Shares| {
            estimate.map_or(0, |estimate| shares.next(estimate))
        };
        for operation in operations {
            let row = operation.row;
            let values = [
                operation.allocated_blocks,
                row.own_allocated_bytes,
                share(row.retained_blocks, &mut blocks),
                share(row.retained, &mut bytes),
            ];
            let stack = row.path.iter().rev().map(|name| Frame::named(name));
            building.sample(stack, &values[..counted.len()]);
        }
        building.comment(&process(metadata));
        building.time(metadata.started_unix_ns, metadata.generated_ns);
        building.comment("allocations outside all operations are not in this file");
        if live {
            building.comment("inuse_objects and inuse_space are estimated from samples");
        }
        building.finish().map(Self)
    }

    /// Writes the profile, compressed. The same profile always produces the same bytes.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = GzEncoder::new(out, Compression::default());
        out.write_all(&self.0.encode_to_vec())?;
        out.finish()?.flush()
    }
}

fn process(metadata: &Metadata) -> String {
    let Metadata { program, pid, memprof, platform, .. } = metadata;
    format!("{program}, process {pid} on {platform}, recorded by memprof {memprof}")
}

/// When a session took a profile, and in which process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    program: String,
    process: String,
    snapshot: String,
    unix_ns: u64,
}

impl Moment {
    /// Returns the moment of a snapshot.
    pub fn of(metadata: &Metadata, snapshot: &Snapshot) -> Self {
        let (number, trigger) = (snapshot.number, snapshot.trigger.as_str());
        let name = snapshot.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
        Self {
            program: metadata.program.clone(),
            process: process(metadata),
            snapshot: format!("snapshot {number} ({trigger}{name})"),
            unix_ns: metadata.started_unix_ns.saturating_add(snapshot.at_ns),
        }
    }
}

struct Samples<'r> {
    building: Building<'r>,
    objects: bool,
    /// The outermost frame comes first.
    stack: Vec<LocationId>,
}

impl Samples<'_> {
    /// Adds the samples of a branch, whose name is already on the stack. The recursion is as deep
    /// as the profile, at most 1024 levels.
    fn line(&mut self, branch: Branch<'_>, of_keys: bool) {
        for leaf in branch.leaves() {
            let device = leaf.device().to_string();
            let kind = if of_keys { KEYS } else { leaf.kind().as_str() };
            self.sample(0, leaf.bytes(), &[("device", &device), ("kind", kind)]);
        }
        self.sample(branch.counts().allocations, 0, &[]);
        for child in branch.children() {
            if describes_parent(child) {
                self.line(child, of_keys || child.name() == KEYS);
                continue;
            }
            if is_empty(child) {
                continue;
            }
            let frame = self.building.location(&Frame::named(child.name()));
            self.stack.push(frame);
            self.line(child, false);
            self.stack.pop();
        }
    }

    fn sample(&mut self, objects: u64, bytes: u64, labels: &[(&str, &str)]) {
        let values = [objects, bytes];
        let values = if self.objects { &values[..] } else { &values[1..] };
        self.building.sample_at(self.stack.iter().rev().copied(), values, labels);
    }
}

/// Returns `true` if a branch has no bytes and no allocations: readers drop frames without samples.
fn is_empty(branch: Branch<'_>) -> bool {
    branch.total_bytes() == 0 && branch.subtree().all(|below| below.counts().allocations == 0)
}

/// Returns `true` if a branch only describes its parent: a shared allocation, or keys without names
/// below them. Without these frames, a path does not depend on the number of handles.
fn describes_parent(branch: Branch<'_>) -> bool {
    match branch.name() {
        SHARED => true,
        KEYS => !has_names(branch),
        _ => false,
    }
}

fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !matches!(child.name(), KEYS | SHARED) || has_names(child))
}

const OF_SITES: [Counted; 3] = [Counted::AllocSpace, Counted::InuseObjects, Counted::InuseSpace];

fn frame(place: &Place) -> Frame<'_> {
    let function = stacks::function(place).into();
    let has_name = place.function.is_some() || place.file.is_some();
    let return_address = if has_name { None } else { place.address };
    Frame { function, file: place.file.as_deref(), line: place.line, return_address }
}

/// Returns a regular expression that matches the functions called directly by the program's own
/// functions.
///
/// These functions and all functions that they call belong to libraries, which only pass a request
/// on to the allocator. Without the expression, tables would list only library functions. A name
/// that also occurs at a call site or among its callers is kept.
fn within_libraries(sites: &Sites<'_>) -> Option<String> {
    let mut called = BTreeSet::new();
    let mut kept_names = BTreeSet::new();
    for site in sites.listed {
        let stack = stacks::stack(site);
        let place = stack.iter().position(|frame| *frame == site.place).unwrap_or(0);
        kept_names.extend(stack[place..].iter().filter_map(compared));
        called.extend(stack[..place].last().and_then(compared));
    }
    let names: Vec<String> = called.difference(&kept_names).map(|name| escaped(name)).collect();
    (!names.is_empty()).then(|| names.join("|"))
}

/// Readers treat a parenthesis as the start of the arguments.
fn compared(frame: &Place) -> Option<&str> {
    let name = frame.function.as_deref()?;
    name.split('(').next().filter(|name| !name.is_empty())
}

fn escaped(name: &str) -> String {
    let shown = Shown(name).to_string();
    let mut escaped = String::with_capacity(shown.len());
    for char in shown.chars() {
        if char.is_ascii_punctuation() && char != '_' {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}

const OF_OPERATIONS: [Counted; 4] =
    [Counted::AllocObjects, Counted::AllocSpace, Counted::InuseObjects, Counted::InuseSpace];
