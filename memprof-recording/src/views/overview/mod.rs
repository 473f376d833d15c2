//! A recording on one screen.

mod head;
mod holdings;

use super::leaks::{growth, interval};
use super::operations::{TIME, retained};
use super::pinned::PinnedMemory;
use super::sites::key_places;
use super::words::{first_operation, operation, place_within};
use crate::document::{
    DroppedEvents, Estimate, FrameworkRow, GaugeReading, Known, LiveStacks, Site, Snapshot,
};
use crate::{LiveSite, Recording};
use core::fmt;
use memprof_profile::text::{
    Shown, Table, counted, current_folder, cut, filled, key_line, lived, percent, signed, span,
};
use memprof_profile::views::{Grouped, Units};

/// A recording on one screen; [`Recording::overview`] creates it, `{}` formats it.
///
/// The overview leaves out parts without content, and lists unknown figures as unknown.
///
/// ```no_run
/// let recording = memprof::session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// println!("{}", recording.overview());
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Overview<'r> {
    recording: &'r Recording,
    at: Option<&'r Snapshot>,
    /// `true` if the recording has all snapshots and stacks of its file.
    is_whole: bool,
    is_brief: bool,
    units: Units,
    width: usize,
}

const MIN_WIDTH: usize = 60;

impl Recording {
    /// Returns an overview of the recording on one screen.
    pub fn overview(&self) -> Overview<'_> {
        Overview {
            recording: self,
            at: None,
            is_whole: true,
            is_brief: false,
            units: Units::Iec,
            width: 100,
        }
    }
}

impl<'r> Overview<'r> {
    /// Shows this snapshot instead of the last one, and leaves out what is only known at the end.
    pub fn at(mut self, snapshot: &'r Snapshot) -> Self {
        self.at = Some(snapshot);
        self
    }

    /// Keeps only the lines about the run and its totals, and the warnings.
    pub fn brief(mut self) -> Self {
        self.is_brief = true;
        self
    }

    /// Leaves out the number of kept snapshots, and shortens the lists: the file has snapshots and
    /// stacks that this recording lacks.
    #[doc(hidden)]
    pub fn of_landmarks(mut self) -> Self {
        self.is_whole = false;
        self
    }

    /// Sets the units of bytes; the default is [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Limits lines to this number of columns: at least 60, and 100 by default.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }
}

impl fmt::Display for Overview<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(self.width, self.units);
        let recording = self.recording;
        let is_last = self.at.is_none();
        head::write(&mut page, recording, self.at, self.is_whole);
        if is_last && !self.is_brief {
            write_growth(&mut page, recording);
            page.gap();
        }
        head::write_totals(&mut page, recording, self.at);
        let snapshot = self.at.or(recording.snapshots.last());
        let pinned = snapshot.and_then(|until| {
            let pinned = recording.pinned(until).filter(PinnedMemory::is_large)?;
            Some((pinned_title(&pinned, until, self.units), pinned))
        });
        if let Some((title, _)) = pinned.as_ref().filter(|_| self.is_brief) {
            page.labelled("pinned", title);
        }
        if !self.is_brief {
            write_moment(&mut page, recording, self.at, self.is_whole);
            if let Some(snapshot) = snapshot {
                holdings::write(&mut page, recording, snapshot);
            }
            if let Some((title, pinned)) = &pinned {
                write_pinned(&mut page, title, pinned);
            }
            if is_last {
                write_unexplained(&mut page, recording);
                write_work(&mut page, recording, self.is_whole);
            }
            if let Some(snapshot) = snapshot {
                holdings::write_tensors(&mut page, snapshot);
                write_gauges(&mut page, snapshot);
            }
        }
        head::write_warnings(&mut page, recording);
        out.write_str(&page.text())
    }
}

const SUSPECTS: usize = 5;

/// The maximum number of call sites that may grow, if there is no suspect.
const DOUBTFUL: usize = 3;

fn write_growth(page: &mut Page, recording: &Recording) {
    if let Some([finding, evidence]) = recording.resident_growth(page.units) {
        page.heading(&finding);
        page.line(&evidence);
    }
    if recording.snapshots.iter().all(|snapshot| snapshot.heap.is_none()) {
        return;
    }
    if let Some(why) = recording.leaks_unknown() {
        page.heading(&format!("growth unknown: {why}"));
        return;
    }
    let mut verdict = recording.leak_verdict(page.units).into_iter();
    let suspects = recording.suspects();
    let more = match suspects.len().saturating_sub(SUSPECTS) {
        0 => String::new(),
        more => format!(", {} of them only in `memprof leaks`", Grouped(more as u64)),
    };
    page.heading(&format!("{}{more}", verdict.next().unwrap_or_default()));
    let mut sites = SiteTable::new(["per second", "95 % interval", "per call", "live", ""], &[4]);
    let all_freed = suspects.iter().all(|suspect| suspect.freed_at_end);
    let (listed, most) = if suspects.is_empty() {
        (recording.doubtful_suspects(), DOUBTFUL)
    } else {
        (suspects, SUSPECTS)
    };
    for suspect in listed.iter().take(most) {
        let within = suspect.operation().map_or_else(String::new, |names| format!(" in {names}"));
        let root =
            suspect.held_by.first().map(|held| format!(", held by the root {}", Shown(&held.root)));
        let root = root.unwrap_or_default();
        let freed = if suspect.freed_at_end && !all_freed { ", freed at the end" } else { "" };
        let doubt = suspect.doubt_reason().map_or_else(String::new, |why| format!(", {why}"));
        let line = suspect.line(page.place_width(), page.folder.as_deref());
        sites.row([
            growth(suspect.bytes_per_second, page.units),
            interval(suspect, page.units).join(" to "),
            suspect.bytes_per_call.map_or_else(String::new, |bytes| growth(bytes, page.units)),
            suspect.live.bytes(page.units).to_string(),
            format!("{line}{within}{root}{freed}{doubt}"),
        ]);
    }
    page.sites(sites);
    for line in verdict {
        page.line(&line);
    }
}

const SITES: usize = 3;
const TYPES: usize = 5;
const ROOTS_OF_MOMENT: usize = 4;
const OF_SITE: usize = 2;

/// Writes what held memory at the snapshot `at`, or at the peak. Unless `is_whole`, the recording
/// may lack stacks, so only the largest sites are written.
fn write_moment(page: &mut Page, recording: &Recording, at: Option<&Snapshot>, is_whole: bool) {
    let Some((moment, title)) = chosen(recording, at, page.units) else { return };
    let sites = recording.live_sites(moment);
    let shown = SITES;
    // Estimates of all sites may add up to more than the exact bytes.
    let sum: f64 = sites.iter().map(|site| site.live.value).sum();
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let whole = sum.max(moment.live_bytes.max(0) as f64);
    let mut table = SiteTable::new(["live", "share", "root", ""], &[2, 3]);
    for site in sites.iter().take(shown) {
        let line = site.line(page.place_width(), page.folder.as_deref());
        table.row([
            site.live.bytes(page.units).to_string(),
            share(site.live.value, whole),
            roots_of(site),
            format!("{line}{}", within(site)),
        ]);
    }
    if sites.is_empty() {
        return;
    }
    page.heading(&title);
    page.sites(table);
    if !is_whole {
        // The overview of a part does not add up the other sites and roots: the file has more.
        if sites.len() > shown {
            page.line("…more call sites and the roots: `memprof info`");
        }
        return;
    }
    let rest: f64 = sites.iter().skip(shown).map(|site| site.live.value).sum();
    if rest > 0.0 {
        let more = counted((sites.len() - shown) as u64, "more call site");
        let share = share(rest, whole);
        page.line(&format!("…{more} with {share}: `memprof export --to folded-sites`"));
    }
    types_of_moment(page, recording, moment, whole);
    roots_of_moment(page, recording, moment);
}

fn chosen<'r>(
    recording: &'r Recording,
    at: Option<&Snapshot>,
    units: Units,
) -> Option<(&'r LiveStacks, String)> {
    let is_peak = |moment: &LiveStacks| {
        recording.peak_stacks().is_some_and(|peak| peak.at_ns == moment.at_ns)
    };
    let of = |at: &Snapshot| {
        recording.live_stacks.iter().find(|moment| moment.snapshot == Some(at.number))
    };
    let is_highest = |at: &Snapshot| recording.peak().is_some_and(|peak| peak.number == at.number);
    match at {
        // The highest snapshot is that of the peak, even if the stacks are from another moment.
        Some(at) if !is_highest(at) => {
            let moment = of(at).filter(|moment| !is_peak(moment))?;
            let live = units.show(moment.live_bytes.max(0).unsigned_abs());
            Some((moment, format!("what held the {live} of live memory")))
        }
        _ => {
            let moment = recording.peak_stacks()?;
            Some((moment, peak_title(recording, moment, units)))
        }
    }
}

/// If the stacks were recorded when fewer bytes were live, the title has their share of the peak.
fn peak_title(recording: &Recording, moment: &LiveStacks, units: Units) -> String {
    let live = moment.live_bytes.max(0).unsigned_abs();
    let at = span(moment.at_ns);
    let most = recording.peak_bytes().unwrap_or(live).max(live);
    let peak = units.show(most).to_string();
    if peak == units.show(live).to_string() {
        return format!("at the peak of {peak} at {at}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    let share = percent(live as f64 / most as f64);
    format!("at the peak of {peak}; the stacks at {at} hold {share} of it")
}

fn share(part: f64, whole: f64) -> String {
    if whole > 0.0 { percent(part / whole) } else { String::new() }
}

/// Formats `cache (98.0 %)`, without the percentage if a root reached nearly all of the memory.
fn roots_of(site: &LiveSite) -> String {
    let all = site.live.value.max(1.0);
    let one = |(name, live): &(String, Estimate)| {
        let part = (live.value / all).min(1.0);
        let name = Shown(name);
        if part > 0.995 { name.to_string() } else { format!("{name} ({})", percent(part)) }
    };
    let mut roots: Vec<String> = site.roots.iter().take(OF_SITE).map(one).collect();
    let more = site.roots.len().saturating_sub(OF_SITE);
    if more > 0 {
        roots.push(format!("{} more", Grouped(more as u64)));
    }
    roots.join(", ")
}

/// Formats ` in serve;handle`; empty if no sample was in an operation.
fn within(site: &LiveSite) -> String {
    first_operation(&site.operations).map_or_else(String::new, |names| format!(" in {names}"))
}

/// Writes the types that held the most memory, if the types of most memory are known.
fn types_of_moment(page: &mut Page, recording: &Recording, moment: &LiveStacks, whole: f64) {
    let types = recording.live_types(moment);
    let known =
        types.iter().filter(|one| one.name.is_some()).map(|one| one.live.value).sum::<f64>();
    if known < whole / 2.0 {
        return;
    }
    let mut table = Table::new([""; 3], &[2]);
    for one in types.iter().take(TYPES) {
        let name = one.name.as_deref().unwrap_or("of unknown type");
        table.row([
            one.live.bytes(page.units).to_string(),
            share(one.live.value, whole),
            Shown(name).to_string(),
        ]);
    }
    page.part_of_section("by type", &table);
}

/// Writes the roots of the moment, each with its time if it is from another snapshot.
fn roots_of_moment(page: &mut Page, recording: &Recording, moment: &LiveStacks) {
    let roots = recording.roots_at(moment);
    let mut parts: Vec<String> = Vec::new();
    for (root, snapshot) in roots.iter().take(ROOTS_OF_MOMENT) {
        let bytes = root.shown_bytes(page.units).unwrap_or_default();
        let name = Shown(&root.name);
        parts.push(if moment.snapshot == Some(snapshot.number) {
            format!("{name} {bytes}")
        } else {
            let side = if snapshot.at_ns < moment.at_ns { "before" } else { "after" };
            let apart = span(snapshot.at_ns.abs_diff(moment.at_ns));
            format!("{name} {bytes} ({apart} {side})")
        });
    }
    let more = roots.len().saturating_sub(ROOTS_OF_MOMENT);
    if more > 0 {
        parts.push(format!("…{} more", Grouped(more as u64)));
    }
    if let Some(first) = parts.first_mut() {
        first.insert_str(0, "roots: ");
        page.parts(&parts);
    }
}

const SHOWN: usize = 3;

/// Returns the parts of a line about pinned memory. `until` is the snapshot that the overview shows.
fn pinned_title(pinned: &PinnedMemory<'_>, until: &Snapshot, units: Units) -> [String; 2] {
    let is_now = pinned.moment.snapshot == Some(until.number);
    let at = if is_now { String::new() } else { format!(", at {}", span(pinned.moment.at_ns)) };
    [
        format!("{} is free but pinned by live blocks{at}", pinned.free.bytes(units)),
        format!("trimming returns at most {}", units.show(pinned.trimmable_bytes)),
    ]
}

fn write_pinned(page: &mut Page, title: &[String; 2], pinned: &PinnedMemory<'_>) {
    let units = page.units;
    page.heading(&title.join("; "));
    let mut table = SiteTable::new(["share", "freeing returns", "root", "blocks of"], &[2, 3]);
    for site in pinned.sites.iter().take(SHOWN) {
        let Some(bytes) = site.pinned else { continue };
        let line = site.line(page.place_width(), page.folder.as_deref());
        table.row([
            share(bytes.free.value, pinned.free.value),
            bytes.returned().map(|bytes| units.show(bytes).to_string()).join(" to "),
            roots_of(site),
            format!("{line}{}", within(site)),
        ]);
    }
    page.sites(table);
}

fn write_unexplained(page: &mut Page, recording: &Recording) {
    let summary = &recording.summary;
    let units = page.units;
    let program = &recording.metadata.program;
    if summary.unexplained_sites.is_empty() && summary.unexplained_operations.is_empty() {
        let all: Vec<&Site> = summary.sites.iter().collect();
        sites(page, "live, by place", &all, program);
    }
    // Values that were not visited may hold this memory.
    let is_partial = recording.snapshots.last().is_some_and(Snapshot::roots_lack_values);
    let title = if is_partial { "not found in any visited value" } else { "explained by no root" };
    // The suspects are above.
    let suspects = recording.suspects();
    let is_suspect = |site: &&Site| {
        let (key, allocates) = key_places(&site.place, &site.stack, program);
        suspects.iter().any(|one| one.is_at(key.your_code, allocates))
    };
    let (above, rest): (Vec<&Site>, Vec<&Site>) =
        summary.unexplained_sites.iter().partition(is_suspect);
    let besides = if above.is_empty() { "" } else { ", besides what grows" };
    sites(page, &format!("{title}{besides}"), &rest, program);
    let mut table = Table::new([""; 2], &[1]);
    for twice in summary.claimed_twice.iter().take(SHOWN) {
        let [one, other] = &twice.roots;
        let roots = format!("{} and {}", Shown(one), Shown(other));
        table.row([twice.live.bytes(units).to_string(), roots]);
    }
    page.part_of_section("claimed by two roots", &table);
}

fn sites(page: &mut Page, title: &str, sites: &[&Site], program: &str) {
    let mut table = SiteTable::new([""; 2], &[1]);
    for site in sites.iter().take(SHOWN) {
        let (key, allocates) = key_places(&site.place, &site.stack, program);
        let place = key_line(key.your_code, allocates, |place| {
            place_within(page.place_width(), place, page.folder.as_deref())
        });
        table.row([site.live.bytes(page.units).to_string(), place + &lived_of(site)]);
    }
    if !sites.is_empty() {
        page.heading(title);
        page.sites(table);
    }
}

/// Returns how long freed blocks lived, if the program freed at least three quarters of what the call
/// site allocated. Otherwise most freed blocks may be vectors that were about to grow.
fn lived_of(site: &Site) -> String {
    let frees_most = site.allocated.is_some_and(|all| all.value > 4.0 * site.live.value);
    let known = site.lifetime.filter(|lifetime| frees_most && lifetime.interval_ms().is_some());
    known.map(|lifetime| lived(lifetime.mean())).unwrap_or_default()
}

const OPERATIONS: usize = 5;
const FRAMEWORK: usize = 3;

fn write_work(page: &mut Page, recording: &Recording, is_whole: bool) {
    let units = page.units;
    let all = &recording.summary.operations;
    let mut table =
        Table::new(["operation", "calls", "retained (own)", "total", "peak", TIME], &[0]);
    let widest = recording.operation_table().count(OPERATIONS);
    for row in widest.rows() {
        table.row([
            operation(&row.path),
            Grouped(row.calls).to_string(),
            retained(row, units),
            signed(row.net_bytes.into(), units),
            units.show(row.peak_bytes).to_string(),
            row.wall_time.map_or_else(String::new, |time| span(time.total_ns)),
        ]);
    }
    // A narrow overview leaves out the times, then the peaks.
    for column in [5, 4] {
        if table.columns() + 2 > page.width {
            table.drop_column(column);
        }
    }
    if !table.is_empty() {
        page.gap();
        page.table_with_title(table);
        let more = all.len().saturating_sub(OPERATIONS);
        if more > 0 {
            page.line(&format!("…{}: `memprof ops`", counted(more as u64, "more operation")));
        }
    }
    let dropped = dropped(&recording.summary.dropped_events);
    if let Some(dropped) = dropped {
        // The `Document` of a session has no individual calls in memory; its file has them.
        let calls = if is_whole {
            let kept = recording.operation_events.len() as u64;
            format!("{} in the file; ", counted(kept, "individual call"))
        } else {
            "individual calls: ".to_owned()
        };
        page.line(&format!("{calls}{dropped}"));
    }
    framework(page, &recording.summary.framework_operations);
}

fn dropped(dropped: &DroppedEvents) -> Option<String> {
    let mut parts = Vec::new();
    if dropped.over_cap > 0 {
        parts.push(format!("{} later ones left out", Grouped(dropped.over_cap)));
    }
    if dropped.not_recorded > 0 {
        parts.push(format!("{} not recorded: the buffer was full", Grouped(dropped.not_recorded)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn framework(page: &mut Page, rows: &[FrameworkRow]) {
    let units = page.units;
    let mut table = Table::new(
        ["framework", "calls", "cpu", "device", "bytes", "on the device", "shapes"],
        &[0, 6],
    );
    for row in rows.iter().take(FRAMEWORK) {
        let time = |known: Option<Known>| {
            known.map_or_else(String::new, |known| span(known.total.max(0).unsigned_abs()))
        };
        let bytes = |known: Option<Known>| {
            known.map_or_else(String::new, |known| signed(known.total.into(), units))
        };
        let shapes = row.shapes.iter().flatten().map(|shape| format!("{shape:?}"));
        table.row([
            Shown(&row.name).to_string(),
            Grouped(row.calls).to_string(),
            time(row.cpu_ns),
            time(row.device_ns),
            bytes(row.cpu_bytes),
            bytes(row.device_bytes),
            shapes.collect::<Vec<_>>().join(" "),
        ]);
    }
    if !table.is_empty() {
        page.gap();
        page.table_with_title(table);
        let more = rows.len().saturating_sub(FRAMEWORK);
        if more > 0 {
            page.line(&format!("…{} more", Grouped(more as u64)));
        }
    }
}

const GAUGES: usize = 24;

fn write_gauges(page: &mut Page, snapshot: &Snapshot) {
    let gauges: Vec<&GaugeReading> =
        snapshot.sources.iter().flat_map(|source| &source.gauges).collect();
    let mut table = Table::new([""; 3], &[0, 2]);
    for gauge in gauges.iter().take(GAUGES) {
        let why = gauge.reason.as_deref().map(|why| Shown(why).to_string());
        let value =
            gauge.value.map_or_else(|| "unknown".into(), |value| amount(value, gauge, page.units));
        table.row([Shown(&gauge.name).to_string(), value, why.unwrap_or_default()]);
    }
    if let Some(more) = gauges.len().checked_sub(GAUGES).filter(|&more| more > 0) {
        table.row([format!("…{} more", Grouped(more as u64)), String::new(), String::new()]);
    }
    page.section("gauges", &table);
}

/// Formats a figure with its unit; an unknown unit is shown as the source wrote it.
fn amount(value: u64, gauge: &GaugeReading, units: Units) -> String {
    match &*gauge.unit {
        "bytes" => units.show(value).to_string(),
        "ns" => span(value),
        "celsius" => format!("{value} °C"),
        "milliwatts" => format!("{}.{} W", value / 1000, value % 1000 / 100),
        other => format!("{value} {}", Shown(other)),
    }
}

/// A table with a row for each call site. The last column has its place.
struct SiteTable {
    table: Table,
    column: usize,
    places: Vec<String>,
}

impl SiteTable {
    fn new<const N: usize>(heading: [&str; N], left: &[usize]) -> Self {
        Self { table: Table::new(heading, left), column: N - 1, places: Vec::new() }
    }

    fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.places.extend(cells.last().cloned());
        self.table.row(cells);
    }
}

struct Page {
    lines: Vec<String>,
    width: usize,
    units: Units,
    folder: Option<String>,
}

/// The width of the labels at the start of lines.
const LABEL: usize = 12;

impl Page {
    fn new(width: usize, units: Units) -> Self {
        Self { lines: Vec::new(), width, units, folder: current_folder() }
    }

    fn title(&mut self, text: &str) {
        self.lines.push(cut(text, self.width));
    }

    fn labelled(&mut self, label: &str, parts: &[String]) {
        let lines = filled(parts, ";", self.width.saturating_sub(LABEL));
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            self.lines.push(cut(&format!("{label:LABEL$}{line}"), self.width));
        }
    }

    /// Adds an empty line, the title and the table of a section; adds nothing for an empty table.
    fn section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.heading(title);
            self.table(table);
        }
    }

    /// Adds a section without an empty line before it.
    fn part_of_section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.lines.push(title.to_owned());
            self.table(table);
        }
    }

    fn heading(&mut self, title: &str) {
        self.lines.push(String::new());
        self.lines.push(title.to_owned());
    }

    fn table(&mut self, table: &Table) {
        let lines = table.lines(self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    fn line(&mut self, text: &str) {
        self.parts(&[text.to_owned()]);
    }

    fn parts(&mut self, parts: &[String]) {
        let lines = filled(parts, ";", self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    /// Returns the columns for a place on its own line, as [`uncut`](Self::uncut) writes it.
    fn place_width(&self) -> usize {
        self.width - 6
    }

    fn gap(&mut self) {
        self.lines.push(String::new());
    }

    /// Adds a table whose heading begins at the margin and whose rows are indented.
    fn table_with_title(&mut self, table: Table) {
        let lines = table.indented(self.width);
        self.lines.extend(lines.into_iter().map(|line| cut(&line, self.width)));
    }

    /// The notes of a row are on lines below it.
    fn table_with_notes(&mut self, table: Table, notes: &[Vec<String>]) {
        for (index, line) in table.indented(self.width).iter().enumerate() {
            self.lines.push(cut(line, self.width));
            // The first line is the title.
            let notes = index.checked_sub(1).and_then(|index| notes.get(index));
            let lines = filled(notes.map_or(&[], Vec::as_slice), ",", self.width - 4);
            self.lines
                .extend(lines.into_iter().map(|line| cut(&format!("    {line}"), self.width)));
        }
    }

    /// Adds a line to a section without breaking it, so that it stays aligned with others.
    fn preformatted(&mut self, line: &str) {
        self.lines.push(cut(&format!("  {line}"), self.width));
    }

    /// If the table would shorten a place in the middle, each place gets a line below its row.
    fn sites(&mut self, SiteTable { mut table, column, places }: SiteTable) {
        if table.is_empty() {
            return;
        }
        if table.columns() + 2 <= self.width {
            self.table(&table);
            return;
        }
        table.drop_column(column);
        let has_title = table.lines(usize::MAX).len() > places.len();
        for (index, line) in table.lines(self.width - 2).iter().enumerate() {
            self.preformatted(line);
            let place = index.checked_sub(usize::from(has_title));
            if let Some(place) = place.and_then(|index| places.get(index)) {
                self.uncut(place);
            }
        }
    }

    /// A line that is too long is broken at the arrow; files are never cut.
    fn uncut(&mut self, places: &str) {
        if places.chars().count() + 4 <= self.width {
            self.lines.push(format!("    {places}"));
            return;
        }
        for (index, place) in places.split(" → ").enumerate() {
            let indent = if index == 0 { "    " } else { "    → " };
            self.lines.push(format!("{indent}{place}"));
        }
    }

    fn text(&self) -> String {
        self.lines.join("\n")
    }
}
