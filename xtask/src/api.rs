//! `cargo xtask api`: the public API of each library crate, compared with its stored listing.

use crate::tools::{cargo_subcommand, has_nightly};
use crate::{Failure, cargo, target, workspace};
use std::path::PathBuf;
use std::{env, fs};

/// The library crates, with the features of their listings. `candle_core011` is left out, because
/// candle compiles for minutes and adds impls only.
const CRATES: [(&str, &str); 9] = [
    ("memprof", "full,criterion"),
    ("memprof-core", ""),
    ("memprof-derive", "track"),
    ("memprof-profile", "json,yaml,flamegraph"),
    ("memprof-heap", "criterion,tracing_subscriber03"),
    ("memprof-gpu", "nvml,cuda,json,criterion"),
    ("memprof-pool", "cuda,json,session"),
    ("memprof-session", "record,heap"),
    ("memprof-export", "page,exports,metrics"),
];

/// The variable that makes the check store the listings instead of comparing them.
const UPDATE: &str = "MEMPROF_UPDATE";

pub(crate) fn run() -> Result<(), Failure> {
    if !has_nightly() {
        println!("skipped: the listing needs a nightly toolchain, which is not installed");
        return Ok(());
    }
    let tools = cargo_subcommand("cargo-public-api")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([tools].into_iter().chain(env::split_paths(&path)))?;
    let store = env::var_os(UPDATE).is_some_and(|value| value == "1");
    let mut changed = Vec::new();
    for (name, features) in CRATES {
        // Without the impls that the compiler adds to each type.
        let listing = cargo()
            .args(["public-api", "-sss", "--color", "never", "--package", name])
            .args(["--features", features, "--target-dir"])
            .arg(target("api"))
            .env("PATH", &path)
            // Cargo sets these variables for this program, and they name the stable compiler.
            .env_remove("RUSTC")
            .env_remove("CARGO")
            .env_remove("RUSTUP_TOOLCHAIN")
            .output()?;
        if !listing.status.success() {
            let error = String::from_utf8_lossy(&listing.stderr);
            return Err(format!("cannot list the API of {name}: {}", error.trim()).into());
        }
        let listing = String::from_utf8(listing.stdout)?;
        let stored = stored(name);
        let before = fs::read_to_string(&stored).unwrap_or_default();
        println!("{name}: {} items, {} at the root", listing.lines().count(), at_root(&listing));
        if listing == before {
            continue;
        }
        if store {
            fs::write(&stored, &listing)?;
        } else {
            print_difference(&before, &listing);
            changed.push(name);
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    let changed = changed.join(", ");
    Err(format!(
        "the public API of {changed} differs from docs/internal/api; if that is intended, store it: {UPDATE}=1 cargo xtask api"
    )
    .into())
}

/// Returns the file with the listing of a crate.
fn stored(name: &str) -> PathBuf {
    workspace().join("docs/internal/api").join(name).with_extension("txt")
}

/// Counts the names at a crate's root: a name that a macro and a module share counts once.
fn at_root(listing: &str) -> usize {
    let names = listing.lines().filter_map(|line| {
        let item =
            line.strip_prefix("pub ").or_else(|| line.strip_prefix("#[non_exhaustive] pub "))?;
        let (keyword, rest) = item.split_once(' ')?;
        let rest = rest.trim_start_matches("fn ").trim_start_matches("unsafe fn ");
        let is_item = [
            "mod", "struct", "enum", "trait", "fn", "macro", "use", "type", "const", "proc",
            "static", "unsafe",
        ]
        .contains(&keyword);
        let (_, path) = rest.split_once("::").filter(|_| is_item)?;
        let name =
            path.split(|end: char| !end.is_alphanumeric() && end != '_' && end != ':').next()?;
        (!name.is_empty() && !name.contains("::")).then_some(name)
    });
    names.collect::<std::collections::BTreeSet<_>>().len()
}

/// Prints the lines of only one of both listings.
fn print_difference(before: &str, after: &str) {
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    for line in old.iter().filter(|line| !new.contains(line)) {
        println!("- {line}");
    }
    for line in new.iter().filter(|line| !old.contains(line)) {
        println!("+ {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::{CRATES, at_root, stored};

    #[test]
    fn each_listing_is_stored() {
        for (name, _) in CRATES {
            assert!(stored(name).exists(), "no listing of {name}");
        }
    }

    #[test]
    fn a_name_at_the_root_counts_once() {
        let listing = "pub mod memprof\npub mod memprof::report\npub macro memprof::report!\n\
                       pub struct memprof::Profile\npub fn memprof::Profile::root(&self)\n\
                       pub fn memprof::total_bytes<T>(&T) -> u64\npub struct memprof::tree::Leaf\n";
        assert_eq!(at_root(listing), 3);
    }
}
