//! Tests of `memprof diff --runs`: two folders of recordings.

use crate::memprof::{file, folder, run};
use crate::recordings::importer;
use expect_test::expect;
use std::path::Path;

/// Writes recordings whose program held these bytes at its end, and returns the folder's name.
fn runs(folder: &Path, name: &str, live_bytes: &[u64]) -> String {
    let runs = folder.join(name);
    std::fs::create_dir(&runs).expect("the folder is new");
    for (number, live_bytes) in live_bytes.iter().enumerate() {
        let mut recorded = importer();
        let end = recorded.snapshots.last_mut().expect("it has snapshots");
        end["heap"]["live_bytes"] = (*live_bytes).into();
        file(&runs, &format!("memory_profile_{number}.json"), recorded.report());
    }
    runs.to_str().expect("it is UTF-8").to_owned()
}

#[test]
fn a_change_is_marked_if_the_ranges_of_at_least_four_runs_are_apart() {
    let folder = folder("runs");
    let before = runs(&folder, "before", &[100_000, 101_000, 102_000, 103_000]);
    let apart = runs(&folder, "apart", &[103_001, 140_000, 150_000, 160_000]);
    let overlapping = runs(&folder, "overlapping", &[103_000, 140_000, 150_000, 160_000]);
    let few = runs(&folder, "few", &[200_000, 200_000]);
    let end = |after: &str| {
        let text = run(&["diff", "--runs", "--units", "bytes", "--width", "120", &before, after]);
        let text = text.well();
        let row = text.lines().find(|line| line.starts_with("end ")).expect("the row is there");
        format!("{}\n{}\n", row.trim_end(), text.lines().last().expect("it has a footer"))
    };
    expect![[r#"
        end          102 000 B (100 000 B to 103 000 B)  150 000 B (103 001 B to 160 000 B)  +48 000 B (+1 B to +60 000 B)  *
        4 runs before, 4 after: median, and range. A change is marked `*` if no run before reaches a run after; by chance, this happens in one of 35 comparisons.
        end          102 000 B (100 000 B to 103 000 B)  150 000 B (103 000 B to 160 000 B)  +48 000 B (±0 B to +60 000 B)
        4 runs before, 4 after: median, and range. A change is marked `*` if no run before reaches a run after; by chance, this happens in one of 35 comparisons.
        end          102 000 B (100 000 B to 103 000 B)        200 000 B  +98 000 B (+97 000 B to +100 000 B)
        4 runs before, 2 after: median, and range. Too few runs to rule out chance: use at least 4 each.
    "#]].assert_eq(&[end(&apart), end(&overlapping), end(&few)].concat());
    let markdown = run(&["diff", "--runs", "--markdown", "-n", "0", &before, &apart]).well();
    expect![[r#"
        | change | before | after | memory |
        | ---: | ---: | ---: | :--- |
        | ±0 B | 72.0 MiB | 72.0 MiB | `peak` |
        | **+46.9 KiB (+1 B to +58.6 KiB)** | 99.6 KiB (97.7 KiB to 100.6 KiB) | 146.5 KiB (100.6 KiB to 156.3 KiB) | `end` |
        | ±0 B | 4.9 GiB | 4.9 GiB | `allocated` |
        | +0 | 1 145 000 | 1 145 000 | `allocations` |

        4 runs before, 4 after: median, and range. A change is bold if no run before reaches a run after; by chance, this happens in one of 35 comparisons.
    "#]].assert_eq(&markdown);
}

#[test]
fn limits_fail_if_growth_in_all_runs_exceeds_them() {
    let folder = folder("runs-limits");
    let before = runs(&folder, "before", &[100_000, 110_000]);
    let after = runs(&folder, "after", &[115_000, 200_000]);
    let diff = |limit: &str| run(&["diff", "--runs", "--fail-if-grows", limit, &before, &after]);
    assert_eq!(diff("5%").code, Some(0), "110,000 to 115,000 is less than 5 %");
    let failed = diff("end=4%");
    assert_eq!(failed.code, Some(1));
    expect![[r#"
        memprof: end grew in all runs, from at most 107.4 KiB to at least 112.3 KiB, which is more than 4 % (`--fail-if-grows`)
    "#]].assert_eq(&failed.err);
    expect![[r#"
        memprof: no run has "cash"; the runs have peak, end, allocated, allocations, cache, cache;entries, cache;index, model, model;bounds, model;matrix, model;names, net
    "#]].assert_eq(&diff("cash=0").err);
}

#[test]
fn a_folder_without_recordings_is_an_error() {
    let folder = folder("runs-empty");
    let empty = folder.to_str().expect("it is UTF-8");
    let failed = run(&["diff", "--runs", empty, empty]);
    assert_eq!(failed.code, Some(2), "{failed:?}");
    assert!(
        failed.err.contains("no recording (`memory_profile_….json` or `.jsonl`) in this folder"),
        "{failed:?}"
    );
}
