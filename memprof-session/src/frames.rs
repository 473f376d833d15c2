//! The origins of frames: the user's workspace, a dependency, or code that suspects hide.

use crate::document::Place;
use std::path::Path;

/// The origin of a frame's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// memprof itself.
    Memprof,
    /// The standard library and the system.
    Std,
    /// The scheduler of an async runtime or of a thread pool.
    Executor,
    /// A package that cargo fetched.
    Dependency,
    /// The user's own packages.
    Workspace,
    /// Code without names.
    Unknown,
}

/// Returns `true` if a frame is the program's or a dependency's, as in `Frame::is_yours`.
#[cfg(any(
    feature = "symbols",
    all(feature = "heap", any(target_os = "linux", target_os = "android"))
))]
pub(crate) fn is_own(frame: &Place) -> bool {
    matches!(Origin::of(frame, None), Origin::Workspace | Origin::Dependency | Origin::Executor)
}

/// Packages that only run other code: their whole source, or these folders and files of it.
const EXECUTORS: [(&str, &[&str]); 12] = [
    ("tokio", &["runtime/", "task/", "park.rs", "macros/", "future/", "util/trace.rs"]),
    ("rayon-core", &[]),
    ("rayon", &["iter/plumbing/"]),
    ("futures-executor", &[]),
    ("async-executor", &[]),
    ("async-global-executor", &[]),
    ("async-task", &[]),
    ("async-io", &["driver.rs"]),
    ("async-std", &["task/"]),
    ("smol", &[]),
    ("scoped-tls", &[]),
    ("tracing", &["instrument.rs"]),
];

/// A fetched package's file: `tokio-1.52.0/src/runtime/park.rs`, split at its `src`.
struct Fetched<'f> {
    package: &'f str,
    file: &'f str,
}

impl Origin {
    /// Returns the origin of a frame. `program` is the name of the recorded program, which decides
    /// for frames without a file.
    pub(crate) fn of(frame: &Place, program: Option<&str>) -> Self {
        match (frame.file.as_deref(), frame.function.as_deref()) {
            (Some(file), function) => Self::of_file(&file.replace('\\', "/"), function),
            (None, Some(function)) => Self::of_function(function, program),
            (None, None) => Self::Unknown,
        }
    }

    fn of_file(file: &str, function: Option<&str>) -> Self {
        let is_std = file.starts_with("/rustc/")
            || file.starts_with("/rust/deps/")
            || file.contains("/lib/rustlib/src/rust/");
        if is_std || function.is_some_and(is_allocator_shim) {
            return Self::Std;
        }
        if is_memprof(file) {
            return Self::Memprof;
        }
        let Some(path) = fetched(file) else {
            // Libraries in C start threads, and call `main`.
            let is_rust = Path::new(file).extension().is_some_and(|end| end == "rs");
            return if is_rust { Self::Workspace } else { Self::Std };
        };
        let Some(of) = Fetched::of(path) else { return Self::Dependency };
        let runs = |(package, parts): &(&str, &[&str])| {
            *package == of.package
                && (parts.is_empty() || parts.iter().any(|part| of.file.starts_with(part)))
        };
        match of.package {
            // It walks the stack of each sample.
            "backtrace" => Self::Std,
            _ if EXECUTORS.iter().any(runs) => Self::Executor,
            _ => Self::Dependency,
        }
    }

    fn of_function(function: &str, program: Option<&str>) -> Self {
        if is_allocator_shim(function) {
            return Self::Std;
        }
        // Names of C have no modules. Such functions start threads, or call `main`.
        let Some(crate_name) = crate_of(function) else { return Self::Std };
        match crate_name {
            "std"
            | "core"
            | "alloc"
            | "hashbrown"
            | "backtrace"
            | "rustc_std_workspace_core"
            | "__rustc" => Self::Std,
            "memprof" | "memprof_heap" | "memprof_session" | "memprof_core" => Self::Memprof,
            "rayon_core" | "futures_executor" | "async_executor" | "async_task" => Self::Executor,
            "tokio" if function.contains("tokio::runtime::") => Self::Executor,
            "tokio" if function.contains("tokio::task::") => Self::Executor,
            other if program.is_some_and(|program| program.replace('-', "_") == other) => {
                Self::Workspace
            }
            _ => Self::Dependency,
        }
    }
}

/// Returns a function's name without type arguments: `<Vec<u8> as Clone>::clone` becomes
/// `<Vec<…> as Clone>::clone`, and `new::<u8>` becomes `new`.
pub(crate) fn short_function(name: &str) -> String {
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

/// Returns a file as `tokio-util-0.7.1/src/sync/mod.rs`, as `alloc/src/vec/mod.rs`, or below the
/// current folder.
pub(crate) fn short_file(file: &str) -> String {
    let path = file.replace('\\', "/");
    if let Some(path) = fetched(&path) {
        return path.to_owned();
    }
    for library in ["/library/", "/rust/deps/"] {
        let is_std = path.starts_with("/rust") || path.contains("/lib/rustlib/src/rust/");
        if let Some((_, path)) = path.split_once(library).filter(|_| is_std) {
            return path.to_owned();
        }
    }
    let folder = std::env::current_dir().unwrap_or_default();
    if let Some(below) = folder.to_str().and_then(|folder| file.strip_prefix(folder))
        && let Some(below) = below.strip_prefix(['/', '\\'])
    {
        return below.to_owned();
    }
    // Two packages of a workspace may have files of the same name below `src`.
    let source = path.rfind("/src/").and_then(|src| path[..src].rfind('/'));
    match source {
        Some(package) if path.starts_with('/') => path[package + 1..].to_owned(),
        _ => file.to_owned(),
    }
}

/// Returns `true` for functions that the compiler generates around the allocator.
fn is_allocator_shim(function: &str) -> bool {
    // `__rust_begin_short_backtrace` is around `main`.
    let calls = ["__rust_alloc", "__rust_realloc", "__rust_dealloc", "__rg_"];
    calls.iter().any(|call| function.contains(call)) || function.starts_with("_R")
}

/// Returns `true` for the sources of memprof's crates, fetched or not.
fn is_memprof(file: &str) -> bool {
    let Some((root, _)) = file.rsplit_once("/src/") else { return false };
    let package = without_version(root.rsplit('/').next().unwrap_or_default());
    ["memprof-heap", "memprof-session", "memprof-core", "memprof-profile"].contains(&package)
}

/// Returns `true` if a frame is code that runs in each allocation.
#[cfg(any(
    feature = "symbols",
    all(feature = "heap", any(target_os = "linux", target_os = "android"))
))]
pub(crate) fn is_hook(frame: &Place) -> bool {
    let Some(file) = frame.file.as_deref().map(|file| file.replace('\\', "/")) else {
        let function = frame.function.as_deref().unwrap_or_default();
        return function.contains("memprof_heap::hook::") || is_allocator_shim(function);
    };
    let is_shim = frame.function.as_deref().is_some_and(is_allocator_shim);
    let layers = ["/src/base/", "/src/thread/", "/src/sampling/", "/src/hook/"];
    is_shim || is_memprof(&file) && layers.iter().any(|layer| file.contains(layer))
}

/// Returns the path of a file below the folder of packages that cargo fetched.
pub(crate) fn fetched(file: &str) -> Option<&str> {
    if let Some((_, rest)) = file.split_once("/registry/src/") {
        // The name of the registry comes first.
        return rest.split_once('/').map(|(_, path)| path);
    }
    if let Some((_, rest)) = file.split_once("/git/checkouts/") {
        return rest.split_once('/').map(|(_, path)| path);
    }
    file.split_once("/vendor/").map(|(_, path)| path)
}

impl<'f> Fetched<'f> {
    fn of(path: &'f str) -> Option<Self> {
        let (package, file) = path.split_once("/src/")?;
        let package = package.rsplit('/').next()?;
        Some(Self { package: without_version(package), file })
    }
}

/// Removes the version from the name of a package's folder: `tokio-util-0.7.1` is `tokio-util`.
pub(crate) fn without_version(package: &str) -> &str {
    let is_version = |at: usize| package[at + 1..].starts_with(|char: char| char.is_ascii_digit());
    let mut dashes = package.match_indices('-').map(|(at, _)| at);
    dashes.find(|&at| is_version(at)).map_or(package, |at| &package[..at])
}

/// Returns the crate of a function: of the type, unless only a trait has a crate.
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
    use super::{Origin, short_file, short_function};
    use crate::document::Place;

    fn origin(function: Option<&str>, file: Option<&str>) -> Origin {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let place = Place { function: text(function), file: text(file), ..Place::default() };
        Origin::of(&place, Some("my-app"))
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
            ("/srv/memprof/memprof-heap/src/hook/slow.rs", Origin::Memprof),
            (&format!("{registry}memprof-heap-0.1.0/src/hook/slow.rs"), Origin::Memprof),
            (&format!("{registry}tokio-1.52.0/src/runtime/park.rs"), Origin::Executor),
            (&format!("{registry}tokio-1.52.0/src/sync/mpsc/block.rs"), Origin::Dependency),
            (&format!("{registry}tokio-util-0.7.1/src/task/mod.rs"), Origin::Dependency),
            ("/home/u/.cargo/git/checkouts/moka-a1/b2c/src/lib.rs", Origin::Dependency),
            (
                "C:\\Users\\u\\.cargo\\registry\\src\\x\\rayon-core-1.13.0\\src\\job.rs",
                Origin::Executor,
            ),
            ("/srv/app/src/main.rs", Origin::Workspace),
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
            ("memprof_heap::hook::slow::count", Origin::Memprof),
            ("tokio::runtime::task::raw::poll", Origin::Executor),
            ("<moka::Cache<K, V>>::get", Origin::Dependency),
            ("my_app::handle::{{closure}}", Origin::Workspace),
            ("<my_app::Type as core::clone::Clone>::clone", Origin::Workspace),
            ("<str as my_app::Trait>::function", Origin::Workspace),
        ] {
            assert_eq!(origin(Some(function), None), expected, "{function}");
        }
        assert_eq!(origin(None, None), Origin::Unknown);
    }

    #[test]
    #[cfg(feature = "symbols")]
    fn the_frames_around_main_are_not_in_the_hook() {
        let is_hook = |function: &str| {
            super::is_hook(&Place { function: Some(function.to_owned()), ..Place::default() })
        };
        for (function, expected) in [
            ("__rust_alloc_zeroed", true),
            ("__rustc::__rust_realloc", true),
            ("memprof_heap::hook::slow::count", true),
            ("std::sys::backtrace::__rust_begin_short_backtrace::<fn(), ()>", false),
            ("app::main", false),
        ] {
            assert_eq!(is_hook(function), expected, "{function}");
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
        let registry = "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";
        for (file, expected) in [
            (&format!("{registry}/tokio-util-0.7.1/src/a.rs")[..], "tokio-util-0.7.1/src/a.rs"),
            ("/rustc/59807616e1/library/alloc/src/vec/mod.rs", "alloc/src/vec/mod.rs"),
            ("/rust/deps/hashbrown-0.16.1/src/map.rs", "hashbrown-0.16.1/src/map.rs"),
            (
                "C:\\Users\\u\\.cargo\\registry\\src\\x\\slab-0.4.9\\src\\lib.rs",
                "slab-0.4.9/src/lib.rs",
            ),
            ("/srv/app/crates/core/src/lib.rs", "core/src/lib.rs"),
            ("/main.rs", "/main.rs"),
            ("src/main.rs", "src/main.rs"),
        ] {
            assert_eq!(short_file(file), expected);
        }
    }
}
