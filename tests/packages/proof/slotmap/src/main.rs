//! A view of the open sessions follows the sessions, some of which end in between.
//!
//! slotmap 1.0.7 forgets the value of a slot that `clone_from` makes vacant: orlp/slotmap#110.

use slotmap::SlotMap;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let mut sessions = SlotMap::new();
    let mut view = sessions.clone();
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        let opened: Vec<_> = (0..50).map(|user| sessions.insert(format!("{user:>500}"))).collect();
        view.clone_from(&sessions); // the leak
        for key in opened {
            sessions.remove(key);
        }
        view.clone_from(&sessions);
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{}", session.finish()?);
    Ok(())
}
