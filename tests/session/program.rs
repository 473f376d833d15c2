//! The program under test: threads that allocate without end, and a root that grows.

use memprof::Session;
use memprof::heap::Level;
use memprof::session::SessionBuilder;
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Returns the builder of a session with the shortest interval.
///
/// It records counters. Samples would need names, which take seconds to look up in a debug build.
/// The variable `SESSION_TEST_LEVEL=sampled` turns samples on.
pub(crate) fn often(folder: &Path) -> SessionBuilder {
    let sampled = std::env::var("SESSION_TEST_LEVEL").is_ok_and(|level| level == "sampled");
    Session::builder()
        .enabled(true)
        .output_dir(folder)
        .level(if sampled { Level::Sampled } else { Level::Counters })
        .interval(Duration::from_millis(10))
}

/// Returns the builder of a session that takes snapshots only on request.
pub(crate) fn seldom(folder: &Path) -> SessionBuilder {
    often(folder).interval(Duration::from_secs(86400))
}

/// The value of a root, which grows while the session profiles it.
pub(crate) type Names = Arc<RwLock<Vec<String>>>;

/// Threads that work until they are stopped.
pub(crate) struct Work {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Work {
    /// Starts three threads that work in operations and grow a root of the session.
    pub(crate) fn begin(session: &Session) -> Self {
        let names = Names::default();
        session.root("names", names.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let begin = |number: usize| {
            let (names, stop) = (names.clone(), stop.clone());
            thread::spawn(move || {
                while !stop.load(Relaxed) {
                    step(number, &names);
                }
            })
        };
        Self { threads: (0..3).map(begin).collect(), stop }
    }

    pub(crate) fn end(self) {
        self.stop.store(true, Relaxed);
        for thread in self.threads {
            thread.join().expect("it does not panic");
        }
    }
}

fn step(number: usize, names: &Names) {
    let _step = memprof::operation!("step");
    let blocks: Vec<Vec<u8>> =
        (1..100).map(|size| black_box(Vec::with_capacity(size * 32))).collect();
    let _keep = memprof::operation!("keep");
    let mut names = names.write().expect("nobody panics with it");
    if names.len() < 10_000 {
        names.push(format!("name {number} {}", blocks.len()));
    } else {
        names.clear();
    }
}

/// Prints a word that the parent waits for.
pub(crate) fn say(word: &str) {
    // The word gets its own line, because the test harness has begun a line.
    println!("\n{word}");
}

/// Waits for an action of the parent, and fails without one.
pub(crate) fn wait() {
    thread::sleep(Duration::from_secs(60));
    panic!("nobody ended the program");
}

/// Finishes a session; only the file of its document is used.
pub(crate) fn end(session: Session) {
    drop(session.finish().expect("there is room"));
}
