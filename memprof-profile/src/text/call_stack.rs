//! Call stacks as people read them: where a frame's code comes from, which frames explain an
//! allocation, and short names of functions and files.
//!
//! Frames are classified by their file, and by the function's name only if debug information has no
//! file. With `line-tables-only`, the names of inlined functions lack the crate.
//!
//! memprof-heap prints stacks and memprof-session reads them from files without memprof-heap, so
//! this is the lowest crate that both depend on.

use super::{Shown, cut};
use core::fmt;
use std::borrow::Cow;
use std::path::Path;

/// The origin of a frame's code.
///
/// ```
/// use memprof_profile::text::CodeOrigin;
///
/// let of = |function, file| CodeOrigin::of(Some(function), file, Some("my-app"));
/// assert_eq!(of("my_app::main", None), CodeOrigin::Workspace);
/// assert_eq!(of("push", Some("/rustc/59807616/library/alloc/src/vec/mod.rs")), CodeOrigin::Std);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CodeOrigin {
    /// memprof itself.
    Memprof,
    /// The standard library and the system.
    Std,
    /// Pointers and collections of other packages. Like those of std, they allocate for their
    /// callers.
    Container,
    /// The scheduler of an async runtime or of a thread pool.
    Executor,
    /// Another package that cargo fetched.
    Dependency,
    /// The user's own packages.
    Workspace,
    /// Code without names.
    Unknown,
    /// No code: a placeholder for frames missing from a call stack.
    Cut,
}

/// The address that stands for the frames that are missing from a call stack, between its innermost
/// and its outermost frames. No code has this address.
pub const CUT_ADDRESS: u64 = 1;

/// The function of the frame that stands for the frames that are missing from a call stack.
pub const CUT_FRAMES: &str = "more frames: a stack keeps its innermost 40 and its outermost 24";

/// The name that a frame has if it replaces the outer frames, in which call stacks differ.
pub const DIFFERENT_CALLERS: &str = "different callers";

/// The crates that do not count as ordinary dependencies, each with its origin. If folders or files
/// are listed, only their code has this origin. Files and functions are both classified by this
/// list.
const PACKAGES: [(&str, CodeOrigin, &[&str]); 32] = [
    ("std", CodeOrigin::Std, &[]),
    ("core", CodeOrigin::Std, &[]),
    ("alloc", CodeOrigin::Std, &[]),
    ("rustc_std_workspace_core", CodeOrigin::Std, &[]),
    ("__rustc", CodeOrigin::Std, &[]),
    // It walks the stack of each sample.
    ("backtrace", CodeOrigin::Std, &[]),
    ("memprof", CodeOrigin::Memprof, &[]),
    ("memprof_core", CodeOrigin::Memprof, &[]),
    ("memprof_heap", CodeOrigin::Memprof, &[]),
    ("memprof_profile", CodeOrigin::Memprof, &[]),
    ("memprof_session", CodeOrigin::Memprof, &[]),
    ("allocator_api2", CodeOrigin::Container, &[]),
    ("crossbeam_epoch", CodeOrigin::Container, &["atomic.rs"]),
    ("hashbrown", CodeOrigin::Container, &[]),
    ("indexmap", CodeOrigin::Container, &[]),
    ("once_cell", CodeOrigin::Container, &[]),
    ("slab", CodeOrigin::Container, &[]),
    ("smallvec", CodeOrigin::Container, &[]),
    ("thin_vec", CodeOrigin::Container, &[]),
    ("triomphe", CodeOrigin::Container, &[]),
    ("async_executor", CodeOrigin::Executor, &[]),
    ("async_global_executor", CodeOrigin::Executor, &[]),
    ("async_io", CodeOrigin::Executor, &["driver.rs"]),
    ("async_std", CodeOrigin::Executor, &["task/"]),
    ("async_task", CodeOrigin::Executor, &[]),
    ("futures_executor", CodeOrigin::Executor, &[]),
    ("rayon", CodeOrigin::Executor, &["iter/plumbing/"]),
    ("rayon_core", CodeOrigin::Executor, &[]),
    ("scoped_tls", CodeOrigin::Executor, &[]),
    ("smol", CodeOrigin::Executor, &[]),
    (
        "tokio",
        CodeOrigin::Executor,
        &["runtime/", "task/", "park.rs", "loom/", "macros/", "future/", "util/trace.rs"],
    ),
    ("tracing", CodeOrigin::Executor, &["instrument.rs"]),
];

impl CodeOrigin {
    /// Returns the origin of the code of a frame with this function and file.
    ///
    /// `program` is the name of the program: code without a file is the user's if it is in the
    /// crate with that name.
    pub fn of(function: Option<&str>, file: Option<&str>, program: Option<&str>) -> Self {
        if function.is_some_and(|function| [CUT_FRAMES, DIFFERENT_CALLERS].contains(&function)) {
            return Self::Cut;
        }
        if function.is_some_and(is_allocator_shim) {
            return Self::Std;
        }
        match (file, function) {
            (Some(file), _) => Self::of_file(&file.replace('\\', "/")),
            (None, Some(function)) => Self::of_function(function, program),
            (None, None) => Self::Unknown,
        }
    }

    /// Returns `true` for the user's code, and for dependencies other than containers and
    /// executors. Lists of suspects show such frames and leave out all others, except those of an
    /// executor that itself [allocates](KeyFrames::allocates).
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Workspace | Self::Dependency)
    }

    /// Returns `true` for the frames that short call stacks list: those that are
    /// [shown](Self::is_shown), and a cut.
    pub fn is_listed(self) -> bool {
        self.is_shown() || self == Self::Cut
    }

    /// Returns `true` for code that can be the place of an allocation: std, containers and memprof
    /// allocate for their callers.
    pub fn is_own(self) -> bool {
        self.is_shown() || self == Self::Executor
    }

    fn of_file(file: &str) -> Self {
        if is_of_std(file) {
            return Self::Std;
        }
        let Some(path) = fetched(file) else {
            if is_memprof(file) {
                return Self::Memprof;
            }
            // The code is C's: such libraries start threads, and call `main`.
            let is_rust = Path::new(file).extension().is_some_and(|end| end == "rs");
            return if is_rust { Self::Workspace } else { Self::Std };
        };
        let Some(Fetched { name, file }) = package(&path) else { return Self::Dependency };
        Self::of_package(name, |part| file.starts_with(part)).unwrap_or(Self::Dependency)
    }

    fn of_function(function: &str, program: Option<&str>) -> Self {
        // The names of C functions have no modules. Such functions start threads, or call `main`.
        let Some(crate_name) = crate_of(function) else { return Self::Std };
        if program.is_some_and(|program| program.replace('-', "_") == crate_name) {
            return Self::Workspace;
        }
        let is_in = |part: &str| {
            let module = part.trim_end_matches(".rs").trim_end_matches('/').replace('/', "::");
            function.contains(&format!("{crate_name}::{module}::"))
        };
        Self::of_package(crate_name, is_in).unwrap_or(Self::Dependency)
    }

    /// Returns the origin of a listed package, if its code is in one of the listed parts.
    fn of_package(name: &str, is_in: impl Fn(&str) -> bool) -> Option<Self> {
        // A package's name may contain hyphens, and the crate's name has underscores instead.
        let name = name.replace('-', "_");
        let (_, origin, parts) = PACKAGES.iter().find(|(crate_name, ..)| *crate_name == name)?;
        (parts.is_empty() || parts.iter().any(|part| is_in(part))).then_some(*origin)
    }
}

/// Returns `true` for the sources of memprof's crates if cargo did not fetch them. The facade is
/// not among them, because its folder may have the name of any program.
fn is_memprof(file: &str) -> bool {
    let Some((root, _)) = file.rsplit_once("/src/") else { return false };
    let package = root.rsplit('/').next().unwrap_or_default();
    package.starts_with("memprof-")
        && CodeOrigin::of_package(without_version(package), |_| true) == Some(CodeOrigin::Memprof)
}

/// Returns the crate of a function: the first name of its path. For a method of a trait, that is
/// the crate of the type; if the type has none, it is the crate of the trait.
fn crate_of(function: &str) -> Option<&str> {
    let is_name = |char: char| char.is_alphanumeric() || char == '_';
    let first = |path: &'_ str| -> Option<usize> {
        let end = path.find(|char| !is_name(char))?;
        (end > 0 && path[end..].starts_with("::")).then_some(end)
    };
    let path = function.trim_start_matches(|char: char| !is_name(char));
    if let Some(end) = first(path) {
        return Some(&path[..end]);
    }
    let (_, implemented) = function.split_once(" as ")?;
    first(implemented).map(|end| &implemented[..end])
}

/// The frames of a call stack that explain an allocation. Lists of call sites print them, and join
/// stacks whose [`your_code`](Self::your_code) and [`allocates`](Self::allocates) are the same
/// lines.
///
/// ```
/// use memprof_profile::text::{CodeOrigin, KeyFrames};
///
/// let stack = [
///     ("Vec::push", CodeOrigin::Std),
///     ("parser::Buffer::grow", CodeOrigin::Dependency),
///     ("parser::parse", CodeOrigin::Dependency),
///     ("app::load", CodeOrigin::Workspace),
///     ("app::main", CodeOrigin::Workspace),
/// ];
/// let key = KeyFrames::of(&stack, |frame| frame.1);
/// let names = [key.your_code, key.called, key.allocates].map(|frame| frame.unwrap().0);
/// assert_eq!(names, ["app::load", "parser::parse", "parser::Buffer::grow"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyFrames<F> {
    /// The innermost frame from the user's own packages; `None` if the stack has none.
    pub your_code: Option<F>,
    /// The function of a dependency that the user's code called; `None` if the user's code
    /// allocates, or the stack has none.
    pub called: Option<F>,
    /// The function that allocates: the innermost one that is [shown](CodeOrigin::is_shown), or an
    /// executor's if no shown function is further in.
    pub allocates: Option<F>,
    /// The frame that stands for a cut, unless it is outside of the user's code.
    pub cut: Option<F>,
}

impl<F: Copy> KeyFrames<F> {
    /// Finds the frames in a stack, whose innermost frame comes first.
    pub fn of(stack: impl IntoIterator<Item = F>, origin: impl Fn(F) -> CodeOrigin) -> Self {
        let (mut called, mut allocates, mut cut) = (None, None, None);
        // An executor allocates for itself, in `spawn` for example, unless it runs other code.
        let mut runs_code = false;
        for frame in stack {
            let origin = origin(frame);
            if origin == CodeOrigin::Cut {
                cut = Some(frame);
            }
            if !origin.is_shown() && (runs_code || origin != CodeOrigin::Executor) {
                continue;
            }
            runs_code |= origin.is_shown();
            allocates = allocates.or(Some(frame));
            if origin == CodeOrigin::Workspace {
                return Self { your_code: Some(frame), called, allocates, cut };
            }
            called = Some(frame);
        }
        Self { your_code: None, called: None, allocates, cut }
    }
}

/// Formats the user's code and the function that allocates in one line:
/// `serve (src/main.rs:19) → new (tokio-util-0.7.1/…:144)`.
pub fn key_line<F: Copy + PartialEq>(
    your_code: Option<F>,
    allocates: F,
    text: impl Fn(F) -> String,
) -> String {
    match your_code.filter(|yours| *yours != allocates) {
        Some(yours) => format!("{} → {}", text(yours), text(allocates)),
        None => text(allocates),
    }
}

/// The maximum number of functions that allocate for one line of the user's code.
const ALLOCATING: usize = 4;

/// Writes the lines below a line of the user's code: the function that it called, the functions that
/// allocate, and the cut between them. `text` formats a frame in a number of columns.
///
/// # Errors
/// Returns the errors from `out`.
pub fn write_called<F: Copy + PartialEq>(
    out: &mut impl fmt::Write,
    called: Option<F>,
    allocating: &[F],
    cut: Option<F>,
    width: usize,
    text: impl Fn(F, usize) -> String,
) -> fmt::Result {
    let mut line = |label: &str, frame: F| {
        writeln!(out, "  {label:<9} {}", text(frame, width.saturating_sub(12)))
    };
    if let Some(called) = called.filter(|called| !allocating.contains(called)) {
        line("calls", called)?;
    }
    for (index, frame) in allocating.iter().take(ALLOCATING).enumerate() {
        line(if index == 0 { "allocates" } else { "and" }, *frame)?;
    }
    if let Some(more) = allocating.len().checked_sub(ALLOCATING).filter(|more| *more > 0) {
        writeln!(out, "  and {more} more")?;
    }
    cut.map_or(Ok(()), |cut| writeln!(out, "  through   {}", text(cut, width)))
}

/// A place in source code: a function with its file and line, each if known.
///
/// ```
/// use memprof_profile::text::CodePlace;
///
/// let place = CodePlace::new(Some("app::parse::<u8>"), Some("/srv/app/src/parse.rs"), Some(41));
/// let shown = place.shown(Some("/srv/app"));
/// assert_eq!(shown.as_deref(), Some("app::parse (src/parse.rs:41)"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CodePlace<'p> {
    function: Option<&'p str>,
    file: Option<&'p str>,
    line: Option<u32>,
}

/// A shorter end of a function's name would not identify it.
const MIN_NAME: usize = 6;

impl<'p> CodePlace<'p> {
    /// Returns the place with these names from debug information.
    pub fn new(function: Option<&'p str>, file: Option<&'p str>, line: Option<u32>) -> Self {
        Self { function, file, line }
    }

    /// Formats the place with a short function and a short file, both escaped. Files are relative
    /// to `folder`. Returns `None` if neither is known.
    pub fn shown(self, folder: Option<&str>) -> Option<String> {
        match (self.function(), self.location(folder)) {
            (Some(function), Some(location)) => Some(format!("{function} ({location})")),
            (one, other) => one.or(other),
        }
    }

    /// Formats the place as [`shown`](Self::shown) does, in this number of columns if possible. The
    /// function is shortened; the file and the line are never cut.
    pub fn within(self, width: usize, folder: Option<&str>) -> Option<String> {
        let whole = self.shown(folder)?;
        let excess = whole.chars().count().saturating_sub(width);
        let (Some(function), Some(location)) = (self.function(), self.location(folder)) else {
            return Some(whole);
        };
        if excess == 0 {
            return Some(whole);
        }
        let most = function.chars().count().saturating_sub(excess);
        let shorter = [without_trait(&function), last_names(&function)].into_iter().flatten();
        if let Some(fits) = shorter.into_iter().find(|name| name.chars().count() <= most) {
            return Some(format!("{fits} ({location})"));
        }
        let kept = most.saturating_sub(1);
        if kept < MIN_NAME {
            return Some(location);
        }
        let name = last_names(&function).unwrap_or(function);
        let cut = name.chars().count().saturating_sub(kept);
        Some(format!("…{} ({location})", name.chars().skip(cut).collect::<String>()))
    }

    fn function(self) -> Option<String> {
        self.function.map(|name| Shown(&short_function(name)).to_string())
    }

    fn location(self, folder: Option<&str>) -> Option<String> {
        let file = Shown(&short_file(self.file?, folder)).to_string();
        Some(self.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
    }
}

/// Returns `a::Type::method` for `<a::Type as b::Trait>::method`.
fn without_trait(function: &str) -> Option<String> {
    let (of, rest) = function.strip_prefix('<')?.split_once(" as ")?;
    let (_, method) = rest.rsplit_once(">::")?;
    Some(format!("{of}::{method}"))
}

/// Returns the last two names of a path: `Type::method`. The name of a closure is kept together
/// with that of its function.
fn last_names(function: &str) -> Option<String> {
    let path = without_trait(function).unwrap_or_else(|| function.to_owned());
    let path = path.replace("<…>", "");
    let closures = path.matches("::{").count();
    let (at, _) = path.rmatch_indices("::").nth(1 + closures)?;
    let names = &path[at + 2..];
    // This is the end of a type's arguments, not a name.
    (!names.contains([' ', '<', '>'])).then(|| names.to_owned())
}

/// Returns a function's name without type arguments: `<Vec<u8> as Clone>::clone` becomes
/// `<Vec<…> as Clone>::clone`, and `new::<u8>` becomes `new`.
pub fn short_function(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut depth = 0_u32;
    let mut previous = ' ';
    for char in name.chars() {
        let is_arrow = previous == '-' && char == '>';
        // An angle bracket at the start of a path encloses a type; after a name, its arguments.
        let begins_path = matches!(previous, ' ' | '<' | '&' | '(' | '[' | ',' | '*');
        match char {
            '<' if depth > 0 || !begins_path => {
                if depth == 0 {
                    let is_turbofish = short.ends_with("::");
                    short.truncate(short.trim_end_matches(':').len());
                    if !is_turbofish {
                        short.push_str("<…>");
                    }
                }
                depth += 1;
            }
            '>' if depth > 0 && !is_arrow => depth -= 1,
            _ if depth == 0 => short.push(char),
            _ => {}
        }
        previous = char;
    }
    // The arguments of a function itself are at the end.
    match short.strip_suffix("<…>") {
        Some(function) => function.to_owned(),
        None => short,
    }
}

/// Returns a call of a macro, such as `assert_budget!(model)`, on one line. A long argument is cut.
///
/// ```
/// use memprof_profile::text::macro_call;
///
/// assert_eq!(macro_call("report", "Model {\n    size: 1 }"), "report!(Model { size: 1 })");
/// ```
pub fn macro_call(name: &str, argument: &str) -> String {
    let words: Vec<&str> = argument.split_whitespace().collect();
    format!("{name}!({})", cut(&words.join(" "), 40))
}

/// A file of a package, split at its `src`: `tokio-1.52.0/src/runtime/park.rs`.
struct Fetched<'f> {
    name: &'f str,
    file: &'f str,
}

/// Returns the name of a source file without the folders of the machine that compiled it.
///
/// Files of fetched packages begin with the package, and files of std with its crate. Files below
/// `folder` are relative to it. Other files begin with the folder of their package.
///
/// ```
/// use memprof_profile::text::short_file;
///
/// let file = "/root/.cargo/registry/src/index.crates.io-1949/slab-0.4.9/src/lib.rs";
/// assert_eq!(short_file(file, None), "slab-0.4.9/src/lib.rs");
/// assert_eq!(short_file("/srv/app/src/main.rs", Some("/srv/app")), "src/main.rs");
/// ```
pub fn short_file(file: &str, folder: Option<&str>) -> String {
    let path = file.replace('\\', "/");
    if let Some(path) = fetched(&path) {
        return path.into_owned();
    }
    if is_of_std(&path)
        && let Some(below) = below_std(&path)
    {
        return below.to_owned();
    }
    let below = |folder: &str| {
        let folder = folder.replace('\\', "/");
        path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/').map(str::to_owned)
    };
    if let Some(below) = folder.and_then(below) {
        return below;
    }
    if !is_absolute(&path) {
        return file.to_owned();
    }
    // Two packages of a workspace may have files of the same name below `src`.
    if let Some(package) = path.rfind("/src/").and_then(|src| path[..src].rfind('/')) {
        return path[package + 1..].to_owned();
    }
    below_home(&path).map_or_else(|| file.to_owned(), |below| format!("~/{below}"))
}

/// Returns the current directory, for [`short_file`]; `None` if it has been removed.
pub fn current_folder() -> Option<String> {
    std::env::current_dir().ok()?.to_str().map(str::to_owned)
}

/// Includes packages that are compiled into the standard library. The path has forward slashes.
fn is_of_std(path: &str) -> bool {
    path.starts_with("/rustc/")
        || path.starts_with("/rust/deps/")
        || path.contains("/lib/rustlib/src/rust/")
}

/// Returns the path of a file below the folder of packages that cargo fetched, beginning with the
/// package. The path has forward slashes.
fn fetched(path: &str) -> Option<Cow<'_, str>> {
    if let Some((_, rest)) = path.split_once("/registry/src/") {
        // The name of the registry comes first.
        return rest.split_once('/').map(|(_, below)| below.into());
    }
    if let Some((_, rest)) = path.split_once("/git/checkouts/") {
        // The folder of a repository ends with a hash, and contains a folder for each commit.
        let (repository, rest) = rest.split_once('/')?;
        let (_, below) = rest.split_once('/')?;
        let name = repository.rsplit_once('-').map_or(repository, |(name, _)| name);
        // In a repository with several packages, the folder of the package is enough.
        let single = below.starts_with("src/");
        return Some(if single { format!("{name}/{below}").into() } else { below.into() });
    }
    let vendored = path.split_once("/vendor/").map(|(_, below)| below);
    // A module of the program may have the name `vendor`, but it has no package inside.
    vendored
        .or_else(|| path.strip_prefix("vendor/"))
        .filter(|below| below.contains("/src/"))
        .or_else(|| is_versioned(path).then_some(path))
        .map(Cow::from)
}

/// The path has forward slashes.
fn package(path: &str) -> Option<Fetched<'_>> {
    let (package, file) = path.split_once("/src/")?;
    Some(Fetched { name: without_version(package.rsplit('/').next()?), file })
}

/// Removes the version from the name of a package's folder.
///
/// ```
/// assert_eq!(memprof_profile::text::without_version("tokio-util-0.7.1"), "tokio-util");
/// ```
pub fn without_version(package: &str) -> &str {
    let is_version = |at: usize| package[at + 1..].starts_with(|char: char| char.is_ascii_digit());
    let mut dashes = package.match_indices('-').map(|(at, _)| at);
    dashes.find(|&at| is_version(at)).map_or(package, |at| &package[..at])
}

/// Returns `true` for `slab-0.4.9/src/lib.rs`: a fetched file whose folder was removed, as
/// `-Z trim-paths` does.
fn is_versioned(path: &str) -> bool {
    let Some((package, _)) = path.split_once("/src/") else { return false };
    !package.contains('/') && without_version(package).len() + 5 < package.len()
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.get(1..3).is_some_and(|next| next == ":/")
}

fn below_std(path: &str) -> Option<&str> {
    let after = |folder: &str| path.split_once(folder).map(|(_, below)| below);
    after("/library/").or_else(|| after("/rust/deps/"))
}

fn below_home(path: &str) -> Option<&str> {
    let of_users = ["/home/", "/Users/", "C:/Users/"];
    let user = of_users.iter().find_map(|home| path.strip_prefix(home));
    let below = user.and_then(|rest| rest.split_once('/')).map(|(_, below)| below);
    below.or_else(|| path.strip_prefix("/root/"))
}

/// The files of memprof-heap's folder `record` whose code runs in each allocation.
const FILES: [&str; 7] =
    ["alloc.rs", "counters.rs", "level.rs", "sample.rs", "shard.rs", "stack.rs", "threads.rs"];

/// The beginnings of the names that the compiler generates: a prefix and a function.
const PREFIXES: [&str; 3] = ["__rust_", "__rdl_", "__rg_"];
const FUNCTIONS: [&str; 4] = ["alloc", "dealloc", "realloc", "no_alloc_shim"];

/// Returns `true` for a frame of memprof's hook, and of a function that the compiler generates
/// around the allocator.
///
/// A frame with a file is classified by the file: with `line-tables-only`, the names of inlined
/// functions lack the crate.
///
/// ```
/// use memprof_profile::text::is_allocation_hook;
///
/// assert!(is_allocation_hook(Some("__rustc::__rust_alloc"), None));
/// assert!(is_allocation_hook(Some("count"), Some("/srv/memprof-heap-0.1.0/src/record/alloc.rs")));
/// assert!(!is_allocation_hook(Some("my_app::main"), Some("/srv/my-app/src/main.rs")));
/// ```
pub fn is_allocation_hook(function: Option<&str>, file: Option<&str>) -> bool {
    if function.is_some_and(is_allocator_shim) {
        return true;
    }
    match file {
        Some(file) => is_in_hook(file),
        None => function.is_some_and(|function| function.contains("memprof_heap::record::alloc::")),
    }
}

/// Returns a regular expression that matches the names of the outermost functions for which
/// [`is_allocation_hook`] is `true`, mangled or not.
pub fn allocation_hook_pattern() -> String {
    let (prefixes, functions) = (PREFIXES.join("|"), FUNCTIONS.join("|"));
    // A mangled path has the length of each name instead of `::`.
    format!(r".*memprof_heap(::|\d+)record(::|\d+)alloc(::|\d|E).*|.*({prefixes})({functions}).*")
}

/// Returns `true` for functions that the compiler generates around the allocator. Mangled names of
/// these functions contain their names too.
fn is_allocator_shim(function: &str) -> bool {
    let is_shim = |(at, prefix): (usize, &str)| {
        FUNCTIONS.iter().any(|name| function[at + prefix.len()..].starts_with(name))
    };
    PREFIXES.iter().any(|prefix| function.match_indices(prefix).any(is_shim))
}

/// Allocates nothing, because each frame of each stack is checked.
fn is_in_hook(file: &str) -> bool {
    let mut parents = [""; 3];
    file.split(['/', '\\']).any(|part| {
        let [package, source, folder] = parents;
        parents = [source, folder, part];
        let is_recording = source == "src" && folder == "record" && FILES.contains(&part);
        is_recording && without_version(package) == "memprof-heap"
    })
}

#[cfg(test)]
mod tests {
    use super::CodeOrigin as Origin;
    use super::*;
    use regex_lite::Regex;

    fn origin(function: Option<&str>, file: Option<&str>) -> Origin {
        Origin::of(function, file, Some("my-app"))
    }

    #[test]
    fn a_file_decides_the_origin_of_a_frame() {
        let registry = "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/";
        for (file, expected) in [
            ("/rustc/59807616e1/library/alloc/src/vec/mod.rs", Origin::Std),
            (
                "/home/u/.rustup/toolchains/x/lib/rustlib/src/rust/library/std/src/rt.rs",
                Origin::Std,
            ),
            ("./nptl/pthread_create.c", Origin::Std),
            ("./csu/../sysdeps/nptl/libc_start_call_main.h", Origin::Std),
            ("/srv/memprof/memprof-heap/src/record/alloc.rs", Origin::Memprof),
            (&format!("{registry}memprof-heap-0.1.0/src/record/alloc.rs"), Origin::Memprof),
            (&format!("{registry}tokio-1.52.0/src/runtime/park.rs"), Origin::Executor),
            (&format!("{registry}tokio-1.52.0/src/sync/mpsc/block.rs"), Origin::Dependency),
            (&format!("{registry}tokio-util-0.7.1/src/task/mod.rs"), Origin::Dependency),
            ("/home/u/.cargo/git/checkouts/moka-a1/b2c/src/lib.rs", Origin::Dependency),
            (
                "C:\\Users\\u\\.cargo\\registry\\src\\x\\rayon-core-1.13.0\\src\\job.rs",
                Origin::Executor,
            ),
            ("/home/u/.cargo/git/checkouts/rayon-a1/b2c/rayon-core/src/job.rs", Origin::Executor),
            ("/home/u/.cargo/git/checkouts/smol-a1/b2c/src/lib.rs", Origin::Executor),
            (&format!("{registry}hashbrown-0.14.5/src/raw/mod.rs"), Origin::Container),
            (&format!("{registry}once_cell-1.21.3/src/imp_std.rs"), Origin::Container),
            (&format!("{registry}crossbeam-epoch-0.9.18/src/atomic.rs"), Origin::Container),
            (&format!("{registry}crossbeam-epoch-0.9.18/src/collector.rs"), Origin::Dependency),
            ("/srv/memprof/src/main.rs", Origin::Workspace),
            ("/srv/app/src/main.rs", Origin::Workspace),
            ("/srv/app/src/vendor/list.rs", Origin::Workspace),
            ("src/main.rs", Origin::Workspace),
        ] {
            assert_eq!(origin(Some("f"), Some(file)), expected, "{file}");
        }
    }

    #[test]
    fn a_function_decides_without_a_file() {
        for (function, expected) in [
            ("alloc::vec::Vec<T>::push", Origin::Std),
            ("<alloc::vec::Vec<my_app::T> as core::clone::Clone>::clone", Origin::Std),
            ("<[T] as alloc::slice::Join<&str>>::join", Origin::Std),
            ("__rust_alloc", Origin::Std),
            ("__libc_start_main", Origin::Std),
            ("memprof_heap::record::alloc::stopped_at_free", Origin::Memprof),
            ("_RNvCs4fqI2P2rA04_7___rustc12___rust_alloc", Origin::Std),
            ("__rustc::__rust_realloc", Origin::Std),
            ("__rustc::__rust_no_alloc_shim_is_unstable_v2", Origin::Std),
            ("tokio::runtime::task::raw::poll", Origin::Executor),
            ("<tokio::task::local::LocalSet>::run_until", Origin::Executor),
            ("tokio::sync::mpsc::block::new", Origin::Dependency),
            ("smallvec::SmallVec<A>::grow", Origin::Container),
            ("crossbeam_epoch::atomic::Owned<T>::init", Origin::Container),
            ("crossbeam_epoch::collector::Collector::new", Origin::Dependency),
            ("<moka::Cache<K, V>>::get", Origin::Dependency),
            ("my_app::handle::{{closure}}", Origin::Workspace),
            ("<my_app::Type as core::clone::Clone>::clone", Origin::Workspace),
            ("<str as my_app::Trait>::function", Origin::Workspace),
        ] {
            assert_eq!(origin(Some(function), None), expected, "{function}");
        }
        assert_eq!(origin(None, None), Origin::Unknown);
        assert_eq!(origin(Some(CUT_FRAMES), None), Origin::Cut);
    }

    #[test]
    fn folded_frames_are_none_of_the_three() {
        use CodeOrigin::{Container, Cut, Dependency, Executor, Memprof, Std, Unknown, Workspace};
        for (stack, your_code, called, allocates) in [
            (&[Std, Container, Workspace, Executor][..], Some(2), None, Some(2)),
            (&[Unknown, Dependency, Std, Dependency, Std, Workspace], Some(5), Some(3), Some(1)),
            (&[Workspace, Dependency, Workspace], Some(0), None, Some(0)),
            (&[Std, Dependency, Executor], None, None, Some(1)),
            (&[Std, Memprof, Unknown], None, None, None),
            (&[], None, None, None),
            // An executor spawns a task.
            (&[Std, Executor, Std, Executor, Workspace, Executor], Some(4), Some(3), Some(1)),
            // An executor registers a socket for a dependency, in a task that it runs.
            (&[Executor, Dependency, Executor, Workspace], Some(3), Some(1), Some(0)),
            (&[Std, Executor, Std], None, None, Some(1)),
            (&[Dependency, Cut, Dependency, Workspace], Some(3), Some(2), Some(0)),
            (&[Dependency, Workspace, Cut, Workspace], Some(1), Some(0), Some(0)),
        ] {
            let inside = &stack[..your_code.unwrap_or(stack.len())];
            let cut = inside.iter().position(|origin| *origin == Cut);
            let key = KeyFrames { your_code, called, allocates, cut };
            assert_eq!(KeyFrames::of(0..stack.len(), |index| stack[index]), key, "{stack:?}");
        }
    }

    #[test]
    fn functions_become_shorter_and_files_and_lines_stay() {
        let implemented = "<app::tree::Node<u8> as core::default::Default>::default";
        for (function, width, expected) in [
            (
                implemented,
                99,
                "<app::tree::Node<…> as core::default::Default>::default (src/tree/node.rs:144)",
            ),
            (implemented, 60, "app::tree::Node<…>::default (src/tree/node.rs:144)"),
            (implemented, 40, "Node::default (src/tree/node.rs:144)"),
            ("app::tree::Tree::push::<u8>", 99, "app::tree::Tree::push (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 40, "Tree::push (src/tree/node.rs:144)"),
            ("app::tree::push::{{closure}}", 50, "tree::push::{{closure}} (src/tree/node.rs:144)"),
            ("a_function_with_a_long_name", 40, "…with_a_long_name (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 10, "src/tree/node.rs:144"),
        ] {
            let place = CodePlace::new(Some(function), Some("src/tree/node.rs"), Some(144));
            assert_eq!(place.within(width, None).as_deref(), Some(expected), "{width}");
        }
    }

    #[test]
    fn type_arguments_are_left_out_of_names() {
        for (name, expected) in [
            ("app::new::<u64>", "app::new"),
            ("app::new<u64, fn() -> u8>", "app::new"),
            (
                "<alloc::vec::Vec<u8> as core::clone::Clone>::clone",
                "<alloc::vec::Vec<…> as core::clone::Clone>::clone",
            ),
            ("<T as app::Convert<u8>>::convert", "<T as app::Convert<…>>::convert"),
            ("app::Cache<K, V>::get::{{closure}}", "app::Cache<…>::get::{{closure}}"),
            ("<<A as B<u8>>::C as D>::e", "<<A as B<…>>::C as D>::e"),
            ("<&[T] as app::Join<&str>>::join", "<&[T] as app::Join<…>>::join"),
            ("app::unclosed<u8", "app::unclosed"),
            ("malloc", "malloc"),
            ("", ""),
        ] {
            assert_eq!(short_function(name), expected, "{name}");
        }
    }

    #[test]
    fn files_of_packages_are_short_and_begin_with_the_package() {
        let registry = "registry/src/index.crates.io-1949cf8c6b5b557f";
        for (file, expected) in [
            (&*format!("/home/u/.cargo/{registry}/slab-0.4.9/src/a.rs"), "slab-0.4.9/src/a.rs"),
            (&*format!("/srv/cargo/{registry}/slab-0.4.9/src/a.rs"), "slab-0.4.9/src/a.rs"),
            (
                "C:\\Users\\u\\.cargo\\registry\\src\\x\\slab-0.4.9\\src\\a.rs",
                "slab-0.4.9/src/a.rs",
            ),
            ("/home/u/.cargo/git/checkouts/net-77aa/12bc/src/lib.rs", "net/src/lib.rs"),
            ("/home/u/.cargo/git/checkouts/net-77aa/12bc/tcp/src/lib.rs", "tcp/src/lib.rs"),
            ("/srv/app/vendor/slab/src/lib.rs", "slab/src/lib.rs"),
            ("vendor/slab/src/lib.rs", "slab/src/lib.rs"),
            ("slab-0.4.9/src/lib.rs", "slab-0.4.9/src/lib.rs"),
            ("/srv/app/src/vendor/list.rs", "app/src/vendor/list.rs"),
            ("/rustc/59807616e1/library/alloc/src/vec/mod.rs", "alloc/src/vec/mod.rs"),
            (
                "/home/u/.rustup/toolchains/x/lib/rustlib/src/rust/library/std/src/rt.rs",
                "std/src/rt.rs",
            ),
            ("/rust/deps/hashbrown-0.16.1/src/map.rs", "hashbrown-0.16.1/src/map.rs"),
            ("/rustc/", "/rustc/"),
            ("/srv/app/crates/core/src/lib.rs", "core/src/lib.rs"),
            ("C:\\app\\src\\main.rs", "app/src/main.rs"),
            ("/home/u/work/app/src/main.rs", "app/src/main.rs"),
            ("/home/u/work/app/build.rs", "~/work/app/build.rs"),
            ("/root/build.rs", "~/build.rs"),
            ("/main.rs", "/main.rs"),
            ("src/main.rs", "src/main.rs"),
            ("", ""),
        ] {
            assert_eq!(short_file(file, None), expected, "{file}");
        }
    }

    #[test]
    fn files_below_the_given_folder_are_relative_to_it() {
        for (file, folder, expected) in [
            ("/srv/app/src/main.rs", "/srv/app", "src/main.rs"),
            ("/srv/app/core/src/lib.rs", "/srv/app/", "core/src/lib.rs"),
            ("/srv/application/src/main.rs", "/srv/app", "application/src/main.rs"),
            ("C:\\app\\src\\main.rs", "C:\\app", "src/main.rs"),
        ] {
            assert_eq!(short_file(file, Some(folder)), expected, "{file}");
        }
    }

    #[test]
    fn a_file_decides_whether_a_frame_is_in_the_hook() {
        for (file, expected) in [
            ("/srv/memprof/memprof-heap/src/record/alloc.rs", true),
            ("memprof-heap/src/record/alloc.rs", true),
            ("C:\\cargo\\registry\\src\\x\\memprof-heap-0.1.0\\src\\record\\stack.rs", true),
            ("/git/checkouts/memprof-a1/b2c/memprof-heap/src/record/threads.rs", true),
            ("/srv/memprof/memprof-heap/src/record/parts.rs", false),
            ("/srv/memprof/memprof-heap/src/read/symbols.rs", false),
            ("/srv/memprof/memprof-core/src/record/alloc.rs", false),
            ("/program/src/record/alloc.rs", false),
            ("/srv/app/src/memprof-heap/alloc.rs", false),
        ] {
            assert_eq!(is_allocation_hook(Some("f"), Some(file)), expected, "{file}");
        }
        assert!(!is_allocation_hook(None, None));
    }

    #[test]
    fn the_pattern_matches_the_same_names_as_the_predicate() {
        // Tools compare the pattern with the whole name.
        let pattern = Regex::new(&format!("^({})$", allocation_hook_pattern())).unwrap();
        for (name, expected) in [
            ("memprof_heap::record::alloc::stopped_at_allocation", true),
            ("<memprof_heap::record::alloc::Allocator as GlobalAlloc>::alloc", true),
            ("__rust_alloc", true),
            ("__rustc::__rust_realloc", true),
            ("__rust_alloc_zeroed", true),
            ("__rdl_dealloc", true),
            ("__rg_alloc", true),
            ("_RNvCs4fqI2P2rA04_7___rustc12___rust_alloc", true),
            ("__rustc::__rust_no_alloc_shim_is_unstable_v2", true),
            ("__rust_begin_short_backtrace", false),
            ("memprof_heap::read::symbols::find", false),
            ("my_app::hook::realloc", false),
            ("alloc::alloc::alloc", false),
        ] {
            assert_eq!(is_allocation_hook(Some(name), None), expected, "{name}");
            assert_eq!(pattern.is_match(name), expected, "{name}");
        }
        assert!(pattern.is_match("_RNvNtNtCs1_12memprof_heap6record5alloc5count"));
    }
}
