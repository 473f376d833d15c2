//! What a session gives to the program is the program's memory, so that its counts stay exact.

use memprof::Session;
use memprof::heap::{Level, Rate, set_rate, totals};
use memprof_test_support::wait_until;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

#[test]
fn names_of_a_finished_session_are_freed_as_the_memory_of_the_program() {
    let folder = std::env::temp_dir().join(format!("memprof-balance-{}", std::process::id()));
    set_rate(Rate::EACH_BLOCK);
    let session = Session::builder().enabled(true).output_dir(&folder).start().expect("it starts");
    let kept: Vec<Vec<u8>> = (1..100).map(|size| vec![1; size]).collect();
    let document = session.finish().expect("there is room");
    let live = || totals().expect("the allocator counts").program_bytes();
    // A thread of the session or of the test harness may end during an attempt, and free some bytes.
    wait_until("as much is live as before", || {
        let before = live();
        let named = document.clone();
        let sites = named.landmarks().expect("it recorded").summary.sites.len();
        let text = named.to_string();
        assert!(sites > 0 && text.contains("balance"), "{text}");
        drop((named, text));
        live() == before
    });
    drop(kept);
    let _ = std::fs::remove_dir_all(folder);
}
