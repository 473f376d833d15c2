//! `memprof info`: what kind of file it is and what it holds in all.

mod sums;

use crate::arguments::InfoArguments;
use crate::failure::Failure;
use crate::input::Format;
use crate::{input, json, output};
use memprof_core::{Origin, Profile, Shared, Units};
use serde::Serialize;
use std::collections::BTreeMap;
use sums::{Sums, Thing};

/// The JSON; `docs/format.md` describes it. What the origin does not tell is `null`.
#[derive(Serialize)]
struct InfoJson<'p> {
    format: &'static str,
    version: u32,
    file: FileJson,
    root: &'p str,
    origin: &'static str,
    total_bytes: u64,
    exact: Option<bool>,
    opaque: BTreeMap<&'static str, u64>,
    estimated_bytes: u64,
    branches: u64,
    leaves: u64,
    depth: u64,
    counts: Option<BTreeMap<&'static str, u64>>,
    shared: Option<SharedJson>,
    roles: Option<BTreeMap<String, u64>>,
    devices: Option<BTreeMap<String, u64>>,
}

#[derive(Serialize)]
struct FileJson {
    format: &'static str,
    version: Option<u64>,
}

#[derive(Serialize)]
struct SharedJson {
    objects: u64,
    handles: u64,
    bytes: u64,
    bytes_if_unshared: u64,
    bytes_held_outside: u64,
}

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let (profile, format) = input::read(&arguments.file.source)?;
    let sums = Sums::of(&profile);
    let text = if arguments.printing.json {
        json::text(&document(&profile, format, &sums))
    } else {
        Ok(lines(&profile, format, &sums, arguments.printing.units.into()))
    };
    Ok(output::print(|out| Ok(writeln!(out, "{}", text?)?))?)
}

fn version(format: Format) -> Option<u64> {
    (format == Format::Json).then_some(Profile::JSON_VERSION)
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Json => Profile::JSON_FORMAT,
        Format::Folded => "folded stacks",
    }
}

fn document<'p>(profile: &'p Profile, format: Format, sums: &Sums) -> InfoJson<'p> {
    let told = profile.origin() == Origin::Values;
    let named = |sums: &[(String, u64)]| told.then(|| sums.iter().cloned().collect());
    InfoJson {
        format: "memprof info",
        version: 1,
        file: FileJson { format: format_name(format), version: version(format) },
        root: profile.root().name(),
        origin: profile.origin().word(),
        total_bytes: profile.total_bytes(),
        exact: told.then(|| profile.is_exact()),
        opaque: sums.opaque.iter().map(|&(why, count)| (why.word(), count)).collect(),
        estimated_bytes: sums.estimated_bytes,
        branches: sums.branches,
        leaves: sums.leaves,
        depth: sums.depth,
        counts: told.then(|| sums.counts().into_iter().collect()),
        shared: told.then(|| profile.shared()).map(Into::into),
        roles: named(&sums.roles),
        devices: named(&sums.devices),
    }
}

impl From<Shared> for SharedJson {
    fn from(shared: Shared) -> Self {
        Self {
            objects: shared.objects,
            handles: shared.handles,
            bytes: shared.bytes,
            bytes_if_unshared: shared.bytes_if_unshared,
            bytes_held_outside: shared.bytes_held_outside,
        }
    }
}

fn lines(profile: &Profile, format: Format, sums: &Sums, units: Units) -> String {
    let mut lines: Vec<(&str, String)> = Vec::new();
    let version =
        version(format).map_or_else(String::new, |version| format!(", version {version}"));
    lines.push(("format", format!("{}{version}", format_name(format))));
    lines.push(("root", crate::shown::shown(profile.root().name())));
    lines.push(("total", amount(profile.total_bytes(), units)));
    let told = profile.origin() == Origin::Values;
    let or_unknown = |text: String| if told { text } else { "unknown".into() };
    lines.push(("exact", or_unknown(exactness(profile, sums, units))));
    lines.push(("branches", Thing::count(sums.branches)));
    lines.push(("leaves", Thing::count(sums.leaves)));
    lines.push(("depth", Thing::count(sums.depth)));
    for (name, count) in sums.counts() {
        lines.push((name, or_unknown(Thing::count(count))));
    }
    lines.push(("shared", or_unknown(shared(profile.shared(), units))));
    for (name, parts) in [("roles", &sums.roles), ("devices", &sums.devices)] {
        let parts = parts.iter().map(|(part, bytes)| format!("{part} {}", units.show(*bytes)));
        lines.push((name, or_unknown(parts.collect::<Vec<_>>().join(", "))));
    }
    let width = lines.iter().map(|line| line.0.len()).max().unwrap_or_default();
    let lines = lines.iter().map(|(name, text)| format!("{name:width$}  {text}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn amount(bytes: u64, units: Units) -> String {
    match units.show(bytes).to_string() {
        short if bytes < 1000 || matches!(units, Units::Bytes) => short,
        short => format!("{short} ({})", Units::Bytes.show(bytes)),
    }
}

fn exactness(profile: &Profile, sums: &Sums, units: Units) -> String {
    if profile.is_exact() {
        return "yes".into();
    }
    let mut why: Vec<String> =
        sums.opaque.iter().map(|(why, count)| format!("{} {why}", Thing::count(*count))).collect();
    if sums.estimated_bytes > 0 {
        why.push(format!("{} estimated", units.show(sums.estimated_bytes)));
    }
    format!("no: {}", why.join(", "))
}

fn shared(shared: Shared, units: Units) -> String {
    if shared.objects == 0 {
        return "nothing".into();
    }
    format!(
        "{} in {} objects with {} handles",
        units.show(shared.bytes),
        Thing::count(shared.objects),
        Thing::count(shared.handles)
    )
}
