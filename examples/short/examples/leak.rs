//! What grows? `cargo memprof run -p memprof-examples --example leak`

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

type Sessions = Arc<Mutex<HashMap<u32, Vec<u8>>>>;

fn log_in(sessions: &Sessions, user: u32) {
    sessions.lock().expect("no thread panicked").insert(user, vec![0; 4000]);
}

fn log_out(sessions: &Sessions, user: u32) {
    // Every tenth user closes the browser instead.
    if !user.is_multiple_of(10) {
        sessions.lock().expect("no thread panicked").remove(&user);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = memprof::Session::start()?; // does nothing unless `MEMPROF=1` is set
    let sessions = Sessions::default();
    session.root("sessions", Arc::clone(&sessions));
    for user in 0..5_000 {
        log_in(&sessions, user);
        log_out(&sessions, user);
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}
