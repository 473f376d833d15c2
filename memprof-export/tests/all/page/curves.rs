//! The curves of pages.

use super::page;
use crate::fixture::{Fixture, Holds, root, snapshot};
use serde_json::json;

/// Returns the values of a curve.
fn values(page: &super::Decoded, chart: &str, name: &str) -> Vec<Option<f64>> {
    page.curve(chart, name).iter().map(|point| point.1).collect()
}

#[test]
fn curves_have_the_values_of_snapshots_and_unknown_is_not_zero() {
    let mut fixture = Fixture::importer();
    fixture.calls.clear();
    fixture.snapshots[3]["heap"] = json!(null);
    fixture.snapshots[1]["process"]["rss_bytes"] = json!(null);
    let page = page(&fixture);
    let live = |number: u64| Some((10_000 * (number + 1) + 824 + 7000) as f64);
    assert_eq!(
        values(&page, "process", "live heap"),
        [live(0), live(1), live(2), None, live(4), live(5)]
    );
    let resident = |number: u64| live(number).map(|live| 3.0 * live);
    assert_eq!(
        values(&page, "process", "resident"),
        [resident(0), None, resident(2), resident(3), resident(4), resident(5)]
    );
    let times: Vec<f64> = page.curve("process", "live heap").iter().map(|one| one.0).collect();
    assert_eq!(times, [0.0, 1e6, 2e6, 3e6, 4e6, 5e6]);
    assert_eq!(values(&page, "process", "the container's limit"), [Some(f64::from(1 << 30)); 6]);
}

#[test]
fn a_chart_of_a_device_has_the_roots_and_the_drivers_figures() {
    let page = page(&Fixture::importer());
    let mib = f64::from(1 << 20);
    let all = |bytes: f64| vec![Some(bytes); 6];
    assert_eq!(values(&page, "cuda:0", "the roots' values"), all(4096.0));
    assert_eq!(values(&page, "cuda:0", "capacity"), all(64.0 * mib));
    assert_eq!(values(&page, "cuda:0", "gpu: used"), all(24.0 * mib));
    assert_eq!(values(&page, "cuda:0", "gpu: process"), all(20.0 * mib));
    assert_eq!(values(&page, "cuda:0", "gpu: other_processes"), all(4.0 * mib));
    assert_eq!(values(&page, "gpu: temperature", "cuda:0 temperature"), all(41.0));
    assert!(!page.curves.iter().any(|curve| curve.name.contains("power")), "no source reports it");
}

#[test]
fn the_eight_largest_roots_have_curves_and_the_rest_is_a_sum() {
    let mut fixture = Fixture::empty();
    fixture.snapshots = (0..3).map(|number| snapshot(number, number, None)).collect();
    let names: Vec<String> = (0..12).map(|index| format!("root {index}")).collect();
    for snapshot in &mut fixture.snapshots {
        let roots = names
            .iter()
            .zip(1..)
            .map(|(name, size)| root(name, &Holds(&[("data", 1000 * size)], 0)));
        snapshot["roots"] = roots.collect();
    }
    // The bytes of the smallest root are unknown in this snapshot.
    fixture.snapshots[1]["roots"][0]["total_bytes"] = json!(null);
    let page = page(&fixture);
    assert_eq!(values(&page, "roots", "root 11"), [Some(12_008.0); 3]);
    assert_eq!(values(&page, "roots", "root 4"), [Some(5008.0); 3]);
    let others = [Some(10_032.0), None, Some(10_032.0)];
    assert_eq!(values(&page, "roots", "4 others"), others);
    assert!(!page.curves.iter().any(|curve| curve.name == "root 3"));
}

#[test]
fn a_gap_has_its_reason() {
    let mut fixture = Fixture::importer();
    for (number, state) in [(1, "locked"), (2, "locked"), (3, "spared"), (5, "partial")] {
        fixture.snapshots[number]["roots"][1]["state"] = state.into();
    }
    fixture.snapshots[2]["sources"] = json!([{"name": "gpu", "error": "the driver is\nasleep"}]);
    fixture.snapshots[4]["sources"][0]["gauges"][0] = json!({"name": "cuda:0 temperature", "unit": "celsius", "value": null, "reason": "not reported"});
    let page = page(&fixture);
    let gaps = |chart: &str, name: &str| {
        let found = page.curves.iter().find(|curve| curve.chart == chart && curve.name == name);
        let curve = found.expect("it has that curve");
        for (at, _) in &curve.gaps {
            assert_eq!(curve.points[*at].1, None, "{chart}: {name}");
        }
        curve.gaps.iter().map(|(at, reason)| (*at, reason.as_str())).collect::<Vec<_>>()
    };
    let of_all = [(1, "root locked"), (3, "root skipped"), (5, "root only partly read")];
    assert_eq!(gaps("roots", "net"), of_all);
    assert_eq!(gaps("process", "all roots"), of_all);
    assert_eq!(gaps("cuda:0", "the roots' values"), of_all);
    assert_eq!(gaps("cuda:0", "gpu: used"), [(2, "the driver is\\nasleep")]);
    assert_eq!(gaps("gpu: temperature", "cuda:0 temperature"), [(2, ""), (4, "not reported")]);
    assert_eq!(gaps("roots", "cache"), []);
    assert_eq!(gaps("process", "live heap"), [], "there is no reason");
}

#[test]
fn a_root_that_is_never_visited_completely_has_its_lower_ends() {
    let mut fixture = Fixture::importer();
    for (number, snapshot) in fixture.snapshots.iter_mut().enumerate() {
        snapshot["roots"][0]["state"] = "partial".into();
        snapshot["roots"][1]["state"] = "locked".into();
        snapshot["roots"][1]["total_bytes"] = json!(null);
        if number == 2 {
            snapshot["roots"][0]["low_bytes"] = 5.into();
        }
    }
    let locked = page(&fixture);
    let least = |number: u64| Some((10_000 * (number + 1) + 516) as f64);
    let lower_ends = [least(0), least(1), Some(5.0), least(3), least(4), least(5)];
    assert_eq!(values(&locked, "roots", "cache, at least"), lower_ends);
    let unknown = |page: &super::Decoded, title: &str| {
        let chart = page.document.charts.iter().find(|chart| chart.title == title);
        chart.map(|chart| chart.unknown.clone()).unwrap_or_default()
    };
    let named = |name: &str, reason: &str| (name.to_owned(), reason.to_owned());
    assert_eq!(
        unknown(&locked, "roots"),
        [named("cache", "root only partly read"), named("net", "root locked")]
    );
    assert_eq!(unknown(&locked, "process"), [named("all roots", "root only partly read")]);
    assert!(
        !locked.curves.iter().any(|curve| curve.name == "all roots, at least"),
        "one is locked"
    );

    for snapshot in &mut fixture.snapshots {
        snapshot["roots"][1]["state"] = "dropped".into();
    }
    let partial = page(&fixture);
    let all = |number: u64| Some((10_000 * (number + 1) + 824) as f64);
    let of_all = [all(0), all(1), None, all(3), all(4), all(5)];
    assert_eq!(values(&partial, "process", "all roots, at least"), of_all, "one is an estimate");
    assert_eq!(unknown(&partial, "roots"), [named("cache", "root only partly read")]);
}

#[test]
fn a_chart_without_any_known_value_lists_the_reasons() {
    let mut fixture = Fixture::importer();
    for snapshot in &mut fixture.snapshots {
        for root in snapshot["roots"].as_array_mut().expect("it has roots") {
            (root["state"], root["total_bytes"]) = ("spared".into(), json!(null));
        }
    }
    let page = page(&fixture);
    let chart = page.document.charts.iter().find(|chart| chart.title == "roots");
    let chart = chart.expect("it has reasons");
    assert!(chart.curves.is_empty());
    let named = |name: &str| (name.to_owned(), "root skipped".to_owned());
    assert_eq!(chart.unknown, [named("cache"), named("net")]);
    assert!(!page.document.charts.iter().any(|chart| chart.title == "gpu: power"), "it is folded");
}

#[test]
fn the_live_heap_has_points_at_snapshots_and_at_each_call() {
    let page = page(&Fixture::importer());
    let points = page.curve("process", "live heap");
    let live = |number: u64| Some((10_000 * (number + 1) + 824 + 7000) as f64);
    assert_eq!(
        points,
        [
            (0.0, live(0)),
            (500.0, Some(900_000.0)),
            (1000.0, Some(1_000_000.0)),
            (2000.0, Some(1_000_100.0)),
            (300_000.0, Some(999_972.0)),
            (900_000.0, Some(1_004_096.0)),
            (1_000_000.0, live(1)),
            (2_000_000.0, live(2)),
            (2_900_000.0, Some(1_004_096.0)),
            (3_000_000.0, live(3)),
            (4_000_000.0, live(4)),
            (5_000_000.0, live(5)),
        ]
    );
    assert_eq!(page.curves.iter().filter(|curve| curve.name.contains("live heap")).count(), 1);
}

#[test]
fn a_pool_has_its_own_chart() {
    let mut fixture = Fixture::empty();
    fixture.snapshots = (0..3).map(|number| snapshot(number, number, None)).collect();
    for snapshot in &mut fixture.snapshots {
        let counters = memprof_profile::Profile::of_counters(
            "pool",
            [
                (["allocated", "requested"], memprof_profile::tree::Device::Cuda(0), 1000),
                (["cached", "releasable"], memprof_profile::tree::Device::Cuda(0), 3096),
            ],
        );
        let profile: serde_json::Value =
            serde_json::from_str(&counters.to_json().expect("it is flat")).expect("it is JSON");
        snapshot["sources"] = json!([{"name": "activations", "profile": profile}]);
    }
    let page = page(&fixture);
    assert_eq!(values(&page, "activations", "total"), [Some(4096.0); 3]);
    assert_eq!(values(&page, "activations", "allocated"), [Some(1000.0); 3]);
    assert_eq!(values(&page, "activations", "cached"), [Some(3096.0); 3]);
}
