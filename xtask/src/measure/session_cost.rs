//! CPU time that recording adds to a real program.
//!
//! The example `source_index` indexes the sources of the workspace and of cargo's registry. Its
//! session is off, counts or samples, in turns.

use super::Measured;
use crate::built::source_index;
use crate::{Failure, cost, target, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Side {
    name: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

/// The sides. The first is the baseline, and the second repeats it, to show the noise.
const SIDES: [Side; 4] = [
    Side { name: "off", environment: &[("MEMPROF", "0")] },
    Side { name: "off again", environment: &[("MEMPROF", "0")] },
    Side {
        name: "counters, a snapshot every 5 s",
        environment: &[("MEMPROF_LEVEL", "counters"), ("MEMPROF_INTERVAL", "5s")],
    },
    Side { name: "default settings", environment: &[] },
];

const ROUNDS: usize = 5;

pub(super) fn measure() -> Result<Measured, Failure> {
    let program = source_index()?;
    let folder = target("session-cost");
    std::fs::create_dir_all(&folder)?;
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    for round in 0..ROUNDS {
        let mut seconds = vec![0.0; SIDES.len()];
        // Each side comes first in the same number of rounds.
        for offset in 0..SIDES.len() {
            let side = (round + offset) % SIDES.len();
            seconds[side] = cost::of(&command(&SIDES[side], &program, &folder))?.cpu_seconds;
        }
        rounds.push(seconds);
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(Measured { printed: markdown(&rounds), missed: None })
}

fn command(side: &Side, program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.envs(side.environment.iter().copied());
    command.args(["--rounds", "1", "--output-dir"]).arg(folder);
    command.arg(workspace()).args(registry());
    command
}

fn registry() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    Some(home.join("registry/src")).filter(|folder| folder.is_dir())
}

fn markdown(rounds: &[Vec<f64>]) -> String {
    let row = |(index, side): (usize, &Side)| {
        let seconds = sorted(rounds.iter().map(|round| round[index]));
        let ratios = sorted(rounds.iter().map(|round| round[index] / round[0]));
        let (low, high) = (ratios[ROUNDS / 4], ratios[ROUNDS - 1 - ROUNDS / 4]);
        let over = match index {
            0 => "| |".to_owned(),
            _ => format!("{:.3} | {low:.3} to {high:.3} |", ratios[ROUNDS / 2]),
        };
        format!("| {} | {:.2} s | {over}\n", side.name, seconds[ROUNDS / 2])
    };
    let head =
        "| session | CPU time | over off | middle half of the rounds |\n|---|---:|---:|---|\n";
    let rows: String = SIDES.iter().enumerate().map(row).collect();
    format!("{head}{rows}")
}

fn sorted(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}
