//! Tests of the text and Markdown of reports.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use crate::report::Advisor;
use crate::tree::{Device, LeafKind, SHARED};
use crate::views::Units;
use crate::views::samples::{Sample, model, values};
use crate::walk::{Position, Walk};
use crate::{MemoryProfile, Profile};
use expect_test::expect;
use std::sync::Arc;

#[test]
fn a_report_has_the_roles_of_bytes_and_actions() {
    expect![[r#"
        Model: ≥ 185.8 MiB, 192 B inline, 1,090,914 allocations
          data       163.2 MiB   87.8 %
          metadata    22.6 MiB   12.2 %  0.14 B for each byte of data, 13.0 MiB spare in total
          info       spare at Model;matrix;row_ptr: 4.0 MiB of 16.0 MiB is unused capacity (25.0 %); call
                     `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 4.0 MiB)
          info       not exact: 1 locked; print the tree with `detailed()` to see where
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]].assert_eq(&model().report().to_string());
}

#[test]
fn a_detailed_report_has_a_line_per_component() {
    expect![[r#"
        Model: ≥ 185.8 MiB, 192 B inline, 1,090,914 allocations
          data       163.2 MiB   87.8 %
          metadata    22.6 MiB   12.2 %  0.14 B for each byte of data, 13.0 MiB spare in total
          component      total       data  metadata  auxiliary    spare
          matrix     112.0 MiB  108.0 MiB   4.0 MiB          –  4.0 MiB
          variables   73.8 MiB   55.2 MiB  18.6 MiB          –  9.0 MiB
          units          112 B      112 B         –          –        –
          cache         ≥ 24 B       24 B         –          –        –
          info       spare at Model;matrix;row_ptr: 4.0 MiB of 16.0 MiB is unused capacity (25.0 %); call
                     `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 4.0 MiB)
          info       not exact: 1 locked; print the tree with `detailed()` to see where
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]].assert_eq(&model().report().detailed().to_string());
}

#[test]
fn devices_and_sharing_are_shown_if_present() {
    let unit = Arc::new(vec![0.0_f64; 1000]);
    let shared = Profile::named("shared", &[unit.clone(), unit]).report().to_string();
    expect![[r#"
        shared: 7.9 KiB, 16 B inline, 2 allocations
          data       7.8 KiB   99.3 %
          metadata      56 B    0.7 %  0.01 B for each byte of data, 40 B of it shared
          sharing    2 handles to 1 shared allocation
          sharing    7.9 KiB as is, 15.7 KiB if nothing were shared
          good       shared at shared: 2 handles share 1 allocation
        exact · 2 allocations"#]]
    .assert_eq(&shared);
    let tensors = Sample::data("net", 8).tensor(Device::Cuda(0), 1 << 20).profile();
    expect![[r#"
        net: 1,048,584 B, 192 B inline, 1 allocation
          data       1,048,584 B  100.0 %
          metadata           0 B    0.0 %
          devices    8 B on cpu, 1,048,576 B on cuda:0
        exact · 1 allocation · 1,048,576 B on cuda:0"#]]
    .assert_eq(&tensors.report().units(Units::Bytes).to_string());
}

#[test]
fn markdown_escapes_names() {
    let hostile = Sample::data("a|b", 9).with([
        Sample::data("<img src=x>", 5).spare(5005, 5000),
        Sample::data("*bold*\n# title", 3).with([Sample::new(SHARED).leaf(LeafKind::Counts, 16)]),
    ]);
    expect![[r#"
        ### <code>a&#124;b</code>: 4.9 KiB, 192 B inline, 0 allocations

        | | bytes | share | |
        |---|---:|---:|---|
        | data | 17 B | 0.3 % |  |
        | metadata | 4.9 KiB | 99.7 % | 295.06 B for each byte of data, 16 B of it shared, 4.9 KiB spare in total |


        | component | total | data | metadata | auxiliary | spare |
        |---|---:|---:|---:|---:|---:|
        | `<img src=x>` | 4.9 KiB | 5 B | 4.9 KiB | – | 4.9 KiB |
        | <code>&#42;bold&#42;&#92;n&#35; title</code> | 19 B | 3 B | 16 B | – | – |

        - **warning** spare at <code>a&#124;b;&#60;img&#95;src&#61;x&#62;</code>: 4.9 KiB of 4.9 KiB is unused capacity (99.9 %); call \`shrink\_to\_fit\` after filling it, or reserve only the capacity it needs (saves 4.9 KiB)

        exact · 4.9 KiB spare (99.3 %)
    "#]].assert_eq(&hostile.profile().report().detailed().to_markdown());
}

#[test]
fn components_past_the_twentieth_are_added_up() {
    let sample =
        Sample::new("many").with((1..=30).map(|index| Sample::data(&format!("{index:02}"), index)));
    let report = sample.profile();
    let report = report.report_by(&Advisor::without_rules()).detailed();
    let text = report.to_string();
    assert!(text.contains("\n  …10 more    55 B  55 B "), "{text}");
    assert_eq!(report.statistics().total(), 465);
    assert!(report.recommendations().is_empty());
}

#[test]
fn long_names_and_paths_lose_their_middle() {
    let long = "x".repeat(100_000);
    let profile = Sample::new(&long).with([Sample::data(&long, 1).spare(5001, 5000)]);
    let report = profile.profile().report().detailed().width(60).to_string();
    assert!(report.contains("warning"), "{report}");
    let widest = report.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(100), "only figures may exceed the width: {report}");
}

#[test]
fn lines_break_between_words_at_the_width() {
    for profile in values() {
        let report = profile.report().width(60).to_string();
        let prose = report.lines().filter(|line| !line.contains(" B "));
        assert!(prose.clone().all(|line| line.chars().count() <= 60), "{report}");
    }
}

/// A cache of blocks, with a field that has some of them too, and an index that leads to others.
#[derive(Default)]
struct Cache {
    all: Vec<Arc<[u8; 1000]>>,
    recent: Vec<Arc<[u8; 1000]>>,
    index: Vec<Arc<Vec<Arc<[u8; 1000]>>>>,
}

impl MemoryProfile for Cache {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        for (name, blocks) in [("all", &self.all), ("recent", &self.recent)] {
            let at = walk.entry(at, name);
            blocks.owned(walk, at);
        }
        let at = walk.entry(at, "index");
        self.index.owned(walk, at);
    }
}

fn lines(profile: &Profile) -> String {
    let lines: Vec<String> = profile.holder_lines(Units::Iec).map(|(_, line)| line).collect();
    lines.join("\n")
}

#[test]
fn a_report_says_who_keeps_shared_memory_alive() {
    let block = || Arc::new([0; 1000]);
    let (first, second, outside) = (block(), block(), block());
    let page = Arc::new(vec![block(); 5]);
    let cache = Cache {
        all: vec![first.clone(), second, outside.clone()],
        recent: vec![first],
        index: vec![page.clone(), page],
    };
    let profile = Profile::with_holders("cache", &cache);
    let usual = Profile::named("cache", &cache);
    assert_eq!(usual.holders(), None);
    assert_eq!(profile.to_folded(), usual.to_folded());
    expect![[r#"
        cache: 4.2 KiB, 72 B inline, 9 allocations
          data       3.9 KiB   93.8 %
          metadata     264 B    6.2 %  0.07 B for each byte of data, 128 B of it shared
          sharing    10 handles to 4 shared allocations
          sharing    4.2 KiB as is, 9.2 KiB if nothing were shared
          sharing    3.2 KiB freed with this value, 1,016 B externally held
          holders    1.1 KiB at cache;index: held by cache;index (2 handles); dropping cache;index frees
                     1.1 KiB of shared memory
          holders    1,016 B at cache;all: held by cache;all and cache;recent; dropping cache frees 2.1 KiB
                     of shared memory
          holders    1,016 B at cache;all: held by cache;all; dropping the value does not free it (1 handle
                     outside)
          holders    1,016 B at cache;index: held by cache;index (5 handles); dropping cache;index;[shared]
                     frees 1.1 KiB of shared memory
          good       shared at cache;all: 4 handles share 2 allocations
          good       shared at cache;index: 7 handles share 2 allocations
        exact · 9 allocations · 1,016 B externally held"#]].assert_eq(&profile.report().to_string());
    drop(outside);
    let both = Profile::joined("process", [&profile]);
    expect![[r#"
        1.1 KiB at process;cache;index: held by process;cache;index (2 handles); dropping process;cache;index frees 1.1 KiB of shared memory
        1,016 B at process;cache;all: held by process;cache;all and process;cache;recent; dropping process;cache frees 2.1 KiB of shared memory
        1,016 B at process;cache;all: held by process;cache;all; dropping the value does not free it (1 handle outside)
        1,016 B at process;cache;index: held by process;cache;index (5 handles); dropping process;cache;index;[shared] frees 1.1 KiB of shared memory"#]].assert_eq(&lines(&both));
    let values: [(_, &dyn MemoryProfile); 2] = [("old", &cache.all), ("new", &cache.recent)];
    let several = Profile::all_with_holders("roots", values);
    expect!["1,016 B at roots;old: held by roots;new and roots;old; dropping roots frees 1,016 B of shared memory"]
        .assert_eq(&lines(&several));
}
