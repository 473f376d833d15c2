//! The name of an operation, and its location in the program.

/// The number of entries of the cache of inner operations in each record.
pub(super) const CHILDREN: usize = 4;

/// An operation in the source of the program: its name and location.
///
/// `operation!` creates one for each location. Create one by hand for names that come from
/// elsewhere, such as the spans of another crate.
///
/// ```
/// use memprof::heap::operation::OperationSite;
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
    /// Creates an operation with this name at a location in the source.
    pub const fn new(name: &'static str, file: &'static str, line: u32) -> Self {
        Self { name, file, line }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the file that names the operation.
    pub fn file(&self) -> &'static str {
        self.file
    }

    /// Returns the line that names the operation.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the entry for this operation in the caches of records. It is known at compile time.
    /// Operations on adjacent lines have different entries, so they don't replace each other.
    #[inline(always)]
    pub(super) const fn child(&self) -> usize {
        self.line as usize % CHILDREN
    }
}

/// Names the work from here to the end of the scope. The macro returns a guard, which counts what
/// the work allocates.
///
/// The counts of an operation within another one are part of the outer operation's counts too. Each
/// path of names is counted by itself. An operation within itself, at any depth, has the path of
/// the outer call. The cost is low enough for functions that are called a million times a second.
///
/// ```
/// use memprof::heap::{operations, Level};
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// fn load() -> Vec<String> {
///     let _operation = operation!("load");
///     (0..1000).map(|row| format!("row {row}")).collect()
/// }
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
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
/// Keep the guard in a variable: `let _ = operation!("load")` ends the operation at once. The guard
/// belongs to its thread. For work that awaits, use [`TrackFuture`](crate::operation::TrackFuture).
///
/// # Cost
/// `docs/performance.md` has the instructions. No lock is taken, and only the first call on a
/// thread allocates.
#[macro_export]
macro_rules! operation {
    ($name:expr $(,)?) => {{
        static OPERATION: $crate::operation::OperationSite =
            $crate::operation::OperationSite::new($name, ::core::file!(), ::core::line!());
        OPERATION.enter()
    }};
}
