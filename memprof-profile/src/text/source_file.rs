//! Names of source files: the package that a file belongs to, and the name without the folders of
//! the machine that compiled it.

use std::borrow::Cow;

/// A file of a package, split at its `src`: `tokio-1.52.0/src/runtime/park.rs`.
pub(super) struct Fetched<'f> {
    /// The name of the package, without the version.
    pub(super) name: &'f str,
    /// The path below `src`.
    pub(super) file: &'f str,
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

/// Returns `true` for files of the standard library, and of packages that are compiled into it. The
/// path has forward slashes.
pub(super) fn is_of_std(path: &str) -> bool {
    path.starts_with("/rustc/")
        || path.starts_with("/rust/deps/")
        || path.contains("/lib/rustlib/src/rust/")
}

/// Returns the path of a file below the folder of packages that cargo fetched, beginning with the
/// package. The path has forward slashes.
pub(super) fn fetched(path: &str) -> Option<Cow<'_, str>> {
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

/// Returns the package of a file. The path has forward slashes.
pub(super) fn package(path: &str) -> Option<Fetched<'_>> {
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

#[cfg(test)]
mod tests {
    use super::short_file;

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
}
