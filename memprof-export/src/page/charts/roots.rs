//! A curve for each root.

use super::{
    Amount, Charts, Series, SeriesByName, Style, UNKNOWN_REASON, added, bytes, over, sparse,
};
use crate::known::{is_complete, least_bytes, root_bytes, root_reason};
use crate::page::texts;
use core::cmp::Reverse;
use memprof_profile::text::Grouped;
use memprof_recording::document::{RootReading, Snapshot};
use std::collections::{HashMap, HashSet};

const MAX_CURVES: usize = 8;

pub(super) fn add<'s>(charts: &mut Charts<'s>, snapshots: &[&'s Snapshot]) {
    let mut series_by_name = SeriesByName::default();
    let mut least_by_name = SeriesByName::default();
    let mut partial: HashSet<&str> = HashSet::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for root in &snapshot.roots {
            series_by_name.record(&*root.name, index, amount(root));
            least_by_name.record(&*root.name, index, least(root));
            if !is_complete(root) && least_bytes(root).is_some() {
                partial.insert(&root.name);
            }
        }
    }
    let least: HashMap<&str, Series<'_>> = least_by_name.in_order().collect();
    // A root without a known value comes last.
    let peak = |name: &str| least[name].iter().filter_map(|series| series.1.ok()).max();
    let mut roots: Vec<_> = series_by_name.in_order().collect();
    roots.sort_by_key(|(name, _)| Reverse(peak(name)));
    let others = roots.split_off(roots.len().min(MAX_CURVES));
    let mut lower_ends = Vec::new();
    let mut curves = Vec::new();
    for (name, series) in roots {
        if partial.contains(name) {
            let lower_end = format!("{}, at least", texts::name(name));
            lower_ends.push(sparse(lower_end, Style::Least, snapshots, least[name].clone()));
        }
        curves.push(sparse(texts::name(name), Style::Line, snapshots, series));
    }
    let others: HashSet<&str> = others.into_iter().map(|(name, _)| name).collect();
    if !others.is_empty() {
        let name = format!("{} others", Grouped(others.len() as u64));
        curves.push(over(name, Style::Line, snapshots, |snapshot| {
            let others = snapshot.roots.iter().filter(|root| others.contains(&*root.name));
            others.map(amount).reduce(added).unwrap_or(Err(UNKNOWN_REASON))
        }));
    }
    curves.extend(lower_ends);
    charts.add("roots".into(), "bytes".into(), false, curves);
}

fn amount(root: &RootReading) -> Amount<'static> {
    root_bytes(root).map(bytes).ok_or(reason(root))
}

fn least(root: &RootReading) -> Amount<'static> {
    least_bytes(root).map(bytes).ok_or(reason(root))
}

fn reason(root: &RootReading) -> &'static str {
    if is_complete(root) { UNKNOWN_REASON } else { root_reason(root) }
}
