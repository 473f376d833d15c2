//! What happens over time? `cargo run -p memprof-examples --example session`

use memprof::{MemoryProfile, Session};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[derive(Default, MemoryProfile)]
struct State {
    users: Vec<String>,
    messages: Vec<Vec<u8>>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join("memprof-example");
    let session = Session::builder()
        .enabled(true) // also without `MEMPROF=1`
        .interval(Duration::from_millis(100))
        .output_dir(&folder)
        .start()?;
    let state = Arc::new(Mutex::new(State::default()));
    session.root("state", Arc::clone(&state)); // profiled in each snapshot
    for user in 0..500 {
        let _operation = memprof::operation!("join");
        let mut state = state.lock().expect("no thread panicked");
        state.users.push(format!("user {user}"));
        state.messages.push(vec![0; 2000]);
        drop(state);
        std::thread::sleep(Duration::from_millis(1));
    }
    session.checkpoint("joined");
    session.finish()?;
    println!("memprof info {0}\nmemprof html {0} -o page.html", folder.display());
    Ok(())
}
