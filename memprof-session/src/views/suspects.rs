//! Suspects as users read them: their own line, the dependency that it called, and the function
//! that allocates.

use super::words::{operation, place};
use crate::Recording;
use crate::document::{Estimate, Leak, Place, Summary};
use crate::frames::Origin;

/// A suspect with the frames that explain it. [`Recording::suspects`] returns all of them.
///
/// Frames of the standard library, of executors and of memprof are folded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Suspect<'r> {
    /// The first frame of the user's own packages, going outwards; `None` if the stack has none.
    pub your_code: Option<&'r Place>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates.
    pub called: Option<&'r Place>,
    /// The function that allocates: the innermost one that is not folded.
    pub allocates: &'r Place,
    /// The operations in which the memory was allocated, each with its names, outermost first.
    pub operations: Vec<&'r [String]>,
    /// Growth in bytes per second.
    pub bytes_per_second: f64,
    /// Growth in bytes per call of the operation; `None` outside of operations, and if several
    /// operations allocate.
    pub bytes_per_call: Option<f64>,
    /// The confidence that the memory grows.
    pub confidence: f64,
    /// Live bytes that were allocated since the session began.
    pub live: Estimate,
    /// Live blocks that were allocated since the session began.
    pub live_blocks: Estimate,
    stack: &'r [Place],
    program: &'r str,
}

impl Recording {
    /// Returns the suspects, the worst first. Suspects whose user's line and allocating line are
    /// the same are one.
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
}

impl Summary {
    /// Returns the suspects, the worst first, as [`Recording::suspects`] does. `program` is the file
    /// name of the program: frames without a file are the user's if they are in its crate.
    pub fn suspects<'r>(&'r self, program: &'r str) -> Vec<Suspect<'r>> {
        let mut suspects: Vec<Suspect<'r>> = Vec::new();
        for leak in &self.leaks {
            let suspect = Suspect::of(leak, program);
            match suspects.iter_mut().find(|known| known.has_cause_of(&suspect)) {
                Some(known) => known.add(suspect),
                None => suspects.push(suspect),
            }
        }
        suspects.sort_by(|a, b| b.bytes_per_second.total_cmp(&a.bytes_per_second));
        suspects
    }
}

impl<'r> Suspect<'r> {
    pub(super) fn of(leak: &'r Leak, program: &'r str) -> Self {
        let origin = |frame: &Place| Origin::of(frame, Some(program));
        let is_shown =
            |frame: &&Place| matches!(origin(frame), Origin::Workspace | Origin::Dependency);
        let allocates = leak.stack.iter().find(is_shown).unwrap_or(&leak.place);
        let at = leak.stack.iter().position(|frame| origin(frame) == Origin::Workspace);
        let your_code = at.map(|at| &leak.stack[at]);
        let called = at.and_then(|at| leak.stack[..at].iter().rfind(is_shown));
        let in_place = origin(&leak.place) == Origin::Workspace;
        Self {
            your_code: your_code.or_else(|| in_place.then_some(&leak.place)),
            called,
            allocates,
            operations: vec![&leak.operation],
            bytes_per_second: leak.bytes_per_second,
            bytes_per_call: leak.bytes_per_call,
            confidence: leak.confidence,
            live: leak.live,
            live_blocks: leak.live_blocks,
            stack: &leak.stack,
            program,
        }
    }

    /// Returns `true` if both suspects have names, and the same lines allocate.
    fn has_cause_of(&self, other: &Self) -> bool {
        let key = |place: &'r Place| (&place.function, &place.file, place.line);
        let has_name = self.allocates.function.is_some() || self.allocates.file.is_some();
        has_name
            && key(self.allocates) == key(other.allocates)
            && self.your_code.map(key) == other.your_code.map(key)
    }

    fn add(&mut self, other: Self) {
        if other.live.value > self.live.value {
            (self.stack, self.called) = (other.stack, other.called);
        }
        let is_same = self.operations == other.operations;
        let sum = self.bytes_per_call.zip(other.bytes_per_call).map(|(a, b)| a + b);
        self.bytes_per_call = sum.filter(|_| is_same);
        for operation in other.operations {
            if !self.operations.contains(&operation) {
                self.operations.push(operation);
            }
        }
        self.bytes_per_second += other.bytes_per_second;
        self.confidence = self.confidence.max(other.confidence);
        self.live = self.live.plus(&other.live);
        self.live_blocks = self.live_blocks.plus(&other.live_blocks);
    }

    /// Returns the frames from the allocating one outwards. Without `all`, frames of the standard
    /// library, of executors and of memprof are left out, and so are frames without a name.
    pub fn frames(&self, all: bool) -> Vec<&'r Place> {
        let is_folded = |frame: &Place| {
            !matches!(Origin::of(frame, Some(self.program)), Origin::Workspace | Origin::Dependency)
        };
        self.stack.iter().filter(|frame| all || !is_folded(frame)).collect()
    }

    /// Formats the suspect in one line: `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`.
    ///
    /// The first part is the user's code, the second one the function that allocates.
    pub(crate) fn line(&self) -> String {
        match self.your_code.filter(|yours| *yours != self.allocates) {
            Some(yours) => format!("{} → {}", place(yours), place(self.allocates)),
            None => place(self.allocates),
        }
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
