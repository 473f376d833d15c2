//! Suspects as users read them: the line of the user's code, the dependency that it called, and the
//! function that allocates.

use super::words::{operation, place_within};
use crate::Recording;
use crate::document::{Doubt, Estimate, HeldBy, Leak, Place, Summary, add_growth};
use memprof_profile::text::{CodeOrigin, KeyFrames, key_line};

/// A suspect with the frames that explain it. [`Recording::suspects`] returns all of them.
///
/// Frames of the standard library, of executors that run other code and of memprof are folded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suspect<'r> {
    /// The first frame of the user's own packages, going outwards; `None` if the stack has none.
    pub your_code: Option<&'r Place>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<&'r Place>,
    /// The function that allocates: the innermost one that is not folded. If several functions
    /// allocate for the user's line, this is the function whose memory is the largest.
    pub allocates: &'r Place,
    /// The other functions that allocate for the user's line, the largest first.
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
    /// The reason why this is no suspect; `None` for a suspect.
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
    /// Returns the suspects, the worst first. Suspects with the same line of the user's code are
    /// joined. Suspects without such a line are joined if they allocate at the same line.
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

    /// Returns the call sites that grew and are no suspects, each with its [doubt](Suspect::doubt);
    /// the fastest growth first. They are joined as suspects are.
    pub fn doubtful_suspects(&self) -> Vec<Suspect<'_>> {
        self.summary.doubtful_suspects(&self.metadata.program)
    }
}

impl Summary {
    /// Returns the suspects, the worst first, as [`Recording::suspects`] does. `program` is the file
    /// name of the program: frames without a file are the user's if they are in its crate.
    pub fn suspects<'r>(&'r self, program: &'r str) -> Vec<Suspect<'r>> {
        self.judged(program).0
    }

    /// Returns the call sites that grew and are no suspects, as [`Recording::doubtful_suspects`]
    /// does.
    pub fn doubtful_suspects<'r>(&'r self, program: &'r str) -> Vec<Suspect<'r>> {
        self.judged(program).1
    }

    /// Returns the suspects and the other call sites that grew.
    ///
    /// A process without names judges each call stack apart. Some of the stacks of one line may then
    /// have too few samples, so they are added to the suspect with this line.
    fn judged<'r>(&'r self, program: &'r str) -> (Vec<Suspect<'r>>, Vec<Suspect<'r>>) {
        let mut suspects = joined(&self.leaks, program);
        let mut others = Vec::new();
        for other in joined(&self.doubtful_leaks, program) {
            let may_leak = matches!(other.doubt, Some(Doubt::FewSamples | Doubt::Unsteady));
            match suspects.iter_mut().find(|known| may_leak && known.has_cause_of(&other)) {
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
            doubt: leak.doubt,
            cut: key.cut,
            parts: vec![Part { allocates, called, live: leak.live, stack: &leak.stack }],
            program,
        }
    }

    /// Returns `true` if both suspects have the same line of the user's code, or the same allocating
    /// line and no user's code.
    fn has_cause_of(&self, other: &Self) -> bool {
        let has_name = self.allocates.function.is_some() || self.allocates.file.is_some();
        match (self.your_code, other.your_code) {
            (Some(one), Some(other)) => is_same_line(one, other),
            (None, None) => has_name && is_same_line(self.allocates, other.allocates),
            _ => false,
        }
    }

    /// Returns whether the suspect is the call site with these places.
    pub(super) fn is_at(&self, your_code: Option<&Place>, allocates: &Place) -> bool {
        match (self.your_code, your_code) {
            (Some(one), Some(other)) => is_same_line(one, other),
            (None, None) => is_same_line(self.allocates, allocates),
            _ => false,
        }
    }

    fn add(&mut self, other: Self) {
        self.cut = self.cut.or(other.cut);
        for part in other.parts {
            let same =
                self.parts.iter_mut().find(|one| is_same_line(one.allocates, part.allocates));
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
        self.freed_at_end &= other.freed_at_end;
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
        let mut named = self.operations.iter().filter(|names| !names.is_empty());
        let first = operation(named.next()?);
        Some(match self.operations.len() {
            1 => first,
            2 => format!("{first}, and 1 other operation"),
            more => format!("{first}, and {} other operations", more - 1),
        })
    }
}

fn is_same_line(one: &Place, other: &Place) -> bool {
    (&one.function, &one.file, one.line) == (&other.function, &other.file, other.line)
}
