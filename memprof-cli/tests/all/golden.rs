//! Tests that compare the output of each command with an expected output.

use crate::memprof::{command, feed, file, folder, run};
use crate::samples::{LATER, everything, json, model};
use expect_test::{expect, expect_file};

/// Writes the files that the commands read to a separate folder for the test.
fn files(test: &str) -> (String, String) {
    let folder = folder(test);
    (file(&folder, "model.json", json(&model())), file(&folder, "later.folded", LATER))
}

#[test]
fn tree() {
    let (model, later) = files("golden-tree");
    expect![[r#"
        Model          ≥ 9.3 MiB  100.0 %
        ├─ matrix        8.1 MiB   86.7 %
        │  ├─ values     7.6 MiB   81.6 %   1,000,000 values
        │  └─ row_ptr  488.3 KiB    5.1 %   97.7 KiB spare
        ├─ names         1.2 MiB   13.3 %   60,000 values, 60,001 allocations
        └─ cache          ≥ 48 B    0.0 %   locked
        not exact: 1 locked · 60,003 allocations · 97.7 KiB spare (1.0 %)
    "#]]
    .assert_eq(&run(&["tree", &model]).well());
    expect![[r#"
        Model             ≥ 9,800,167 B  100.0 %
        ├─ matrix           8,500,000 B   86.7 %
        │  ├─ values        8,000,000 B   81.6 %   1,000,000 values
        │  └─ row_ptr         500,000 B    5.1 %
        │     ├─ [data]       400,000 B    4.1 %
        │     └─ [spare]      100,000 B    1.0 %
        ├─ names            1,300,119 B   13.3 %   60,000 values, 60,001 allocations
        │  ├─ [data]        1,234,567 B   12.6 %
        │  └─ [table]          65,552 B    0.7 %
        └─ cache                 ≥ 48 B    0.0 %   locked
        not exact: 1 locked · 60,003 allocations · 100,000 B spare (1.0 %)
    "#]]
    .assert_eq(
        &run(&["tree", "--detailed", "--units", "bytes", "--min-share", "0", &model]).well(),
    );
    expect![[r#"
        Model       ≥ 9.3 MiB  100.0 %
        ├─ matrix     8.1 MiB   86.7 %
        └─ …2 more  ≥ 1.2 MiB   13.3 %   locked
        not exact: 1 locked · 60,003 allocations
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
        from folded stacks, which do not record exactness
    "#]]
    .assert_eq(&run(&["tree", "--units", "si", &later]).well());
}

#[test]
fn top() {
    let (model, _) = files("golden-top");
    expect![[r#"
          7.6 MiB  81.6 %  Model;matrix;values
          1.2 MiB  13.3 %  Model;names
        488.3 KiB   5.1 %  Model;matrix;row_ptr
           ≥ 48 B   0.0 %  Model;cache
    "#]]
    .assert_eq(&run(&["top", &model]).well());
    expect![[r#"
          8,000,000 B  81.6 %  Model;matrix;values
        ≥ 1,800,167 B  18.4 %  …3 more
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
    let empty = file(&folder("golden-top-empty"), "empty.folded", "root 0\n");
    assert_eq!(run(&["top", &empty]).well(), "no bytes\n");
}

#[test]
fn info() {
    let (model, later) = files("golden-info");
    expect![[r#"
        format       memprof profile, version 1
        root         Model
        total        ≥ 9.3 MiB (9,800,167 B)
        branches     6
        leaves       6
        depth        3
        exact        no: 1 locked
        shallow      0 B
        values       1,060,000
        allocations  60,003
        nodes        0
        data         9.2 MiB (9,634,567 B)
        metadata     161.7 KiB (165,600 B), overhead ratio 0.0172
        auxiliary    0 B
        spare        97.7 KiB (100,000 B)
        padding      0 B
        shared       none
        duplicates   none
        tensors      none
        devices      cpu 9.3 MiB
    "#]]
    .assert_eq(&run(&["info", &model]).well());
    expect![[r#"
        format       folded stacks
        root         Model
        total        10.5 MiB (11,000,167 B)
        branches     7
        leaves       5
        depth        3
        exact        unknown
        shallow      unknown
        values       unknown
        allocations  unknown
        nodes        unknown
        data         unknown
        metadata     unknown
        auxiliary    unknown
        spare        unknown
        padding      unknown
        shared       unknown
        duplicates   unknown
        tensors      unknown
        devices      unknown
    "#]]
    .assert_eq(&run(&["info", &later]).well());
    for path in [&model, &later] {
        assert_eq!(run(&["info", "--json", path]).well(), run(&["tree", "--json", path]).well());
    }
}

/// This profile has parts that only some profiles have: tensors, sharing, duplicates, advice.
#[test]
fn report_and_info_of_a_complete_profile() {
    let everything = file(&folder("golden-everything"), "all.json", json(&everything()));
    for form in [&["info"][..], &["info", "--json"], &["info", "--units", "bytes"]] {
        let printed = run(&[form, &[&everything]].concat()).well();
        assert!(!printed.contains("unknown"), "{printed}");
    }
    expect![[r#"
        format       memprof profile, version 1
        root         Net
        total        1.0 MiB (1,058,576 B)
        branches     4
        leaves       3
        depth        3
        exact        yes
        shallow      0 B
        values       0
        allocations  3
        nodes        0
        data         1.0 MiB (1,050,576 B)
        metadata     7.8 KiB (8,000 B), overhead ratio 0.0076
        auxiliary    0 B
        spare        7.8 KiB (8,000 B)
        padding      0 B
        shared       1.0 MiB in 1 allocation with 2 handles, 2.0 MiB if nothing were shared, 1.0 MiB externally held
        duplicates   64 B in 2 values
        tensors      2, the largest f32 [1024, 256] on cuda:0: 1.0 MiB at Net;embedding
        devices      cpu 9.8 KiB, cuda:0 1.0 MiB
    "#]]
    .assert_eq(&run(&["info", &everything]).well());
    expect![[r#"
        Net: 1.0 MiB, 0 B inline, 3 allocations
          data       1.0 MiB   99.2 %
          metadata   7.8 KiB    0.8 %  0.01 B for each byte of data, 7.8 KiB spare in total
          devices    9.8 KiB on cpu, 1.0 MiB on cuda:0
          sharing    2 handles to 1 shared allocation; 2 unshared duplicates (64 B)
          sharing    1.0 MiB as is, 1.0 MiB if duplicates were shared, 2.0 MiB if
                     nothing were shared
          sharing    9.8 KiB freed with this value, 1.0 MiB externally held
          component    total     data  metadata  auxiliary    spare
          embedding  1.0 MiB  1.0 MiB         –          –        –
          notes      9.8 KiB  2.0 KiB   7.8 KiB          –  7.8 KiB
          info       externally held: 1.0 MiB is externally held: dropping the value
                     frees 9.8 KiB
          info       spare at Net;notes: 7.8 KiB of 9.8 KiB is unused capacity (80.0 %);
                     call `shrink_to_fit` after filling it, or reserve only the capacity
                     it needs (saves 7.8 KiB)
          info       share equal at Net;notes: 2 values (64 B) equal another and could
                     share it; store each distinct value in an `Arc` once, and clone
                     that handle (saves at most 64 B)
          good       shared at Net;embedding: 3 handles share 1 allocation
        exact · 3 allocations · 7.8 KiB spare (0.8 %) · 1.0 MiB on cuda:0
        1.0 MiB externally held
    "#]]
    .assert_eq(&run(&["report", "--detailed", "--width", "80", &everything]).well());
    expect_file!["../golden/everything_report.json"]
        .assert_eq(&run(&["report", "--detailed", "--json", &everything]).well());
}

#[test]
fn report() {
    let (model, later) = files("golden-report");
    expect![[r#"
        Model: ≥ 9.8 MB, 0 B inline, 60,003 allocations
          data         9.6 MB   98.3 %
          metadata   165.6 kB    1.7 %  0.02 B for each byte of data, 100.0 kB spare in total
          info       not exact: 1 locked; print the tree with `detailed()` to see where
        not exact: 1 locked · 60,003 allocations · 100.0 kB spare (1.0 %)
    "#]]
    .assert_eq(&run(&["report", "--units", "si", &model]).well());
    expect![[r#"
        ### `Model`: ≥ 9.3 MiB, 0 B inline, 60,003 allocations

        | | bytes | share | |
        |---|---:|---:|---|
        | data | 9.2 MiB | 98.3 % |  |
        | metadata | 161.7 KiB | 1.7 % | 0.02 B for each byte of data, 97.7 KiB spare in total |


        | component | total | data | metadata | auxiliary | spare |
        |---|---:|---:|---:|---:|---:|
        | `matrix` | 8.1 MiB | 8.0 MiB | 97.7 KiB | – | 97.7 KiB |
        | `names` | 1.2 MiB | 1.2 MiB | 64.0 KiB | – | – |
        | `cache` | ≥ 48 B | – | 48 B | – | – |

        - **info** not exact: 1 locked; print the tree with \`detailed()\` to see where

        not exact: 1 locked · 60,003 allocations · 97.7 KiB spare (1.0 %)
    "#]]
    .assert_eq(&run(&["report", "--markdown", "--detailed", &model]).well());
    expect![[r#"
        Model: 10.5 MiB
          unknown    10.5 MiB  100.0 %  folded stacks do not record roles
          component      total  data  metadata  auxiliary  spare
          matrix       8.9 MiB     ?         ?          ?      ?
          names        1.1 MiB     ?         ?          ?      ?
          index      488.3 KiB     ?         ?          ?      ?
          cache           48 B     ?         ?          ?      ?
        from folded stacks, which do not record exactness
    "#]]
    .assert_eq(&run(&["report", "--detailed", &later]).well());
    expect_file!["../golden/folded_report.json"]
        .assert_eq(&run(&["report", "--detailed", "--json", &later]).well());
}

#[test]
fn diff() {
    let (model, later) = files("golden-diff");
    expect![[r#"
        +781.3 KiB    7.6 MiB →    8.4 MiB  +10.0 %  Model;matrix;values
        +488.3 KiB          – →  488.3 KiB      new  Model;index
         −97.7 KiB    1.2 MiB →    1.1 MiB   −7.7 %  Model;names
           unknown  ≥ 9.3 MiB →   10.5 MiB           total
        3 paths changed: 1 new, 1 grown, 1 shrunk · not exact before: 1 locked
        not exact after: folded stacks do not record exactness · unknown: a walk did not visit all values
    "#]]
    .assert_eq(&run(&["diff", &model, &later]).well());
    expect![[r#"
        **unknown**: ≥ 9.3 MiB → 10.5 MiB

        | change | before | after | growth | path |
        | ---: | ---: | ---: | ---: | :--- |
        | +781.3 KiB | 7.6 MiB | 8.4 MiB | +10.0 % | `Model;matrix;values` |
        | +488.3 KiB | – | 488.3 KiB | new | `Model;index` |
        | −97.7 KiB | 1.2 MiB | 1.1 MiB | −7.7 % | `Model;names` |

        3 paths changed: 1 new, 1 grown, 1 shrunk · not exact before: 1 locked · not exact after: folded stacks do not record exactness · unknown: a walk did not visit all values
    "#]].assert_eq(&run(&["diff", "--markdown", "-n", "2", &model, &later]).well());
    expect![[r#"
        {"format": "memprof diff", "version": 1, "change": null,
        "before": {"name":"Model","bytes":9800167,"exact":false,"lower_end":true},
        "after": {"name":"Model","bytes":11000167,"exact":false},
        "entries": [
        {"kind":"grown","change":800000,"before":8000000,"after":8800000,"path":["Model","matrix","values"]},
        {"kind":"new","change":500000,"after":500000,"path":["Model","index"]},
        {"kind":"shrunk","change":-100000,"before":1300119,"after":1200119,"path":["Model","names"]}
        ]}
    "#]].assert_eq(&run(&["diff", "--json", &model, &later]).well());
    expect![[r#"
        no change in the visited values: 9.3 MiB · not exact before and after: 1 locked
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
fn an_exported_profile_is_read_back_from_standard_input() {
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
fn help_goes_to_standard_output_and_fits_the_terminal() {
    let commands: [&[&str]; 5] =
        [&["--help"], &["run", "-h"], &["export", "--help"], &["help", "tree"], &["gpu", "-h"]];
    for columns in [100, 120] {
        for arguments in commands {
            let output = command(arguments).env("COLUMNS", columns.to_string()).output().unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
            let help = String::from_utf8(output.stdout).unwrap();
            assert!(help.contains("\nUsage: memprof") && help.contains("\nExample"), "{help}");
            let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
            assert!((columns - 20..=columns).contains(&longest), "{longest} of {columns}: {help}");
        }
    }
}
