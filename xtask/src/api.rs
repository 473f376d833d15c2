//! `cargo xtask api`: the public API of each library crate, compared with its stored listing.

use crate::tools::{cargo_subcommand, cargo_with, has_toolchain};
use crate::{Failure, target, workspace};
use std::collections::BTreeSet;
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

/// The compiler of the listings, which is nightly because rustdoc's JSON is unstable. The listings
/// name items of std by private paths, and these differ between compilers: for example
/// `std::io::error::Error` and `core::io::error::Error`. So a new date needs new listings.
const TOOLCHAIN: &str = "nightly-2026-05-20";

/// The version of cargo-public-api. It must read the JSON format of [`TOOLCHAIN`].
const TOOL_VERSION: &str = "0.52.0";

/// The variable that makes the check store the listings instead of comparing them.
const UPDATE: &str = "MEMPROF_UPDATE";

pub(crate) fn run() -> Result<(), Failure> {
    if !has_toolchain(TOOLCHAIN) {
        println!("skipped: rustup could not install {TOOLCHAIN}");
        return Ok(());
    }
    let tools = cargo_subcommand("cargo-public-api", Some(TOOL_VERSION))?;
    let store = env::var_os(UPDATE).is_some_and(|value| value == "1");
    let mut changed = Vec::new();
    for (name, features) in CRATES {
        // The listing leaves out the impls that the compiler adds to each type.
        let listing = cargo_with(TOOLCHAIN, &tools)?
            .args(["public-api", "-sss", "--color", "never", "--package", name])
            .args(["--features", features, "--target-dir"])
            .arg(target("api"))
            .output()?;
        if !listing.status.success() {
            let error = String::from_utf8_lossy(&listing.stderr);
            return Err(format!("cannot list the API of {name}: {}", error.trim()).into());
        }
        let listing = own_items(&String::from_utf8(listing.stdout)?, &name.replace('-', "_"));
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

/// Keeps the items of the crate itself and the heads of its impls. The methods of an impl for a
/// type of another crate are left out, because the trait defines them.
fn own_items(listing: &str, name: &str) -> String {
    let is_own = |line: &&str| {
        line.starts_with("impl") || path(line).is_some_and(|path| path.starts_with(name))
    };
    listing.lines().filter(is_own).flat_map(|line| [line, "\n"]).collect()
}

/// Returns the path of a listed item: the first word with `::`, or the name of the crate's root.
fn path(line: &str) -> Option<&str> {
    let words = || line.split_whitespace().skip_while(|word| *word != "pub").skip(1);
    words().find(|word| word.contains("::")).or_else(|| words().last())
}

/// Counts the names at a crate's root: a name that a macro and a module share counts once.
fn at_root(listing: &str) -> usize {
    let names = listing.lines().filter(|line| !line.starts_with("impl")).filter_map(|line| {
        let (_, name) = path(line)?.split_once("::")?;
        let name = name.split(['!', '(', '<', ':', ';']).next()?;
        let is_at_root = !path(line)?.trim_start_matches(|c| c != ':')[2..].contains("::");
        is_at_root.then_some(name)
    });
    names.collect::<BTreeSet<_>>().len()
}

/// Prints the lines that only one of the two listings contains.
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
    use super::{CRATES, at_root, own_items, stored};

    #[test]
    fn each_listing_is_stored() {
        for (name, _) in CRATES {
            assert!(stored(name).exists(), "no listing of {name}");
        }
    }

    #[test]
    fn the_root_of_the_facade_has_at_most_24_names() {
        let listing = std::fs::read_to_string(stored("memprof")).expect("the listing is stored");
        assert!(at_root(&listing) <= 24, "{} names; use a module", at_root(&listing));
    }

    #[test]
    fn a_name_at_the_root_counts_once() {
        let listing = "pub mod memprof\npub mod memprof::report\npub macro memprof::report!\n\
                       pub struct memprof::Profile\npub fn memprof::Profile::root(&self)\n\
                       pub fn memprof::total_bytes<T>(&T) -> u64\npub struct memprof::tree::Leaf\n";
        assert_eq!(at_root(listing), 3);
    }

    #[test]
    fn methods_of_other_crates_types_are_left_out() {
        let listing = "impl memprof::MemoryProfile for u8\npub fn u8::owned(&self)\n\
                       #[non_exhaustive] pub enum memprof::tree::Role\npub fn core::cell::Cell<T>::f()\n";
        let kept = "impl memprof::MemoryProfile for u8\n\
                    #[non_exhaustive] pub enum memprof::tree::Role\n";
        assert_eq!(own_items(listing, "memprof"), kept);
    }
}
