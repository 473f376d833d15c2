//! Devices and pools: what values hold there beside what drivers and pools say.

use super::{Charts, Style, sparse};
use crate::known::device_bytes;
use crate::page::texts;
use memprof_core::{ATTRIBUTED, Branch, Device, Profile};
use memprof_session::document::{Snapshot, SourceReading};
use std::collections::BTreeMap;

/// Curves of a chart, each by its name, with what is known of it.
type Curves = Vec<(String, Style, Vec<(usize, u64)>)>;

/// Names right below a source that have a curve of their own.
const PARTS: usize = 12;

/// Charts by their titles: devices come before what only sources know.
#[derive(Default)]
struct Found(BTreeMap<(bool, String), Curves>);

impl Found {
    fn note(&mut self, chart: (bool, &str), name: &str, style: Style, index: usize, bytes: u64) {
        let curves = self.0.entry((chart.0, chart.1.to_owned())).or_default();
        let place = curves.iter().position(|curve| curve.0 == name).unwrap_or_else(|| {
            curves.push((name.to_owned(), style, Vec::new()));
            curves.len() - 1
        });
        let known = &mut curves[place].2;
        match known.last_mut() {
            Some(last) if last.0 == index => last.1 = last.1.saturating_add(bytes),
            _ => known.push((index, bytes)),
        }
    }
}

pub(super) fn add(charts: &mut Charts, snapshots: &[&Snapshot]) {
    let mut found = Found::default();
    for (index, snapshot) in snapshots.iter().enumerate() {
        let known = device_bytes(snapshot).filter_map(|(device, bytes)| Some((device, bytes?)));
        for (device, bytes) in known.filter(|(device, _)| *device != "cpu") {
            found.note((false, device), "the roots' values", Style::Fill, index, bytes);
        }
        for source in &snapshot.sources {
            // What is no profile is said where the snapshot is shown.
            if let Some(Ok(profile)) = source.profile() {
                of_source(&mut found, source, &profile, index);
            }
        }
    }
    for ((_, title), curves) in found.0 {
        let curves = curves
            .into_iter()
            .map(|(name, style, known)| sparse(texts::name(&name), style, snapshots, &known))
            .collect();
        charts.add(texts::name(&title), "bytes".into(), false, curves);
    }
}

fn of_source(found: &mut Found, source: &SourceReading, profile: &Profile, index: usize) {
    let root = profile.root();
    let devices = root.children().filter(|child| Device::from_word(child.name()).is_some());
    let mut is_of_devices = false;
    for device in devices {
        is_of_devices = true;
        of_device(found, source, device, index);
    }
    if !is_of_devices {
        let chart = (true, &*source.name);
        found.note(chart, "in all", Style::Fill, index, root.total_bytes());
        for (name, bytes) in parts(root) {
            found.note(chart, name, Style::Line, index, bytes);
        }
    }
}

/// A device's memory: what is free tells how much there is.
fn of_device(found: &mut Found, source: &SourceReading, device: Branch<'_>, index: usize) {
    let chart = (false, device.name());
    if device.child("free").is_some() {
        found.note(chart, "capacity", Style::Limit, index, device.total_bytes());
    }
    for (name, bytes) in parts(device).filter(|part| part.0 != "free" && part.0 != ATTRIBUTED) {
        let name = format!("{}: {name}", source.name);
        found.note(chart, &name, Style::Dashed, index, bytes);
    }
    let used = device.child("used").into_iter();
    for (name, bytes) in used.flat_map(parts).filter(|part| part.0 != ATTRIBUTED) {
        let name = format!("{}: {name}", source.name);
        found.note(chart, &name, Style::Dashed, index, bytes);
    }
}

/// What is right below a branch, the rest as one.
fn parts(branch: Branch<'_>) -> impl Iterator<Item = (&str, u64)> {
    let rest = branch.children().skip(PARTS).map(Branch::total_bytes);
    let rest = rest.reduce(u64::saturating_add).map(|rest| ("others", rest));
    branch.children().take(PARTS).map(|child| (child.name(), child.total_bytes())).chain(rest)
}
