//! Module paths of functions, from the paths of their files.

use memprof_profile::text::without_version;

/// Returns a function's name with the modules of its file: `tokio::sync::mpsc::new`.
///
/// With `debug = "line-tables-only"`, inlined functions have only their own name. `outer` is the
/// function that they were inlined into, with its file. The crate of a file is known if cargo
/// fetched it, if it is the standard library's, or if it has the same sources as `outer`.
pub(super) fn qualified(name: &str, file: &str, outer: Option<(&str, &str)>) -> String {
    let file = file.replace('\\', "/");
    let Some((root, modules)) = split(&file) else { return name.to_owned() };
    let package = root.rsplit('/').next().unwrap_or_default();
    let is_fetched = ["/registry/src/", "/git/checkouts/", "/rustc/", "/rust/deps/"]
        .iter()
        .any(|part| root.contains(part));
    let crate_name = if is_fetched {
        Some(without_version(package).replace('-', "_"))
    } else {
        outer
            .filter(|(_, file)| split(&file.replace('\\', "/")).is_some_and(|of| of.0 == root))
            .and_then(|(function, _)| {
                let function = function.trim_start_matches(['<', '&']);
                function.split_once("::").map(|(crate_name, _)| crate_name.to_owned())
            })
    };
    let modules = modules.strip_suffix(".rs").unwrap_or(modules);
    let modules = modules.split('/').filter(|part| !["mod", "lib", "main"].contains(part));
    let parts = crate_name.iter().map(String::as_str).chain(modules).chain([name]);
    parts.collect::<Vec<_>>().join("::")
}

/// Returns `true` if a function's name has modules or a type. Its type arguments do not count.
pub(super) fn has_path(name: &str) -> bool {
    name.split_once('<').map_or(name, |(own, _)| own).contains("::") || name.starts_with('<')
}

/// Splits a file into the folder of its package and its path below `src`.
fn split(file: &str) -> Option<(&str, &str)> {
    file.rsplit_once("/src/")
}

#[cfg(test)]
mod tests {
    use super::{has_path, qualified};

    #[test]
    fn a_path_in_the_type_arguments_is_not_the_function_s() {
        for (name, expected) in [
            ("from_str<serde_json::value::Value>", false),
            ("{async_fn#0}<u64, alloc::sync::Arc<u8>>", false),
            ("app::from_str<u8>", true),
            ("<app::Type as core::clone::Clone>::clone", true),
        ] {
            assert_eq!(has_path(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_without_modules_gets_those_of_its_file() {
        let tokio = "/root/.cargo/registry/src/index.crates.io-1/tokio-util-0.7.1/src/sync/mod.rs";
        let outer = Some(("<app::Cache as app::Store>::add", "/srv/app/src/main.rs"));
        for (name, file, outer, expected) in [
            ("new<u64>", tokio, None, "tokio_util::sync::new<u64>"),
            ("push", "/rustc/59/library/alloc/src/vec/mod.rs", None, "alloc::vec::push"),
            ("add", "/srv/app/src/cache/table.rs", outer, "app::cache::table::add"),
            ("main", "/srv/app/src/main.rs", outer, "app::main"),
            ("add", "/srv/other/src/table.rs", outer, "table::add"),
            ("add", "/srv/other/src/table.rs", None, "table::add"),
            ("add", "C:\\app\\src\\table.rs", None, "table::add"),
            ("malloc", "./malloc/malloc.c", outer, "malloc"),
        ] {
            assert_eq!(qualified(name, file, outer), expected, "{name} in {file}");
        }
    }
}
