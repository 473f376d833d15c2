//! The message of a failed `assert_no_leak!`. It fits on a screen of 24 lines and 100 columns.

use super::rounds::MIN;
use super::{LeakByRound, LeakError, LeakSite, PastLimit};
use crate::results::frame::{Frame, UNKNOWN_PLACE};
use core::fmt;
use memprof_profile::text::{KeyFrames, Shown, columns, counted, current_folder};
use memprof_profile::views::Units;
use std::error::Error;

/// The maximum number of call sites that are printed.
const SITES: usize = 4;

/// The maximum number of frames of the first place's stack.
const FRAMES: usize = 6;

/// The advice if some blocks were not sampled.
const SITES_UNKNOWN: &str = "\
    The call sites are unknown: over 4,096 sampled blocks were live, so some had no sample.\n\
    Run the check while no session and no other part of the program has that many live samples.\n\
    Output that `cargo test` captures is counted too: run it with `-- --nocapture`.";

/// The number of columns of a line.
const WIDTH: usize = 100;

impl fmt::Display for LeakError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::TooFewRounds(rounds) => write!(
                out,
                "{} can't distinguish growth from chance; at least {MIN} are needed",
                counted((*rounds).into(), "round")
            ),
            Self::Leaks(leak) => leak.fmt(out),
            Self::PastLimit(leak) => leak.fmt(out),
        }
    }
}

/// Prints the same text as `Display`, which fits on a screen and is more useful than all fields.
impl fmt::Debug for LeakError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for LeakError {}

impl fmt::Display for LeakByRound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let average = if self.is_regular { "" } else { " on average" };
        writeln!(
            out,
            "it leaks\n{} more after each round{average}, in {} rounds",
            amount(self.bytes_per_round, self.blocks_per_round),
            self.rounds
        )?;
        write_sites(out, &self.sites)?;
        out.write_str(if !self.has_sites {
            SITES_UNKNOWN
        } else if self.sites.is_empty() {
            "No live block was allocated by this thread in the measured work. Usual reasons:\n\
             - another thread frees what this thread allocates, and counts the free itself\n\
             - a future created before the check belongs to another operation"
        } else {
            "If the memory is kept on purpose, limit its size. If it stops growing when full, use \
             more\nrounds, such as `rounds = 100`. If another thread frees it, it is not a leak."
        })?;
        if self.sites.iter().any(|site| site.location.is_none()) {
            out.write_str(
                "\nWithout debug information, output that `cargo test` captures is counted too: \
                 run it with\n`-- --nocapture`.",
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for PastLimit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [net, limit] = [self.net_bytes, self.limit_bytes].map(|bytes| Units::Iec.show(bytes));
        let rounds = counted(self.rounds.into(), "round");
        writeln!(
            out,
            "it exceeds the memory limit\n{net} more are live after {rounds}; the limit is {limit}"
        )?;
        write_sites(out, &self.sites)?;
        if !self.has_sites {
            writeln!(out, "{SITES_UNKNOWN}")?;
        }
        out.write_str(
            "If this memory is kept on purpose, raise the limit, such as `limit = \"2 GiB\"`.",
        )
    }
}

/// Writes the first sites, and the callers of the very first one.
///
/// The lines are those of `memprof leaks`: the user's code, the dependency that it calls, and the
/// function that allocates.
fn write_sites(out: &mut fmt::Formatter<'_>, sites: &[LeakSite]) -> fmt::Result {
    let folder = current_folder();
    let folder = folder.as_deref();
    for (index, site) in sites.iter().take(SITES).enumerate() {
        let key = KeyFrames::of(site.stack.iter().map(Frame::origin));
        let frame = |index: usize| &site.stack[index];
        let yours = key.your_code.filter(|_| key.your_code != key.allocates);
        let first = yours.map(frame).or(key.allocates.map(frame)).or(site.location.as_ref());
        writeln!(out, "{}", line(site, first, folder))?;
        if yours.is_some() {
            let called = key.called.filter(|_| key.called != key.allocates);
            for (label, at) in [("calls     ", called), ("allocates ", key.allocates)] {
                if let Some(frame) = at.map(frame) {
                    let width = WIDTH - 2 - label.len();
                    writeln!(out, "  {label}{}", frame.within(width, folder))?;
                }
            }
        }
        if index == 0 {
            let above = key.your_code.or(key.allocates).map_or(1, |at| at + 1);
            let outer = site.stack.iter().skip(above).filter(|frame| frame.origin().is_shown());
            for frame in outer.take(FRAMES) {
                writeln!(out, "    from {}", frame.within(WIDTH - 9, folder))?;
            }
        }
    }
    match sites.len().checked_sub(SITES).filter(|more| *more > 0) {
        Some(more) => writeln!(out, "…{more} more"),
        None => Ok(()),
    }
}

/// Returns `1 024 B in 1 block  app::put (src/cache.rs:41)`.
fn line(site: &LeakSite, first: Option<&Frame>, folder: Option<&str>) -> String {
    let mut start = amount(site.bytes_per_round, site.blocks_per_round);
    if !site.operation.is_empty() {
        start = format!("{start}  {}", Shown(&site.operation.join(";")));
    }
    let width = WIDTH.saturating_sub(columns(&start) + 2);
    let place = first.map_or_else(|| UNKNOWN_PLACE.to_owned(), |frame| frame.within(width, folder));
    format!("{start}  {place}")
}

fn bytes(bytes: f64) -> String {
    if is_whole(bytes) {
        let sign = if bytes < 0.0 { "-" } else { "" };
        format!("{sign}{}", Units::Bytes.show(bytes.abs().round() as u64))
    } else {
        format!("{bytes:.1} B")
    }
}

/// Returns `1 024 B in 1 block`, or only the bytes if the number of blocks does not change.
fn amount(of_bytes: f64, blocks: f64) -> String {
    let bytes = bytes(of_bytes);
    if blocks.abs() < 0.05 {
        return bytes;
    }
    let number = if is_whole(blocks) { format!("{blocks:.0}") } else { format!("{blocks:.1}") };
    let noun = if number == "1" { "block" } else { "blocks" };
    format!("{bytes} in {number} {noun}")
}

fn is_whole(amount: f64) -> bool {
    (amount - amount.round()).abs() < 0.05
}
