//! What each command prints, held against what was looked at once.

use crate::memprof::{command, feed, file, folder, run};
use crate::samples::{LATER, json, model};
use expect_test::{expect, expect_file};

/// The files that the commands read, in a folder of the test's own.
fn files(test: &str) -> (String, String) {
    let folder = folder(test);
    (file(&folder, "model.json", json(&model())), file(&folder, "later.folded", LATER))
}

#[test]
fn tree() {
    let (model, later) = files("golden-tree");
    expect![[r#"
        Model            9.3 MiB  100.0 %
        ├─ matrix        8.1 MiB   86.7 %
        │  ├─ values     7.6 MiB   81.6 %   1 000 000 values
        │  └─ row_ptr  488.3 KiB    5.1 %   97.7 KiB spare
        ├─ names         1.2 MiB   13.3 %   60 000 values, 60 001 allocations
        └─ cache            48 B    0.0 %   locked
        not exact: 1 locked · 60 003 allocations · 97.7 KiB spare (1.0 %)
    "#]]
    .assert_eq(&run(&["tree", &model]).well());
    expect![[r#"
        Model             9 800 167 B  100.0 %
        ├─ matrix         8 500 000 B   86.7 %
        │  ├─ values      8 000 000 B   81.6 %   1 000 000 values
        │  └─ row_ptr       500 000 B    5.1 %
        │     ├─ [data]     400 000 B    4.1 %
        │     └─ [spare]    100 000 B    1.0 %
        ├─ names          1 300 119 B   13.3 %   60 000 values, 60 001 allocations
        │  ├─ [data]      1 234 567 B   12.6 %
        │  └─ [table]        65 552 B    0.7 %
        └─ cache                 48 B    0.0 %   locked
        not exact: 1 locked · 60 003 allocations · 100 000 B spare (1.0 %)
    "#]]
    .assert_eq(
        &run(&["tree", "--detailed", "--units", "bytes", "--min-share", "0", &model]).well(),
    );
    expect![[r#"
        Model       9.3 MiB  100.0 %
        ├─ matrix   8.1 MiB   86.7 %
        └─ …2 more  1.2 MiB   13.3 %   locked
        not exact: 1 locked · 60 003 allocations
        97.7 KiB spare (1.0 %)
    "#]]
    .assert_eq(&run(&["tree", "--depth", "1", "--widest", "1", "--width", "40", &model]).well());
    expect![[r#"
        Model           11.0 MB  100.0 %
        ├─ matrix        9.3 MB   84.5 %
        │  ├─ values     8.8 MB   80.0 %
        │  └─ row_ptr  500.0 kB    4.5 %
        ├─ names         1.2 MB   10.9 %
        ├─ index       500.0 kB    4.5 %
        └─ cache           48 B    0.0 %
        from folded stacks, which do not tell whether they are exact
    "#]]
    .assert_eq(&run(&["tree", "--units", "si", &later]).well());
}

#[test]
fn top() {
    let (model, _) = files("golden-top");
    expect![[r#"
          7.6 MiB  81.6 %   Model;matrix;values
          1.2 MiB  13.3 %   Model;names
        488.3 KiB   5.1 %   Model;matrix;row_ptr
             48 B   0.0 %   Model;cache
    "#]]
    .assert_eq(&run(&["top", &model]).well());
    expect![[r#"
        8 000 000 B  81.6 %   Model;matrix;values
        1 800 167 B  18.4 %   …3 more
    "#]]
    .assert_eq(&run(&["top", "-n", "1", "--units", "bytes", &model]).well());
    expect![[r#"
        {
          "format": "memprof top",
          "version": 1,
          "total_bytes": 9800167,
          "paths": [
            {
              "path": [
                "Model",
                "matrix",
                "values"
              ],
              "bytes": 8000000
            }
          ],
          "more": {
            "paths": 3,
            "bytes": 1800167
          }
        }
    "#]]
    .assert_eq(&run(&["top", "-n", "1", "--json", &model]).well());
}

#[test]
fn info() {
    let (model, later) = files("golden-info");
    expect![[r#"
        format       memprof profile, version 1
        root         Model
        total        9.3 MiB (9 800 167 B)
        exact        no: 1 locked
        branches     6
        leaves       6
        depth        3
        values       1 060 000
        allocations  60 003
        nodes        0
        shared       nothing
        roles        data 9.3 MiB
        devices      cpu 9.3 MiB
    "#]]
    .assert_eq(&run(&["info", &model]).well());
    expect![[r#"
        format       folded stacks
        root         Model
        total        10.5 MiB (11 000 167 B)
        exact        unknown
        branches     7
        leaves       5
        depth        3
        values       unknown
        allocations  unknown
        nodes        unknown
        shared       unknown
        roles        unknown
        devices      unknown
    "#]]
    .assert_eq(&run(&["info", &later]).well());
    expect![[r#"
        {
          "format": "memprof info",
          "version": 1,
          "file": {
            "format": "memprof profile",
            "version": 1
          },
          "root": "Model",
          "origin": "values",
          "total_bytes": 9800167,
          "exact": false,
          "opaque": {
            "locked": 1
          },
          "estimated_bytes": 0,
          "branches": 6,
          "leaves": 6,
          "depth": 3,
          "counts": {
            "allocations": 60003,
            "nodes": 0,
            "values": 1060000
          },
          "shared": {
            "objects": 0,
            "handles": 0,
            "bytes": 0,
            "bytes_if_unshared": 9800167,
            "bytes_held_outside": 0
          },
          "roles": {
            "data": 9800167
          },
          "devices": {
            "cpu": 9800167
          }
        }
    "#]]
    .assert_eq(&run(&["info", "--json", &model]).well());
    expect![[r#"
        {
          "format": "memprof info",
          "version": 1,
          "file": {
            "format": "folded stacks",
            "version": null
          },
          "root": "Model",
          "origin": "folded",
          "total_bytes": 11000167,
          "exact": null,
          "opaque": {},
          "estimated_bytes": 0,
          "branches": 7,
          "leaves": 5,
          "depth": 3,
          "counts": null,
          "shared": null,
          "roles": null,
          "devices": null
        }
    "#]]
    .assert_eq(&run(&["info", "--json", &later]).well());
}

#[test]
fn diff() {
    let (model, later) = files("golden-diff");
    expect![[r#"
        +781.3 KiB  7.6 MiB →   8.4 MiB  +10.0 %   Model;matrix;values
        +488.3 KiB        – → 488.3 KiB      new   Model;index
         −97.7 KiB  1.2 MiB →   1.1 MiB   −7.7 %   Model;names
          +1.1 MiB  9.3 MiB →  10.5 MiB  +12.2 %   in all
        3 paths changed: 1 new, 1 grown, 1 shrunk · not exact before: 1 locked
        not exact after: folded stacks do not tell
    "#]]
    .assert_eq(&run(&["diff", &model, &later]).well());
    expect![[r#"
        **+1.1 MiB** (+12.2 %): 9.3 MiB → 10.5 MiB

        | change | before | after | growth | path |
        | ---: | ---: | ---: | ---: | :--- |
        | +781.3 KiB | 7.6 MiB | 8.4 MiB | +10.0 % | `Model;matrix;values` |
        | +488.3 KiB | – | 488.3 KiB | new | `Model;index` |
        | −97.7 KiB | 1.2 MiB | 1.1 MiB | −7.7 % | `Model;names` |

        3 paths changed: 1 new, 1 grown, 1 shrunk · not exact before: 1 locked · not exact after: folded stacks do not tell
    "#]].assert_eq(&run(&["diff", "--markdown", "-n", "2", &model, &later]).well());
    expect![[r#"
        {"format": "memprof diff", "version": 1, "change": 1200000,
        "before": {"name":"Model","bytes":9800167,"exact":false},
        "after": {"name":"Model","bytes":11000167,"exact":false},
        "entries": [
        {"kind":"grown","change":800000,"before":8000000,"after":8800000,"path":["Model","matrix","values"]},
        {"kind":"new","change":500000,"after":500000,"path":["Model","index"]},
        {"kind":"shrunk","change":-100000,"before":1300119,"after":1200119,"path":["Model","names"]}
        ]}
    "#]].assert_eq(&run(&["diff", "--json", &model, &later]).well());
    expect![[r#"
        no change: 9.3 MiB · not exact before and after: 1 locked
    "#]]
    .assert_eq(&run(&["diff", &model, &model]).well());
}

#[test]
fn export() {
    let (file, later) = files("golden-export");
    let to = |format| run(&["export", "--to", format, &file]).well();
    assert_eq!(to("json"), json(&model()));
    assert_eq!(to("json"), run(&["tree", "--json", &file]).well());
    assert_eq!(to("folded"), model().to_folded());
    assert_eq!(to("folded-detailed"), model().to_folded_detailed());
    assert_eq!(to("yaml"), model().to_yaml());
    assert_eq!(to("svg"), model().to_flamegraph().unwrap());
    assert_eq!(to("svg"), run(&["flamegraph", &file]).well());
    assert_eq!(run(&["export", "--to", "folded", &later]).well(), LATER);
}

#[test]
fn what_is_exported_is_read_again_from_standard_input() {
    let (file, _) = files("golden-again");
    let tree = run(&["tree", &file]).well();
    let exported = run(&["export", "--to", "json", &file]).well();
    assert_eq!(feed(&["tree", "-"], exported.as_bytes()).well(), tree);
    let folded = run(&["export", "--to", "folded-detailed", &file]).well();
    let again = feed(&["export", "--to", "folded-detailed", "-"], folded.as_bytes()).well();
    assert_eq!(again, folded);
    let difference = feed(&["diff", &file, "-"], exported.as_bytes()).well();
    assert!(difference.starts_with("no change"), "{difference}");
}

#[test]
fn help() {
    let mut help = String::new();
    for name in ["", "tree", "top", "diff", "flamegraph", "export", "info"] {
        let mut command = command(&[]);
        if !name.is_empty() {
            command.arg(name);
        }
        let output = command.arg("-h").env("COLUMNS", "100").output().unwrap();
        assert!(output.status.success());
        help.push_str(&String::from_utf8(output.stdout).unwrap());
        help.push('\n');
    }
    expect_file!["../golden/help.txt"].assert_eq(&help);
}
