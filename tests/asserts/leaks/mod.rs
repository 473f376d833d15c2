//! `assert_no_leak!`: the leaks it finds, the growth it allows, and the state it restores.

mod clean;
mod leaking;
mod process;

use memprof::heap::leak::{LeakByRound, LeakError, check_no_leak};

/// Returns the leak of work that leaks.
fn leak<T>(work: impl FnMut() -> T) -> LeakByRound {
    match check_no_leak(10, work) {
        Err(LeakError::Leaks(leak)) => *leak,
        Err(error) => panic!("{error}"),
        Ok(clean) => panic!("{clean:?}"),
    }
}

/// Returns a message without line numbers, which change, and without parts from other files.
fn stable(message: &str) -> String {
    let mut stable = String::new();
    for line in message.lines() {
        let line = match line.split_once(".rs:") {
            Some((place, line)) => {
                format!("{place}.rs:N{}", line.trim_start_matches(|c: char| c.is_ascii_digit()))
            }
            None => line.to_owned(),
        };
        stable = stable + &line + "\n";
    }
    stable.trim_end().to_owned()
}
