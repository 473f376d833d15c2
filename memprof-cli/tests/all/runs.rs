//! Tests of `memprof diff --runs`: two folders of recordings.

use crate::memprof::{file, folder, run};
use crate::recordings::{Recorded, cache, importer};
use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;

/// Writes recordings whose program held these bytes at its end, and returns the folder's name.
fn runs(folder: &Path, name: &str, live_bytes: &[u64]) -> String {
    let recordings = live_bytes.iter().map(|live_bytes| {
        let mut recorded = importer();
        end(&mut recorded)["heap"]["live_bytes"] = (*live_bytes).into();
        recorded
    });
    write(folder, name, recordings)
}

/// Writes recordings whose cache held these bytes at the end. In runs with `None`, it was locked.
fn runs_of_cache(folder: &Path, name: &str, bytes: &[Option<u64>]) -> String {
    let recordings = bytes.iter().map(|bytes| {
        let mut recorded = importer();
        let root = bytes.map_or_else(locked, |bytes| cache(&[("entries", bytes)]));
        end(&mut recorded)["roots"] = json!([root]);
        recorded
    });
    write(folder, name, recordings)
}

fn locked() -> Value {
    json!({"name": "cache", "state": "locked", "held_ns": 0, "total_bytes": null, "heap_bytes": null})
}

fn end(recorded: &mut Recorded) -> &mut Value {
    recorded.snapshots.last_mut().expect("it has snapshots")
}

/// Writes recordings to a new folder, and returns its name.
fn write(folder: &Path, name: &str, recordings: impl IntoIterator<Item = Recorded>) -> String {
    let runs = folder.join(name);
    std::fs::create_dir(&runs).expect("the folder is new");
    for (number, recorded) in recordings.into_iter().enumerate() {
        file(&runs, &format!("memory_profile_{number}.json"), recorded.report());
    }
    runs.to_str().expect("it is UTF-8").to_owned()
}

/// Returns the rows of these names in the text of a comparison.
fn rows(before: &str, after: &str, names: &[&str]) -> String {
    let text = run(&["diff", "--runs", "--units", "bytes", "--width", "120", before, after]).well();
    let is_named = |line: &&str| names.iter().any(|name| line.starts_with(&format!("{name} ")));
    text.lines().filter(is_named).flat_map(|line| [line.trim_end(), "\n"]).collect()
}

#[test]
fn a_change_is_marked_if_the_ranges_of_at_least_four_runs_are_apart() {
    let folder = folder("runs");
    let before = runs(&folder, "before", &[100_000, 101_000, 102_000, 103_000]);
    let apart = runs(&folder, "apart", &[103_001, 140_000, 150_000, 160_000]);
    let overlapping = runs(&folder, "overlapping", &[103_000, 140_000, 150_000, 160_000]);
    let few = runs(&folder, "few", &[200_000, 200_000]);
    let row = |after: &str| {
        let text = run(&["diff", "--runs", "--units", "bytes", "--width", "120", &before, after]);
        let text = text.well();
        let end = text.lines().find(|line| line.starts_with("end ")).expect("the row is there");
        format!("{}\n{}\n", end.trim_end(), text.lines().last().expect("it has a footer"))
    };
    expect![[r#"
        end          101,500 B (100,000 B to 103,000 B)  145,000 B (103,001 B to 160,000 B)  +43,500 B (+1 B to +60,000 B)  *
        4 runs before, 4 after: median, and range. A change is marked `*` if the ranges do not overlap; by chance, this happens to one of 35 rows.
        end          101,500 B (100,000 B to 103,000 B)  145,000 B (103,000 B to 160,000 B)  +43,500 B (±0 B to +60,000 B)
        4 runs before, 4 after: median, and range. A change is marked `*` if the ranges do not overlap; by chance, this happens to one of 35 rows.
        end          101,500 B (100,000 B to 103,000 B)        200,000 B  +98,500 B (+97,000 B to +100,000 B)
        4 runs before, 2 after: median, and range. Too few runs to rule out chance: use at least 4 each.
    "#]].assert_eq(&[row(&apart), row(&overlapping), row(&few)].concat());
    let markdown = run(&["diff", "--runs", "--markdown", "-n", "0", &before, &apart]).well();
    expect![[r#"
        | change | before | after | memory |
        | ---: | ---: | ---: | :--- |
        | ±0 B | 72.0 MiB | 72.0 MiB | `peak` |
        | **+42.5 KiB (+1 B to +58.6 KiB)** | 99.1 KiB (97.7 KiB to 100.6 KiB) | 141.6 KiB (100.6 KiB to 156.3 KiB) | `end` |
        | ±0 B | 4.9 GiB | 4.9 GiB | `allocated` |
        | ±0 | 1,145,000 | 1,145,000 | `allocations` |

        4 runs before, 4 after: median, and range. A change is bold if the ranges do not overlap; by chance, this happens to one of 35 rows.
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

#[test]
fn a_root_that_was_locked_in_one_run_has_an_unknown_change() {
    let folder = folder("runs-locked");
    let known = runs_of_cache(&folder, "known", &[Some(1000); 4]);
    let grown = [Some(9000), None, Some(9100), Some(9200)];
    let locked = runs_of_cache(&folder, "locked", &grown);
    expect![[r#"
        cache                  1,016 B  9,116 B (9,016 B to 9,216 B)  unknown in 1 run
        cache;entries          1,000 B  9,100 B (9,000 B to 9,200 B)  unknown in 1 run
    "#]]
    .assert_eq(&rows(&known, &locked, &["cache", "cache;entries"]));
    expect![[r#"
        cache          9,116 B (9,016 B to 9,216 B)          1,016 B  unknown in 1 run
        cache;entries  9,100 B (9,000 B to 9,200 B)          1,000 B  unknown in 1 run
    "#]]
    .assert_eq(&rows(&locked, &known, &["cache", "cache;entries"]));
    let never = runs_of_cache(&folder, "never", &[None; 4]);
    let diff = |limit: &str, after: &str| {
        let failed = run(&["diff", "--runs", "--fail-if-grows", limit, &known, after]);
        assert_eq!(failed.code, Some(1), "{failed:?}");
        failed.err
    };
    expect![[r#"
        memprof: cache has unknown growth (1 of 8 runs), because not all values were visited; raise MEMPROF_WALK_BUDGET, or limit paths that were visited completely
        memprof: cache;entries has unknown growth (4 of 8 runs), because not all values were visited; raise MEMPROF_WALK_BUDGET, or limit paths that were visited completely
    "#]]
        .assert_eq(&[diff("cache=5%", &locked), diff("cache;entries=5%", &never)].concat());
    let failed = run(&["diff", "--runs", "--fail-if-grows", "cache=0", &never, &never]);
    expect![[r#"
        memprof: cache has unknown growth (8 of 8 runs), because not all values were visited; raise MEMPROF_WALK_BUDGET, or limit paths that were visited completely
    "#]].assert_eq(&failed.err);
}

#[test]
fn a_root_that_was_visited_partly_in_one_run_has_an_unknown_change() {
    let folder = folder("runs-partial");
    let known = runs_of_cache(&folder, "known", &[Some(9000); 4]);
    let mut number = 0;
    let recordings = std::iter::repeat_with(|| {
        let mut recorded = importer();
        let mut root = cache(&[("entries", 1000)]);
        if number == 0 {
            root["state"] = "partial".into();
            root["low_bytes"] = 1000.into();
        }
        number += 1;
        end(&mut recorded)["roots"] = json!([root]);
        recorded
    });
    let partial = write(&folder, "partial", recordings.take(4));
    expect![[r#"
        cache                  9,016 B        ≥ 1,016 B  unknown in 1 run
    "#]]
    .assert_eq(&rows(&known, &partial, &["cache"]));
    let failed = run(&["diff", "--runs", "--fail-if-grows", "cache=0", &known, &partial]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.err.contains("because not all values were visited"), "{failed:?}");
}

#[test]
fn a_run_with_an_invalid_profile_has_unknown_paths_and_known_totals() {
    let folder = folder("runs-invalid");
    let known = runs_of_cache(&folder, "known", &[Some(9000); 4]);
    let mut recorded = importer();
    end(&mut recorded)["roots"][0]["profile"] = json!({"format": "other"});
    let invalid = write(&folder, "invalid", [recorded]);
    expect![[r#"
        allocations          1,145,000        1,145,000                ±0
        cache                  9,016 B                –  unknown in 1 run
    "#]]
    .assert_eq(&rows(&known, &invalid, &["cache", "allocations"]));
}

#[test]
fn a_root_that_a_run_does_not_have_is_new() {
    let folder = folder("runs-new");
    let recordings = std::iter::repeat_with(|| {
        let mut recorded = importer();
        end(&mut recorded)["roots"] = json!([]);
        recorded
    });
    let without = write(&folder, "without", recordings.take(4));
    let with = runs_of_cache(&folder, "with", &[Some(9000); 4]);
    expect![[r#"
        cache                      0 B          9,016 B  +9,016 B  *
    "#]]
    .assert_eq(&rows(&without, &with, &["cache"]));
}

#[test]
fn a_run_whose_allocator_did_not_count_has_unknown_totals() {
    let folder = folder("runs-uncounted");
    let counted = runs(&folder, "counted", &[100_000, 100_000]);
    let mut recorded = importer();
    end(&mut recorded)["heap"] = Value::Null;
    let uncounted = write(&folder, "uncounted", [importer(), recorded]);
    expect![[r#"
        peak            75,481,907 B  74,637,107 B (73,792,307 B to 75,481,907 B)  −844,800 B (−1,689,600 B to ±0 B)
        end                100,000 B                                 62,718,995 B                   unknown in 1 run
    "#]].assert_eq(&rows(&counted, &uncounted, &["peak", "end"]));
    let failed = run(&["diff", "--runs", "--fail-if-grows", "5%", &counted, &uncounted]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    expect![[r#"
        memprof: end has unknown growth (1 of 4 runs), because the heap was not counted; install memprof's allocator in each program
    "#]].assert_eq(&failed.err);
}

#[test]
fn a_root_named_like_a_figure_of_the_whole_run_has_its_own_row() {
    let folder = folder("runs-names");
    let of = |name: &str, live_bytes: u64, root_bytes: u64| {
        let mut recorded = importer();
        let end = end(&mut recorded);
        end["heap"]["live_bytes"] = live_bytes.into();
        let text = cache(&[("entries", root_bytes)]).to_string().replace("\"cache\"", "\"end\"");
        end["roots"] = json!([serde_json::from_str::<Value>(&text).expect("it is JSON")]);
        write(&folder, name, [recorded])
    };
    let (before, after) = (of("before", 100_000, 1000), of("after", 200_000, 500));
    expect![[r#"
        end                100,000 B        200,000 B  +100,000 B
        end (root)           1,016 B            516 B      −500 B
        end;entries          1,000 B            500 B      −500 B
    "#]]
    .assert_eq(&rows(&before, &after, &["end", "end;entries"]));
    let failed = run(&["diff", "--runs", "--fail-if-grows", "end=5%", &before, &after]);
    assert_eq!(failed.code, Some(1), "{failed:?}");
    expect![[r#"
        memprof: end grew in all runs, from at most 97.7 KiB to at least 195.3 KiB, which is more than 5 % (`--fail-if-grows`)
    "#]].assert_eq(&failed.err);
}

#[test]
fn processes_of_one_command_are_one_run() {
    let folder = folder("runs-processes");
    let process = |run: Option<&str>, peak_bytes: u64, live_bytes: u64| {
        let mut recorded = importer();
        recorded.metadata["run"] = run.into();
        for snapshot in &mut recorded.snapshots {
            snapshot["heap"]["peak_bytes"] = peak_bytes.into();
        }
        end(&mut recorded)["heap"]["live_bytes"] = live_bytes.into();
        recorded
    };
    let recordings = [
        process(Some("a"), 1000, 100),
        process(Some("a"), 9000, 900),
        process(Some("b"), 9100, 910),
        process(Some("b"), 1000, 100),
        process(None, 9200, 920),
        process(None, 9300, 930),
    ];
    let runs = write(&folder, "runs", recordings);
    expect![[r#"
        peak         9,150 B (9,000 B to 9,300 B)  9,150 B (9,000 B to 9,300 B)  ±0 B (−300 B to +300 B)
        end                915 B (900 B to 930 B)        915 B (900 B to 930 B)    ±0 B (−30 B to +30 B)
        4 runs before, 4 after: median, and range. A change is marked `*` if the ranges do not overlap; by chance, this happens to one of 35 rows.
    "#]].assert_eq(&rows(&runs, &runs, &["peak", "end", "4"]));
}

#[test]
fn the_median_of_an_even_number_of_runs_is_the_mean_of_the_middle_two() {
    let folder = folder("runs-median");
    let even = runs(&folder, "even", &[400, 100, 300, 200]);
    let odd = runs(&folder, "odd", &[300, 100, 200]);
    expect![[r#"
        end          250 B (100 B to 400 B)  200 B (100 B to 300 B)  −50 B (−300 B to +200 B)
    "#]]
    .assert_eq(&rows(&even, &odd, &["end"]));
}

#[test]
fn a_missing_folder_or_a_file_is_refused_as_such() {
    let folder = folder("runs-nowhere");
    let runs = runs(&folder, "runs", &[100_000]);
    let file = file(&folder, "model.json", "{}");
    let nowhere = folder.join("nowhere").to_str().expect("it is UTF-8").to_owned();
    let mut messages = String::new();
    for after in [&nowhere, &file, "-"] {
        let failed = run(&["diff", "--runs", &runs, after]);
        assert_eq!(failed.code, Some(2), "{failed:?}");
        messages.push_str(&failed.err.replace(folder.to_str().expect("it is UTF-8"), ""));
    }
    expect![[r#"
        memprof: /nowhere: no such folder; `--runs` compares folders of recordings
        memprof: /model.json: not a folder; `--runs` compares folders of recordings
        memprof: standard input: not a folder; `--runs` compares folders of recordings
    "#]]
    .assert_eq(&messages);
}
