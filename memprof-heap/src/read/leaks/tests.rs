//! A record stays small however long it is written.

use crate::read::leaks::{Latest, Observed, Places, Record, Row, rows};
use crate::read::operations::READS;
use crate::record::live_table::Sample;
use crate::record::stacks::OTHER;
use std::collections::BTreeSet;

fn observed(number: u64, sites: u32) -> Latest {
    let rows = (0..sites).map(|site| Row { site, ..Row::default() }).collect();
    let observed = Observed { seconds: number as f64, number, net: 0, rows };
    Latest { observed, blocks: Vec::new() }
}

fn numbers(record: &Record) -> Vec<u64> {
    record.until(record.latest.as_ref()).iter().map(|one| one.number).collect()
}

#[test]
fn a_long_record_is_thinned_evenly_and_has_the_last_observation() {
    let mut record = Record::default();
    for number in 1..=100_001 {
        record.push(observed(number, 2));
    }
    let numbers = numbers(&record);
    assert!((100..=257).contains(&numbers.len()), "{}", numbers.len());
    let (last, kept) = numbers.split_last().expect("some are kept");
    assert_eq!(*last, 100_001);
    let step = kept[0];
    assert!(kept.windows(2).all(|pair| pair[1] - pair[0] == step), "{kept:?}");
}

#[test]
fn a_record_has_the_observation_before_the_program_ended_its_work() {
    let before_end = |nets: &[i64]| {
        let mut record = Record::default();
        for (number, net) in (1..).zip(nets) {
            let mut one = observed(number, 1);
            one.observed.net = *net;
            record.push(one);
        }
        record.before_end.map(|it| it.observed.number)
    };
    assert_eq!(before_end(&[1]), None);
    assert_eq!(before_end(&[1, 2, 3]), Some(2));
    let growing: Vec<i64> = (0..20).collect();
    assert_eq!(before_end(&[&growing[..], &[2]].concat()), Some(20));
    assert_eq!(before_end(&[&growing[..], &[2, 1]].concat()), Some(20));
    // Some of the memory stays, or is freed slowly.
    assert_eq!(before_end(&[&growing[..], &[15, 11]].concat()), Some(20));
    assert_eq!(before_end(&[&growing[..], &[12, 13, 20, 21]].concat()), Some(23));
    // The program went on for some time after it had freed the memory.
    assert_eq!(before_end(&[&growing[..], &[2; 5]].concat()), Some(24));
}

#[test]
fn many_sites_leave_room_for_fewer_observations() {
    let mut record = Record::default();
    for number in 1..=1000 {
        record.push(observed(number, 1000));
    }
    let rows: usize = record.kept.iter().map(|one| one.rows.len()).sum();
    assert!(rows <= super::MAX_ROWS, "{rows}");
    assert!(record.kept.len() >= 15, "{}", record.kept.len());
}

#[test]
fn a_short_record_has_every_observation() {
    let mut record = Record::default();
    for number in 1..=200 {
        record.push(observed(number, 1));
    }
    assert_eq!(numbers(&record), (1..=200).collect::<Vec<_>>());
}

#[test]
fn blocks_older_than_the_baseline_are_counted_apart_after_50_days_too() {
    let sample = |allocated_at, size| {
        let (site, operation, sampling_run, thread) = (1, 0, 0, 1);
        Sample { address: 16, size, mean: 0, site, operation, sampling_run, thread, allocated_at }
    };
    // The baseline was 1,000 ms ago, 900 ms before the milliseconds need more than 32 bits.
    let baseline = u64::from(u32::MAX) - 899;
    let now = baseline + 1000;
    let allocated_at = [(baseline - 5, 1), (baseline, 2), (baseline + 1, 4), (now - 10, 8)];
    let samples = allocated_at.map(|(allocated_at, size)| sample(allocated_at, size));
    let rows = rows(&samples, now, 1000);
    assert_eq!(rows.len(), 1);
    let held = rows[0].held;
    assert_eq!((held.largest, held.older.value.round() as u64), (8, 3));
    assert_eq!((held.younger.samples, held.younger.value.round() as u64), (2, 12));
    assert_eq!((held.younger_squares.round() as u64, held.older_squares.round() as u64), (80, 5));
    // 4 bytes of 0.999 s and 8 bytes of 0.01 s.
    assert!(
        (held.ages - 4.076).abs() < 1e-6 && (held.age_squares - 3.9928).abs() < 1e-4,
        "{held:?}"
    );
}

#[test]
fn an_observation_of_many_operations_reads_the_records_once() {
    let sample = |operation| {
        let (mean, site, sampling_run, thread, allocated_at) = (0, 1, 0, 1, 0);
        Sample { address: 16, size: 1, mean, site, operation, sampling_run, thread, allocated_at }
    };
    let samples: Vec<_> = (1..=1000).map(sample).collect();
    let before = READS.get();
    assert_eq!(rows(&samples, 10, 100).len(), 1000);
    assert_eq!(READS.get() - before, 1);
}

#[test]
fn call_sites_that_no_observation_has_are_forgotten() {
    let mut places = Places::default();
    assert!(places.place(OTHER).allocates().is_some());
    places.keep_only(&BTreeSet::from([(OTHER, 0)]));
    assert_eq!(places.located.len(), 1);
    places.keep_only(&BTreeSet::new());
    assert_eq!((places.located.len(), places.located.capacity()), (0, 0));
}
