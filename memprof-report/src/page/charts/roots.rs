//! The roots one by one.

use super::{Charts, Style, bytes, over, sparse};
use crate::known::root_bytes;
use crate::page::texts;
use core::cmp::Reverse;
use memprof_session::document::Snapshot;
use std::collections::{HashMap, HashSet};

/// Roots that have a curve of their own.
const LARGEST: usize = 8;

pub(super) fn add(charts: &mut Charts, snapshots: &[&Snapshot]) {
    // By when each was first seen, so that files of one session give one page.
    let mut roots: Vec<(&str, Vec<(usize, u64)>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        for root in &snapshot.roots {
            let Some(total) = root_bytes(root) else { continue };
            let place = *places.entry(&root.name).or_insert_with(|| {
                roots.push((&root.name, Vec::new()));
                roots.len() - 1
            });
            let known = &mut roots[place].1;
            match known.last_mut() {
                // Two of one name.
                Some(last) if last.0 == index => last.1 = last.1.saturating_add(total),
                _ => known.push((index, total)),
            }
        }
    }
    roots.sort_by_key(|(_, known)| Reverse(known.iter().map(|known| known.1).max()));
    let mut curves: Vec<_> = roots
        .iter()
        .take(LARGEST)
        .map(|(name, known)| sparse(texts::name(name), Style::Line, snapshots, known))
        .collect();
    let others: HashSet<&str> = roots.iter().skip(LARGEST).map(|(name, _)| *name).collect();
    if !others.is_empty() {
        let name = format!("{} others", others.len());
        curves.push(over(name, Style::Line, snapshots, |snapshot| {
            let others = snapshot.roots.iter().filter(|root| others.contains(&*root.name));
            let known = others.filter_map(root_bytes);
            known.reduce(u64::saturating_add).map(bytes)
        }));
    }
    charts.add("roots".into(), "bytes".into(), false, curves);
}
