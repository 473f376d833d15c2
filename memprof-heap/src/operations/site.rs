//! Where an operation is named in the program.

/// Operations that a path remembers to have led to.
pub(super) const CHILDREN: usize = 4;

/// An operation as it stands in the program: its name and its place.
///
/// `operation!` makes one for each place; by hand it is for names that come from elsewhere, such
/// as the spans of another crate.
///
/// ```
/// use memprof_heap::OperationSite;
///
/// static PARSE: OperationSite = OperationSite::new("parse", file!(), line!());
///
/// let guard = PARSE.enter();
/// assert_eq!(PARSE.name(), "parse");
/// # drop(guard);
/// ```
#[derive(Debug)]
pub struct OperationSite {
    name: &'static str,
    file: &'static str,
    line: u32,
}

impl OperationSite {
    /// An operation of this name, at a place in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// The name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The file it stands in.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// The line it stands in.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where a path remembers this operation. Known when the program is compiled; operations on
    /// lines side by side don't push each other out.
    #[inline(always)]
    pub(super) const fn child(&self) -> usize {
        self.line as usize % CHILDREN
    }
}

/// Names the work from here to the end of the scope: a guard that counts what it allocates.
///
/// Within another operation it is a part of that one; each path of names is counted by itself, and
/// an operation within itself, however deep, is one. Costs nothing to speak of, so it can stand in
/// functions that are called a million times a second.
///
/// ```
/// use memprof_heap::{Allocator, Level, operation, operations};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// fn load() -> Vec<String> {
///     let _operation = operation!("load");
///     (0..1000).map(|row| format!("row {row}")).collect()
/// }
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
/// let rows = load();
/// let operations = operations()?;
/// let load = operations.find("load").expect("it ran");
/// assert_eq!(load.calls, 1);
/// assert!(load.allocated_blocks >= 1001);
/// assert!(load.net_bytes() >= 24 * 1000);
/// # drop(rows);
/// # Ok(())
/// # }
/// ```
///
/// The guard has to be kept: `let _ = operation!("load")` ends it at once. It belongs to its
/// thread; for work that awaits there is [`TrackFuture`](crate::TrackFuture).
///
/// # Cost
/// `docs/performance.md` has the instructions; no lock, and no allocation but for the first call on
/// a thread.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::OperationSite =
            $crate::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}
