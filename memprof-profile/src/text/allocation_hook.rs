//! Frames that each stack of an allocation begins with: those of memprof's hook, and of the
//! functions that the compiler generates around the allocator.

use super::source_file::without_version;

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
pub(super) fn is_allocator_shim(function: &str) -> bool {
    let is_shim = |(at, prefix): (usize, &str)| {
        FUNCTIONS.iter().any(|name| function[at + prefix.len()..].starts_with(name))
    };
    PREFIXES.iter().any(|prefix| function.match_indices(prefix).any(is_shim))
}

/// Returns `true` for one of memprof-heap's [`FILES`]. It allocates nothing, because each frame of
/// each stack is checked.
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
    use super::{allocation_hook_pattern, is_allocation_hook};
    use regex_lite::Regex;

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
