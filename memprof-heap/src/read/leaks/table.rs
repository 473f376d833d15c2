//! The report of leaks, which fits on a screen. The worst suspect is first. The summary and the call
//! sites that are no suspects are last.

#[cfg(test)]
mod tests;

use crate::read::frame::UNKNOWN_PLACE;
use crate::read::leaks::growth::{Doubt, Growth};
use crate::read::leaks::report::{Leak, Leaks, Verdict};
use crate::read::leaks::trend::MIN_OBSERVATIONS;
use core::fmt;
use memprof_profile::text::{Shown, Table, counted, cut, signed};
use memprof_profile::views::Units;

/// The maximum number of suspects that are printed, with two lines each.
const SHOWN: usize = 6;

/// The maximum number of other call sites that are printed below suspects, with one line each.
const DOUBTFUL: usize = 2;

/// The maximum number of frames of the worst suspect's stack.
const FRAMES: usize = 6;

/// The number of columns of a screen.
const WIDTH: usize = 100;

impl fmt::Display for Leaks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.watched.as_secs_f64();
        if self.verdict() == Verdict::Unknown {
            let few = self.observations;
            return write!(
                out,
                "unknown, too few observations: {few} in {seconds:.1} s; {MIN_OBSERVATIONS} are \
                 needed{}",
                self.again()
            );
        }
        let cells = |leak: &Leak| {
            vec![speed(&leak.growth), format!("{} live", leak.live.bytes()), place(leak)]
        };
        let rows = self.iter().take(SHOWN).map(cells).collect();
        let lines = Table::of_rows(rows, &[0, 2]).lines(usize::MAX);
        for (index, (leak, row)) in self.iter().zip(lines).enumerate() {
            writeln!(out, "{}", cut(&row, WIDTH))?;
            writeln!(out, "{}", cut(&format!("  {}", details(leak)), WIDTH))?;
            if index == 0 {
                for frame in leak.stack.iter().skip(1).filter(|frame| frame.is_yours()).take(FRAMES)
                {
                    writeln!(out, "{}", cut(&format!("    from {frame}"), WIDTH))?;
                }
            }
        }
        if let Some(more) = self.iter().count().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(out, "…{more} more")?;
        }
        writeln!(out, "{}", self.summary())?;
        let doubtful = self.uncertain().chain(self.replaced());
        for leak in doubtful.take(if self.is_empty() { SHOWN } else { DOUBTFUL }) {
            let line = format!("  {}  {}: {}", speed(&leak.growth), reason(leak), place(leak));
            writeln!(out, "{}", cut(&line, WIDTH))?;
        }
        write!(
            out,
            "{} observations in {seconds:.1} s · counts only memory allocated since then",
            self.observations
        )?;
        match self.lost_samples {
            0 => {}
            lost => write!(out, " · {lost} samples lost")?,
        }
        out.write_str(self.again())
    }
}

impl Leaks {
    fn again(&self) -> &'static str {
        if self.restarted { "\nrestarted, because the level changed" } else { "" }
    }

    /// Returns the summary, which compares the process with the suspects.
    fn summary(&self) -> String {
        let plus = if self.process_bytes > 0 { "+" } else { "" };
        let changed = format!("{plus}{} (exact count)", rounded(self.process_bytes as f64));
        match (self.verdict(), self.process.filter(|_| self.process_grows)) {
            (Verdict::Leaks, Some(growth)) => {
                let unexplained = self.unexplained_per_second().unwrap_or_default();
                let share = 100.0 * unexplained.max(0.0) / growth.per_second;
                format!("the process grows by {}; unexplained: {share:.0} %", speed(&growth))
            }
            (Verdict::Leaks, None) => {
                format!("the process as a whole does not grow: it changed by {changed}")
            }
            (_, Some(growth)) => format!(
                "the process grows by {}, but no call site is certain to\n\
                 (one byte in {} is sampled)",
                speed(&growth),
                Units::Iec.show(self.mean_bytes.max(1)),
            ),
            (_, None) => format!(
                "nothing grows; the process changed by {changed}\n\
                 growth of one call site by {}/s would have been found",
                rounded(self.smallest_found)
            ),
        }
    }
}

fn place(leak: &Leak) -> String {
    match &leak.location {
        Some(frame) => frame.to_string(),
        None => UNKNOWN_PLACE.to_owned(),
    }
}

fn details(leak: &Leak) -> String {
    let mut facts = Vec::new();
    if !leak.operation.is_empty() {
        facts.push(format!("in {}", Shown(&leak.operation.join(";"))));
    }
    if let Some(bytes) = leak.bytes_per_call {
        facts.push(format!("{} per call", rounded(bytes)));
    }
    facts.push(counted(leak.live_blocks.value.round() as u64, "block"));
    let age = |age: core::time::Duration| format!("{:.1} s", age.as_secs_f64());
    facts.push(format!("oldest {}, median {}", age(leak.ages.oldest), age(leak.ages.median)));
    facts.join(" · ")
}

/// Returns the reason why a call site is no suspect.
fn reason(leak: &Leak) -> String {
    match leak.doubt {
        Some(Doubt::Unsteady) => "not steady".to_owned(),
        Some(Doubt::ShortLived) => "short-lived blocks".to_owned(),
        Some(Doubt::Replaced) => "replaced, the process grew less".to_owned(),
        Some(Doubt::FewSamples) | None => counted(leak.live.samples, "sample"),
    }
}

/// Returns `64.0 KiB/s (58.1 KiB to 70.2 KiB)`, or the growth per minute or hour if it is slow.
fn speed(growth: &Growth) -> String {
    const SLOW: f64 = 1024.0;
    let units = [(1.0, "s"), (60.0, "min"), (3600.0, "h")];
    let readable = |unit: &&(f64, &str)| growth.per_second.abs() * unit.0 >= SLOW;
    let (seconds, unit) = units.iter().find(readable).unwrap_or(&units[2]);
    let [slope, low, high] =
        [growth.per_second, growth.interval.0, growth.interval.1].map(|one| one * seconds);
    if low.is_finite() && high.is_finite() {
        format!("{}/{unit} ({} to {})", rounded(slope), rounded(low), rounded(high))
    } else {
        format!("{}/{unit}", rounded(slope))
    }
}

fn rounded(bytes: f64) -> String {
    // Print a decimal for few bytes, such as bytes per call.
    if bytes.abs() < 10.0 && (bytes - bytes.round()).abs() > 0.05 {
        return format!("{bytes:.1} B");
    }
    signed(bytes.round() as i128, Units::Iec)
}
