//! Will it grow again? `cargo test -p memprof-examples --example in_tests`

use memprof::MemoryProfile;
use std::collections::VecDeque;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// The last lines of a log.
#[derive(MemoryProfile)]
struct Tail {
    lines: VecDeque<String>,
}

impl Tail {
    fn push(&mut self, line: String) {
        if self.lines.len() == 1000 {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

fn main() {
    let mut tail = Tail { lines: VecDeque::with_capacity(1000) };
    (0..5000).for_each(|line| tail.push(format!("line {line}")));
    memprof::report!(tail); // prints the tree, and stores it in `target/memprof`
}

#[test]
fn a_full_tail_stays_small_and_keeps_no_line_that_it_dropped() {
    let mut tail = Tail { lines: VecDeque::with_capacity(1000) };
    (0..1000).for_each(|_| tail.push("x".repeat(40)));
    memprof::assert_budget!(tail, "64 KiB"); // fails with the tree
    memprof::assert_no_leak!(|| tail.push("x".repeat(40))); // fails with the lines that leak
    memprof::assert_exact!(Tail { lines: VecDeque::from(["one".to_owned()]) });
}
