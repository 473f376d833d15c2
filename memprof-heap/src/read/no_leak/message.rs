//! The message of a failed `assert_no_leak!`. It fits on a screen of 24 lines and 100 columns.

use crate::read::frame::{Frame, UNKNOWN_PLACE, callers, key_frames};
use crate::read::no_leak::rounds::MIN;
use crate::read::no_leak::{CannotTell, LeakByRound, LeakError, LeakSite, PastLimit};
use core::fmt;
use memprof_profile::text::{
    KeyFrames, Shown, columns, counted, current_folder, signed, write_called,
};
use memprof_profile::views::Units;
use std::error::Error;

/// The maximum number of call sites that are printed.
const SITES: usize = 4;

/// The maximum number of frames of the first place's stack.
const FRAMES: usize = 6;

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
            Self::CannotTell(reason) => reason.fmt(out),
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
        let threads = if self.on_other_threads { ", on other threads" } else { "" };
        writeln!(
            out,
            "it leaks\n{} more after each round{average}{threads}, in {} rounds",
            amount(self.bytes_per_round, self.blocks_per_round),
            self.rounds
        )?;
        write_sites(out, &self.sites)?;
        if self.sites.is_empty() {
            out.write_str(
                "No call site is known: the other threads allocated too little for a sample.\n",
            )?;
        }
        out.write_str(
            "If the memory is kept on purpose, limit its size. If it stops growing when full, use \
             more\nrounds, such as `rounds = 100`.",
        )?;
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
        out.write_str(
            "If this memory is kept on purpose, raise the limit, such as `limit = \"2 GiB\"`.",
        )
    }
}

impl fmt::Display for CannotTell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = counted(self.busy_threads.into(), "thread");
        let verb = if self.busy_threads == 1 { "allocates" } else { "allocate" };
        let pauses = counted(self.rounds.into(), "pause");
        writeln!(
            out,
            "cannot tell whether it leaks\nThe work passes memory to or from {threads} that also \
             {verb} while the work does not run,\nin {} of {pauses}.",
            self.busy_pauses
        )?;
        match &self.test {
            Some(test) => {
                write!(out, "Run the test alone: `cargo test {test} -- --exact --test-threads=1`.")
            }
            None => out.write_str("Run the work while no other work uses these threads."),
        }
    }
}

/// Call sites with the same line of the user's code, in the same operation.
struct Cause<'s> {
    /// The call site that leaks most.
    site: &'s LeakSite,
    key: KeyFrames<&'s Frame>,
    bytes: f64,
    blocks: f64,
    /// The functions that allocate, without the line of the user's code.
    allocating: Vec<&'s Frame>,
}

impl<'s> Cause<'s> {
    fn new(site: &'s LeakSite) -> Self {
        let key = key_frames(&site.stack);
        let (bytes, blocks) = (site.bytes_per_round, site.blocks_per_round);
        let mut cause = Self { site, key, bytes, blocks, allocating: Vec::new() };
        cause.allocating.extend(key.allocates.filter(|_| cause.yours().is_some()));
        cause
    }

    /// Returns the line of the user's code, unless this line allocates.
    fn yours(&self) -> Option<&'s Frame> {
        self.key.your_code.filter(|_| self.key.your_code != self.key.allocates)
    }

    /// Adds a call site, if it has the same line of the user's code. Returns whether it has.
    fn adds(&mut self, other: &Self) -> bool {
        let is_same =
            |one: &Frame, other: &Frame| (&one.file, one.line) == (&other.file, other.line);
        let yours = self.yours().zip(other.yours());
        if !yours.is_some_and(|(one, other)| one.line.is_some() && is_same(one, other))
            || self.site.operation != other.site.operation
        {
            return false;
        }
        self.bytes += other.bytes;
        self.blocks += other.blocks;
        for &frame in &other.allocating {
            if !self.allocating.iter().any(|known| is_same(known, frame)) {
                self.allocating.push(frame);
            }
        }
        true
    }
}

/// Returns the causes of a leak, the largest first.
fn causes(sites: &[LeakSite]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    for site in sites {
        let cause = Cause::new(site);
        if !causes.iter_mut().any(|known| known.adds(&cause)) {
            causes.push(cause);
        }
    }
    causes.sort_by(|a, b| b.bytes.total_cmp(&a.bytes));
    causes
}

/// Writes the first causes, and the callers of the very first one.
///
/// The lines are those of `memprof leaks`: the user's code, the dependency that it calls, and the
/// functions that allocate.
fn write_sites(out: &mut fmt::Formatter<'_>, sites: &[LeakSite]) -> fmt::Result {
    let folder = current_folder();
    let folder = folder.as_deref();
    let causes = causes(sites);
    for (index, cause) in causes.iter().take(SITES).enumerate() {
        writeln!(out, "{}", line(cause, folder))?;
        if cause.yours().is_some() {
            let KeyFrames { called, cut, .. } = cause.key;
            let text = |frame: &Frame, width| frame.within(width, folder);
            write_called(out, called, &cause.allocating, cut, WIDTH, text)?;
        }
        if index == 0 {
            for frame in callers(&cause.site.stack, &cause.key).take(FRAMES) {
                writeln!(out, "    from {}", frame.within(WIDTH - 9, folder))?;
            }
        }
    }
    match causes.len().checked_sub(SITES).filter(|more| *more > 0) {
        Some(more) => writeln!(out, "…{more} more"),
        None => Ok(()),
    }
}

/// Returns `1 024 B in 1 block  app::put (src/cache.rs:41)`.
fn line(cause: &Cause<'_>, folder: Option<&str>) -> String {
    let mut start = amount(cause.bytes, cause.blocks);
    if !cause.site.operation.is_empty() {
        start = format!("{start}  {}", Shown(&cause.site.operation.join(";")));
    }
    let first = cause.yours().or(cause.key.allocates);
    let first = first.or(cause.site.location.as_ref());
    let width = WIDTH.saturating_sub(columns(&start) + 2);
    let place = first.map_or_else(|| UNKNOWN_PLACE.to_owned(), |frame| frame.within(width, folder));
    format!("{start}  {place}")
}

fn bytes(bytes: f64) -> String {
    if is_whole(bytes) {
        signed(bytes.round() as i128, Units::Bytes)
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
