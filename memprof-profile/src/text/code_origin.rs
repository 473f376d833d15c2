//! The origin of code on call stacks: the user's packages, a dependency, or code that lists of
//! suspects leave out.

use super::allocation_hook::is_allocator_shim;
use super::source_file::{Fetched, fetched, is_of_std, package, without_version};
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
    /// No code: the frames that a call stack lacks.
    Cut,
}

/// The address that stands for the frames that a call stack lacks, between its innermost and its
/// outermost frames. No code has this address.
pub const CUT_ADDRESS: u64 = 1;

/// The function of the frame that stands for the frames that a call stack lacks.
pub const CUT_FRAMES: &str = "more frames: a stack keeps its innermost 40 and its outermost 24";

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
    /// crate of that name.
    pub fn of(function: Option<&str>, file: Option<&str>, program: Option<&str>) -> Self {
        if function == Some(CUT_FRAMES) {
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
    /// executor that itself [allocates](super::KeyFrames::allocates).
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

#[cfg(test)]
mod tests {
    use super::CodeOrigin as Origin;

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
        assert_eq!(origin(Some(super::CUT_FRAMES), None), Origin::Cut);
    }
}
