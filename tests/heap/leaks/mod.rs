//! `assert_no_leak!`: what it finds, what it lets pass, and what it leaves as it was.

mod clean;
mod leaking;
mod process;

use memprof::heap::{LeakByRound, LeakError, check_no_leak};

/// The leak of work that has one.
fn leak<T>(work: impl FnMut() -> T) -> LeakByRound {
    match check_no_leak(10, work) {
        Err(LeakError::Leaks(leak)) => *leak,
        Err(error) => panic!("{error}"),
        Ok(clean) => panic!("{clean:?}"),
    }
}

/// A message without lines of source, which change, and without what is outside of this file.
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
