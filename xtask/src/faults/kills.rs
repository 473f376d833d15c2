//! SIGKILL at any moment leaves readable files.

use super::Checked;
use super::program::{Folder, Program, Running};
use nix::sys::signal::Signal;
use std::time::{Duration, Instant};

const TIMES: u32 = 200;

/// The counts of runs, by the files that were found after the kill.
#[derive(Default)]
struct Counts {
    /// The number of runs without a timeline: the program was killed before it created the file.
    before: u32,
    timelines: u32,
    torn: u32,
    documents: u32,
    /// The number of runs in which the program had ended before the kill.
    ended: u32,
    snapshots: usize,
}

pub(super) fn two_hundred(program: &Program) -> Checked {
    const ROUNDS: [&str; 2] = ["--rounds", "8"];
    let whole = {
        let folder = Folder::new()?;
        let began = Instant::now();
        let ended = program.run(&folder.0, &ROUNDS)?;
        if !ended.status.success() {
            return Err(ended.error.into());
        }
        // A busy machine must not make the check take longer.
        began.elapsed().min(Duration::from_secs(1))
    };
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut counts = Counts::default();
    for _ in 0..TIMES {
        let folder = Folder::new()?;
        let mut running = Running::start(program.command(&folder.0, &ROUNDS))?;
        std::thread::sleep(random.below(whole));
        if running.is_running()? {
            running.send(Signal::SIGKILL)?;
        } else {
            counts.ended += 1;
        }
        running.end()?;
        match folder.read("jsonl")? {
            None => counts.before += 1,
            Some(timeline) => {
                counts.timelines += 1;
                counts.torn += u32::from(timeline.unreadable_lines > 0);
                counts.snapshots += timeline.snapshots.len();
                if timeline.unreadable_lines > 1 {
                    return Err("more than the last line is torn".into());
                }
            }
        }
        counts.documents += u32::from(folder.read("json")?.is_some());
    }
    let Counts { before, timelines, torn, documents, ended, snapshots } = counts;
    if timelines + before != TIMES || timelines < TIMES / 2 {
        return Err(format!("{timelines} timelines, {before} before").into());
    }
    Ok(format!(
        "{TIMES} runs within {} ms: {timelines} timelines read with {snapshots} snapshots, {torn} \
         with a torn last line, {documents} documents read; {before} killed before there was a file, \
         {ended} had ended",
        whole.as_millis()
    ))
}

struct Random(u64);

impl Random {
    fn below(&mut self, max: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_nanos(self.0 % u64::try_from(max.as_nanos()).unwrap_or(u64::MAX))
    }
}
