//! Call sites as users read them: the line of the user's code, the dependency that it called, and the
//! function that allocates. A suspect grows, and a live site held memory at one moment.

use super::PinnedBytes;
use super::words::{first_operation, place_within};
use crate::Recording;
use crate::document::{
    CodeLine, Doubt, Estimate, HeldBy, Leak, LiveStacks, Place, RootReading, RootState, Snapshot,
    Summary, add_growth,
};
use memprof_profile::text::{CodeOrigin, KeyFrames, key_line};
use std::collections::{HashMap, HashSet};

/// A suspect with the frames that explain it. [`Recording::suspects`] returns all of them.
///
/// Frames of the standard library, of executors that run other code and of memprof are folded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suspect<'r> {
    /// The innermost frame from the user's own packages; `None` if the stack has none.
    pub your_code: Option<&'r Place>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<&'r Place>,
    /// The function that allocates: the innermost one that is not folded. If several functions
    /// allocate for the user's line, this is the function whose memory is the largest.
    pub allocates: &'r Place,
    /// The other functions that allocate for the user's line, largest first.
    pub others: Vec<&'r Place>,
    /// The operations in which the memory was allocated, each with its names, outermost first.
    pub operations: Vec<&'r [String]>,
    /// Growth in bytes per second.
    pub bytes_per_second: f64,
    /// Growth in bytes per call of the operation; `None` outside of operations, and if several
    /// operations allocate.
    pub bytes_per_call: Option<f64>,
    /// The ends of the interval that contains the true growth in 95 of 100 cases.
    pub bytes_per_second_interval: [f64; 2],
    /// Live bytes that were allocated since the session began.
    pub live: Estimate,
    /// Live blocks that were allocated since the session began.
    pub live_blocks: Estimate,
    /// The registered roots that own the memory. The roots that own the most come first. Empty if
    /// no root reached any of it.
    pub held_by: Vec<HeldBy>,
    /// `true` if the program freed more than half of the memory before the session ended.
    pub freed_at_end: bool,
    /// The type of what is allocated, such as `Vec<app::Order>`; `None` if the names do not contain
    /// it.
    pub allocated_type: Option<&'r str>,
    /// The reason why this is not a suspect; `None` for a suspect.
    pub doubt: Option<Doubt>,
    /// The frame that stands for a cut between the user's code and the function that allocates.
    pub(super) cut: Option<&'r Place>,
    /// The functions that allocate, each with a stack.
    parts: Vec<Part<'r>>,
    program: &'r str,
}

/// One function that allocates for a suspect, with the stack that holds the most.
#[derive(Clone, Debug)]
struct Part<'r> {
    allocates: &'r Place,
    called: Option<&'r Place>,
    live: Estimate,
    stack: &'r [Place],
}

impl Recording {
    /// Returns the suspects, worst first. Suspects at the same line of the user's code are merged.
    /// Suspects without such a line are merged if they allocate at the same line.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// for suspect in recording.suspects() {
    ///     println!("{:?} grows in {:?}", suspect.allocates.file, suspect.your_code);
    /// }
    /// # Ok::<(), memprof::session::RecordingError>(())
    /// ```
    pub fn suspects(&self) -> Vec<Suspect<'_>> {
        self.summary.suspects(&self.metadata.program)
    }

    /// Returns the call sites that grew but are not suspects, each with its
    /// [doubt](Suspect::doubt); fastest growth first. They are merged like
    /// [`suspects`](Self::suspects).
    pub fn doubtful_suspects(&self) -> Vec<Suspect<'_>> {
        self.summary.doubtful_suspects(&self.metadata.program)
    }
}

impl Summary {
    /// Returns the suspects, worst first, as [`Recording::suspects`] does. `program` is the file
    /// name of the program: frames without a file are the user's if they are in its crate.
    pub fn suspects<'r>(&'r self, program: &'r str) -> Vec<Suspect<'r>> {
        self.judged(program).0
    }

    /// Returns the call sites that grew but are not suspects, as [`Recording::doubtful_suspects`]
    /// does.
    pub fn doubtful_suspects<'r>(&'r self, program: &'r str) -> Vec<Suspect<'r>> {
        self.judged(program).1
    }

    /// Returns the suspects and the other call sites that grew.
    ///
    /// A process without names judges addresses, and a loop that the compiler unrolled has several.
    /// Some of the stacks of one line may then have too few samples to be judged, or seem short-lived.
    /// They are added to the suspect with this line, so that its growth is that of the line.
    fn judged<'r>(&'r self, program: &'r str) -> (Vec<Suspect<'r>>, Vec<Suspect<'r>>) {
        let mut suspects = joined(&self.leaks, program);
        let mut others = Vec::new();
        for other in joined(&self.doubtful_leaks, program) {
            let has_grown = other.doubt != Some(Doubt::Replaced);
            match suspects.iter_mut().find(|known| has_grown && known.has_cause_of(&other)) {
                Some(known) => known.add(other),
                None => others.push(other),
            }
        }
        sort(&mut suspects);
        (suspects, others)
    }
}

fn joined<'r>(leaks: &'r [Leak], program: &'r str) -> Vec<Suspect<'r>> {
    let mut suspects: Vec<Suspect<'r>> = Vec::new();
    for leak in leaks {
        let suspect = Suspect::of(leak, program);
        let has_cause =
            |known: &&mut Suspect<'_>| known.doubt == suspect.doubt && known.has_cause_of(&suspect);
        match suspects.iter_mut().find(has_cause) {
            Some(known) => known.add(suspect),
            None => suspects.push(suspect),
        }
    }
    sort(&mut suspects);
    suspects
}

fn sort(suspects: &mut [Suspect<'_>]) {
    suspects.sort_by(|a, b| b.bytes_per_second.total_cmp(&a.bytes_per_second));
}

/// Returns the frames that explain a call site. `place` is its place, for stacks without names.
pub(super) fn key_places<'r>(
    place: &'r Place,
    stack: &'r [Place],
    program: &str,
) -> (KeyFrames<&'r Place>, &'r Place) {
    let origin = |frame: &Place| frame.origin(Some(program));
    let mut key = KeyFrames::of(stack, origin);
    key.your_code = key.your_code.or((origin(place) == CodeOrigin::Workspace).then_some(place));
    (key, key.allocates.unwrap_or(place))
}

impl<'r> Suspect<'r> {
    pub(super) fn of(leak: &'r Leak, program: &'r str) -> Self {
        let (key, allocates) = key_places(&leak.place, &leak.stack, program);
        let called = key.called;
        Self {
            your_code: key.your_code,
            called,
            allocates,
            others: Vec::new(),
            operations: vec![&leak.operation],
            bytes_per_second: leak.bytes_per_second,
            bytes_per_call: leak.bytes_per_call,
            bytes_per_second_interval: leak.bytes_per_second_interval,
            live: leak.live,
            live_blocks: leak.live_blocks,
            held_by: leak.held_by.clone(),
            freed_at_end: leak.freed_at_end,
            allocated_type: leak.allocated_type.as_deref(),
            doubt: leak.doubt,
            cut: key.cut,
            parts: vec![Part { allocates, called, live: leak.live, stack: &leak.stack }],
            program,
        }
    }

    /// Both have the same line of the user's code, or the same allocating line and no user's code.
    fn has_cause_of(&self, other: &Self) -> bool {
        (self.your_code.is_some() || self.allocates.is_named())
            && self.is_at(other.your_code, other.allocates)
    }

    pub(super) fn is_at(&self, your_code: Option<&Place>, allocates: &Place) -> bool {
        match (self.your_code, your_code) {
            (Some(one), Some(other)) => one.is_same_line(other),
            (None, None) => self.allocates.is_same_line(allocates),
            _ => false,
        }
    }

    fn add(&mut self, other: Self) {
        self.cut = self.cut.or(other.cut);
        for part in other.parts {
            let same = self.parts.iter_mut().find(|one| one.allocates.is_same_line(part.allocates));
            match same {
                Some(known) => {
                    if part.live.value > known.live.value {
                        (known.stack, known.called) = (part.stack, part.called);
                    }
                    known.live = known.live.plus(&part.live);
                }
                None => self.parts.push(part),
            }
        }
        self.parts.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        (self.allocates, self.called) = (self.parts[0].allocates, self.parts[0].called);
        self.others = self.parts[1..].iter().map(|part| part.allocates).collect();
        let is_same = self.operations == other.operations;
        let sum = self.bytes_per_call.zip(other.bytes_per_call).map(|(a, b)| a + b);
        self.bytes_per_call = sum.filter(|_| is_same);
        for operation in other.operations {
            if !self.operations.contains(&operation) {
                self.operations.push(operation);
            }
        }
        add_growth(
            (&mut self.bytes_per_second, &mut self.bytes_per_second_interval),
            (other.bytes_per_second, other.bytes_per_second_interval),
        );
        if other.live.value > self.live.value {
            self.allocated_type = other.allocated_type;
            // The recorder states this for suspects only.
            if other.doubt.is_none() {
                self.freed_at_end = other.freed_at_end;
            }
        }
        self.live = self.live.plus(&other.live);
        self.live_blocks = self.live_blocks.plus(&other.live_blocks);
        HeldBy::join(&mut self.held_by, &other.held_by);
    }

    /// Returns the frames from the allocating one outwards. Without `all`, frames of the standard
    /// library, of executors and of memprof are left out, and so are frames without a name.
    pub fn frames(&self, all: bool) -> Vec<&'r Place> {
        let is_listed = |frame: &Place| frame.origin(Some(self.program)).is_listed();
        self.parts[0].stack.iter().filter(|frame| all || is_listed(frame)).collect()
    }

    /// Returns all functions that allocate, the one with the largest memory first.
    pub fn all_allocating(&self) -> impl Iterator<Item = &'r Place> {
        [self.allocates].into_iter().chain(self.others.iter().copied())
    }

    /// Returns the functions that allocate for the user's line, without that line itself.
    pub(crate) fn allocating(&self) -> Vec<&'r Place> {
        self.all_allocating().filter(|place| Some(*place) != self.your_code).collect()
    }

    /// Formats the suspect in one line: `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`.
    ///
    /// The first part is the user's code, the second one the function that allocates. Functions are
    /// shortened so that each part has at most `width` columns. Files are relative to `folder`.
    pub(crate) fn line(&self, width: usize, folder: Option<&str>) -> String {
        key_line(self.your_code, self.allocates, |place| place_within(width, place, folder))
    }

    /// Formats the operations: `serve;handle`, or `serve;handle, and 2 other operations`.
    pub(crate) fn operation(&self) -> Option<String> {
        first_operation(&self.operations)
    }
}

/// A call site with the memory that was live at a given moment. [`Recording::live_sites`] returns
/// them.
///
/// Frames of the standard library, of executors that run other code and of memprof are folded, as in a
/// [`Suspect`](super::Suspect).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LiveSite {
    /// The innermost frame from the user's own packages; `None` if the stack has none.
    pub your_code: Option<Place>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<Place>,
    /// The function that allocates: the innermost one that is not folded.
    pub allocates: Place,
    /// The operations in which the memory was allocated, each with its names, outermost first.
    pub operations: Vec<Vec<String>>,
    /// The roots that reached the memory, each with its part of the memory. The largest part comes
    /// first.
    pub roots: Vec<(String, Estimate)>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
    /// The free memory that the blocks pin, which may be 0 bytes; `None` if it was not read.
    pub pinned: Option<PinnedBytes>,
    /// The call stack with the most live bytes, innermost frame first.
    pub stack: Vec<Place>,
}

/// The identity of a call site: its lines, or the number of its stack if the stack has no names.
#[derive(PartialEq, Eq, Hash)]
enum Site {
    Named(CodeLine, Option<CodeLine>),
    Stack(u32),
}

/// All stacks with addresses that the program did not look up are one site.
const UNNAMED: &str = "unnamed: not looked up by the program itself";

impl Recording {
    /// Returns the call sites whose memory was live at a given moment, largest first.
    ///
    /// Each sampled byte is in exactly one call site. Stacks whose user's line and allocating line
    /// are the same are one call site.
    ///
    /// ```no_run
    /// # let recording = memprof::session::Recording::read_file("session.json")?;
    /// if let Some(peak) = recording.peak_stacks() {
    ///     for site in recording.live_sites(peak) {
    ///         println!("{:?} held {} bytes", site.your_code, site.live.value);
    ///     }
    /// }
    /// # Ok::<(), memprof::session::RecordingError>(())
    /// ```
    pub fn live_sites(&self, moment: &LiveStacks) -> Vec<LiveSite> {
        let named = self.stacks.named();
        let paths: HashMap<u32, &[String]> =
            self.operation_paths.iter().map(|path| (path.path, &path.names[..])).collect();
        let mut sites: Vec<LiveSite> = Vec::new();
        let mut known: HashMap<Site, usize> = HashMap::new();
        let mut by_stack: HashMap<u32, usize> = HashMap::new();
        let mut operations: HashSet<(usize, &[String])> = HashSet::new();
        let mut roots: HashMap<(usize, &str), usize> = HashMap::new();
        for row in &moment.rows {
            // Rows are in the order of their bytes, so the first stack of a site is its largest.
            let index = *by_stack.entry(row.stack).or_insert_with(|| {
                let frames = self.stacks.frames_of(row.stack, &named);
                let mut site = LiveSite::of(row.stack, frames, &self.metadata.program);
                if self.stacks.unnamed.contains(&row.stack) {
                    site.allocates.function = Some(UNNAMED.to_owned());
                    site.stack.clear();
                }
                *known.entry(site.key(row.stack)).or_insert_with(|| {
                    sites.push(site);
                    sites.len() - 1
                })
            });
            let operation = row.path.map_or(&[][..], |path| paths.get(&path).unwrap_or(&&[][..]));
            let root = row.root.and_then(|root| moment.root_names.get(root as usize));
            let site = &mut sites[index];
            site.live = site.live.plus(&row.live);
            site.live_blocks = site.live_blocks.plus(&row.live_blocks);
            if operations.insert((index, operation)) {
                site.operations.push(operation.to_vec());
            }
            let Some(root) = root else { continue };
            let held = *roots.entry((index, root)).or_insert_with(|| {
                site.roots.push((root.clone(), Estimate::default()));
                site.roots.len() - 1
            });
            let held = &mut site.roots[held].1;
            *held = held.plus(&row.live);
        }
        for row in &moment.pinned {
            if let Some(&index) = by_stack.get(&row.stack) {
                sites[index].pinned.get_or_insert_default().add(row);
            }
        }
        for site in &mut sites {
            site.roots.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        }
        sites.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        sites
    }

    /// Returns the call stacks whose memory was live at a given moment, each with its frames,
    /// innermost first, its live bytes and its live blocks.
    ///
    /// The largest stack comes first. A stack that is missing from the file has no frames.
    pub fn live_stack_frames(&self, moment: &LiveStacks) -> Vec<(Vec<Place>, Estimate, Estimate)> {
        let named = self.stacks.named();
        let mut stacks: Vec<(u32, Estimate, Estimate)> = Vec::new();
        let mut known: HashMap<u32, usize> = HashMap::new();
        for row in &moment.rows {
            let index = *known.entry(row.stack).or_insert_with(|| {
                stacks.push((row.stack, Estimate::default(), Estimate::default()));
                stacks.len() - 1
            });
            let sum = &mut stacks[index];
            sum.1 = sum.1.plus(&row.live);
            sum.2 = sum.2.plus(&row.live_blocks);
        }
        stacks.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
        let frames = |stack| self.stacks.frames_of(stack, &named);
        stacks.into_iter().map(|(stack, live, blocks)| (frames(stack), live, blocks)).collect()
    }

    /// Returns the bytes of each root at a given moment, with the snapshot that read them.
    ///
    /// The bytes are from the snapshot of the moment, or from the nearest snapshot that walked the
    /// root. A snapshot that found it locked is used only if no snapshot walked it. The largest
    /// root comes first.
    pub fn roots_at<'r>(&'r self, moment: &LiveStacks) -> Vec<(&'r RootReading, &'r Snapshot)> {
        let distance = |(root, snapshot): (&RootReading, &Snapshot)| {
            let is_walked = matches!(root.state, RootState::Profiled | RootState::Partial);
            let is_other = moment.snapshot != Some(snapshot.number);
            (!is_walked, is_other, snapshot.at_ns.abs_diff(moment.at_ns))
        };
        let mut nearest: HashMap<&str, (&'r RootReading, &'r Snapshot)> = HashMap::new();
        for snapshot in &self.snapshots {
            for root in snapshot.roots.iter().filter(|root| root.total_bytes.is_some()) {
                let known = nearest.entry(&root.name).or_insert((root, snapshot));
                if distance((root, snapshot)) < distance(*known) {
                    *known = (root, snapshot);
                }
            }
        }
        let mut roots: Vec<_> = nearest.into_values().collect();
        roots.sort_by(|(a, _), (b, _)| {
            b.total_bytes.cmp(&a.total_bytes).then_with(|| a.name.cmp(&b.name))
        });
        roots
    }
}

impl LiveSite {
    fn of(stack: u32, frames: Vec<Place>, program: &str) -> Self {
        let mut place = frames.first().cloned().unwrap_or_default();
        if frames.is_empty() && stack == 0 {
            // The queries of memprof-heap name these stacks by the same text.
            place.function = Some("other sites: the table of call sites is full".to_owned());
        }
        let (key, allocates) = key_places(&place, &frames, program);
        Self {
            your_code: key.your_code.cloned(),
            called: key.called.cloned(),
            allocates: allocates.clone(),
            operations: Vec::new(),
            roots: Vec::new(),
            live: Estimate::default(),
            live_blocks: Estimate::default(),
            pinned: None,
            stack: frames,
        }
    }

    fn key(&self, stack: u32) -> Site {
        if !self.allocates.is_named() {
            return Site::Stack(stack);
        }
        Site::Named(self.allocates.code_line(), self.your_code.as_ref().map(Place::code_line))
    }

    /// Formats the site in one line: `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`, as
    /// suspects are formatted. Files are relative to `folder`.
    pub(super) fn line(&self, width: usize, folder: Option<&str>) -> String {
        let text = |place: &Place| place_within(width, place, folder);
        key_line(self.your_code.as_ref(), &self.allocates, text)
    }
}

#[cfg(test)]
mod tests {
    use crate::Recording;
    use crate::document::{Estimate, LiveStacks};
    use memprof_profile::views::Units;

    const METADATA: &str = r#"{"program":"app","pid":7,"memprof":"0.1.0","platform":"linux x86_64","started_unix_ns":5,"generated_at":"1970-01-01T00:00:00Z","generated_ns":9,"interval_ns":5000000000,"snapshots":1,"operations_tracked":true,"ended":"running"}"#;

    #[test]
    fn operations_and_roots_of_a_site_are_listed_once_and_roots_are_added_up() {
        let text = r#"{"at_ns":5,"trigger":"peak","live_bytes":96,"root_names":["a","b"],
            "rows":[[7,null,0,64,0,1,0,1],[7,null,1,90,0,1,0,1],[7,2,0,32,0,1,0,1],[8,null,0,1,0,1,0,1],[0,null,0,0.5,0,1,0,1]]}"#;
        let moment: LiveStacks = serde_json::from_str(text).expect("it is complete");
        let timeline =
            format!("{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n");
        let mut recording = Recording::from_text(&timeline).expect("it is complete");
        recording.stacks.addresses = [(7, vec![70]), (8, vec![80])].into();
        let sites = recording.live_sites(&moment);
        let roots = |index: usize| {
            let of = |(name, live): &(String, Estimate)| (name.clone(), live.value, live.samples);
            sites[index].roots.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(roots(0), [("a".to_owned(), 96.0, 2), ("b".to_owned(), 90.0, 1)]);
        assert_eq!(roots(1), [("a".to_owned(), 1.0, 1)]);
        assert_eq!(sites[0].operations, [Vec::<String>::new()], "path 2 has no names");
        let others = sites[2].allocates.function.as_deref();
        assert_eq!(others, Some("other sites: the table of call sites is full"));
    }

    #[test]
    fn a_locked_root_never_shows_its_own_bytes_as_the_whole() {
        let snapshot = |number: u64, state: &str, bytes: u64| {
            format!(
                r#"{{"snapshot":{{"number":{number},"at_ns":{number},"trigger":"peak","heap":null,"process":{{}},"profiler":{{"snapshot_ns":0}},"tensor_count":0,"devices":[],"roots":[{{"name":"statements","state":"{state}","held_ns":0,"total_bytes":{bytes},"heap_bytes":{bytes}}}]}}}}"#
            )
        };
        let read = |snapshots: &[String]| {
            let head = format!(
                "{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n"
            );
            Recording::from_text(&(head + &snapshots.join("\n") + "\n")).expect("it is complete")
        };
        let text = r#"{"at_ns":2,"trigger":"peak","snapshot":2,"live_bytes":96,"root_names":[],"rows":[]}"#;
        let moment: LiveStacks = serde_json::from_str(text).expect("it is complete");
        let shown = |recording: &Recording| {
            let [(root, from)] = recording.roots_at(&moment)[..] else { panic!("one root") };
            (from.number, root.shown_bytes(Units::Iec))
        };
        let (walked, locked) = (snapshot(1, "profiled", 90_000_000), snapshot(2, "locked", 152));
        let both = read(&[walked, locked.clone()]);
        assert_eq!(shown(&both), (1, Some("85.8 MiB".to_owned())), "the nearest walk");
        assert_eq!(shown(&read(&[locked])), (2, Some("≥ 152 B".to_owned())));
        let partial = read(&[snapshot(1, "profiled", 9), snapshot(2, "partial", 70_000)]);
        assert_eq!(shown(&partial), (2, Some("≥ 68.4 KiB".to_owned())));
    }
}
