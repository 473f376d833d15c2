//! A burst between two snapshots is recorded with its call sites and its root, even if the program
//! is killed during the burst.
//!
//! The tests run this program again, as a child that performs one role.
#![cfg(target_os = "linux")]

use memprof::heap::{Level, Rate, set_rate};
use memprof::session::document::{Ended, LiveStacks, RootReading, RootState, Snapshot, Trigger};
use memprof::session::{Recording, SymbolSearch};
use memprof::{MemoryProfile, Session};
use memprof_test_support::wait_until;
use std::env;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

const ROLE: &str = "PEAK_TEST_ROLE";
const FOLDER: &str = "PEAK_TEST_FOLDER";

#[derive(Default, MemoryProfile)]
struct Cache {
    rows: Vec<Vec<u8>>,
}

/// Allocates 40 MB.
#[inline(never)]
fn load_rows() -> Vec<Vec<u8>> {
    (0..4000).map(|_| black_box(vec![1_u8; 10_000])).collect()
}

fn session(folder: &Path) -> Session {
    // No snapshot of the interval comes during the test.
    let builder = Session::builder().enabled(true).output_dir(folder);
    let builder = builder.interval(Duration::from_mins(10)).level(Level::Sampled);
    builder.walk_budget(Duration::from_secs(5)).start().expect("the folder can be written")
}

/// The size of the last block of a burst, in bytes. It is far more than 5 % of the heap, so that the
/// recorder always records a moment with the whole burst.
const LAST_BLOCK: usize = 10_000_000;

/// Holds 20 MB. Until the parent goes on, also holds 50 MB in the root: 40 MB of rows and the last
/// block. The root is locked while it is filled.
fn burst(session: &Session, after_filling: impl FnOnce()) {
    // About 1,800 samples, so that the standard error is below 1 MB.
    set_rate(Rate::every(16_384));
    let cache = Arc::new(Mutex::new(Cache::default()));
    session.root("cache", Arc::clone(&cache));
    let base = black_box(vec![7_u8; 20_000_000]);
    thread::sleep(Duration::from_millis(300));
    {
        let _operation = memprof::operation!("reindex");
        let mut locked = cache.lock().unwrap_or_else(PoisonError::into_inner);
        locked.rows = load_rows();
        locked.rows.push(black_box(vec![1; LAST_BLOCK]));
        after_filling();
        drop(locked);
        wait_for_parent();
        cache.lock().unwrap_or_else(PoisonError::into_inner).rows = Vec::new();
    }
    drop(base);
}

/// Holds 20 MB. Then also holds a growing burst of up to 70 MB in the root, which takes long to walk,
/// until the parent goes on.
fn ramp(session: &Session) {
    set_rate(Rate::every(16_384));
    let cache = Arc::new(Mutex::new(Cache::default()));
    let of_root = Arc::clone(&cache);
    session.root_with("cache", move |walk| {
        // After a walk of 30 ms, a root is spared for 3 s, except at peaks.
        thread::sleep(Duration::from_millis(30));
        walk.value(&*of_root.lock().unwrap_or_else(PoisonError::into_inner));
    });
    let base = black_box(vec![7_u8; 20_000_000]);
    thread::sleep(Duration::from_millis(300));
    for _ in 0..30 {
        let rows = (0..200).map(|_| black_box(vec![1_u8; 10_000]));
        cache.lock().unwrap_or_else(PoisonError::into_inner).rows.extend(rows);
        thread::sleep(Duration::from_millis(40));
    }
    {
        let mut locked = cache.lock().unwrap_or_else(PoisonError::into_inner);
        locked.rows.push(black_box(vec![1; LAST_BLOCK]));
    }
    wait_for_parent();
    cache.lock().unwrap_or_else(PoisonError::into_inner).rows = Vec::new();
    thread::sleep(Duration::from_millis(500));
    drop(base);
}

/// Waits until the parent writes a line or closes the pipe. The parent does so when it has found a
/// snapshot in the timeline, because a busy machine may delay the snapshot by any time.
fn wait_for_parent() {
    let _ = std::io::stdin().read_line(&mut String::new());
}

/// Makes `depth` nested calls, whose call sites the bits of `path` select, and then allocates a
/// block.
#[inline(never)]
#[expect(clippy::unnecessary_box_returns, reason = "the block is what is tested")]
fn left(path: u32, depth: u32) -> Box<[u8; 64]> {
    match depth {
        0 => black_box(Box::new([1; 64])),
        _ if path & 1 == 0 => black_box(left(path >> 1, depth - 1)),
        _ => black_box(right(path >> 1, depth - 1)),
    }
}

#[inline(never)]
#[expect(clippy::unnecessary_box_returns, reason = "the block is what is tested")]
fn right(path: u32, depth: u32) -> Box<[u8; 64]> {
    match depth {
        0 => black_box(Box::new([2; 64])),
        _ if path & 1 == 0 => black_box(left(path >> 1, depth - 1)),
        _ => black_box(right(path >> 1, depth - 1)),
    }
}

/// Performs the role of a child; does nothing without a role.
#[test]
fn acts() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    match &*role {
        "burst" => {
            let session = session(&folder);
            burst(&session, || {});
            println!("\n{}", session.finish().expect("there is room"));
        }
        "locked burst" => {
            let session = session(&folder);
            burst(&session, wait_for_parent);
            let _document = session.finish().expect("there is room");
        }
        "ramp" => {
            let builder = Session::builder().enabled(true).output_dir(&folder);
            let builder = builder.interval(Duration::from_secs(5)).level(Level::Sampled);
            let builder = builder.walk_budget(Duration::from_secs(1));
            let session = builder.start().expect("the folder can be written");
            ramp(&session);
            let _document = session.finish().expect("there is room");
        }
        "stacks" => {
            set_rate(Rate::EACH_BLOCK);
            let session = session(&folder);
            for round in 0..ROUNDS {
                let kept: Vec<_> = (0..5000).map(|path| left(round * 5000 + path, 17)).collect();
                session.checkpoint(&format!("round {round}"));
                drop(kept);
            }
            wait_for_parent();
        }
        other => panic!("no such role: {other}"),
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(role: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let folder = env::temp_dir().join(format!("memprof-peak-{role}-{process}-{number}"));
        fs::create_dir_all(&folder).expect("the folder can be made");
        Self(folder)
    }

    fn find(&self, ending: &str) -> Option<PathBuf> {
        let entries = fs::read_dir(&self.0).expect("it is there").flatten();
        let mut paths = entries.map(|entry| entry.path());
        paths.find(|path| path.extension().is_some_and(|is| is == ending))
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.find(ending).expect("the session has written it")
    }

    /// Reads the file with this ending, with the names of its addresses.
    fn recording(&self, ending: &str) -> Recording {
        let mut recording = Recording::read_file(self.file(ending)).expect("it can be read");
        SymbolSearch::new().resolve(&mut recording);
        recording
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The minimum of live bytes while the whole burst is live.
const BURST: i64 = 70_000_000;
/// The minimum of live bytes while the whole ramp is live.
const RAMP: i64 = 90_000_000;

fn holds_the_burst(root: &RootReading) -> bool {
    root.total_bytes > Some(50_000_000)
}

/// A child that performs a role.
struct Acting {
    child: Child,
    folder: Folder,
}

impl Acting {
    fn start(role: &str) -> Self {
        let folder = Folder::new(role);
        let mut command = Command::new(env::current_exe().expect("it runs"));
        command.args(["acts", "--exact", "--nocapture"]).env(ROLE, role).env(FOLDER, &folder.0);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self { child: command.spawn().expect("the program can be run again"), folder }
    }

    /// Waits until the timeline has a snapshot of a peak of at least `live` bytes in which `wanted`
    /// is true for the root.
    fn wait_for_peak(&mut self, live: i64, wanted: impl Fn(&RootReading) -> bool) {
        let is_wanted = |snapshot: &Snapshot| {
            snapshot.trigger == Trigger::Peak
                && snapshot.heap.is_some_and(|heap| heap.live_bytes >= live)
                && snapshot.roots.iter().any(&wanted)
        };
        self.wait_for(|timeline| timeline.snapshots.iter().any(is_wanted));
    }

    /// Waits until the timeline is as wanted.
    fn wait_for(&mut self, is_wanted: impl Fn(&Recording) -> bool) {
        wait_until("the timeline is as wanted", || {
            assert!(self.child.try_wait().expect("it is a child").is_none(), "the child ended");
            let timeline =
                self.folder.find("jsonl").and_then(|file| Recording::read_file(file).ok());
            timeline.is_some_and(|timeline| is_wanted(&timeline))
        });
    }

    /// Lets the child go on.
    fn go_on(&mut self) {
        let stdin = self.child.stdin.as_mut().expect("it is piped");
        stdin.write_all(b"\n").expect("the child reads");
    }

    /// Lets the child run to its end, and returns the folder with its files, and its output.
    fn finish(self) -> (Folder, Vec<u8>) {
        let ended = self.child.wait_with_output().expect("it is a child");
        assert!(ended.status.success(), "{ended:?}");
        (self.folder, ended.stdout)
    }

    /// Kills the child, and returns the folder with its files.
    fn kill(mut self) -> Folder {
        self.child.kill().expect("it is a child");
        self.child.wait().expect("it is a child");
        self.folder
    }
}

/// Returns the peak, after checking that its stacks are close to the allocator's peak, and that the
/// function and the root that held it come first.
fn checked(recording: &Recording) -> &LiveStacks {
    let peak = recording.peak_stacks().expect("it is recorded");
    let counted = recording.peak_bytes().expect("it is counted");
    assert!(peak.live_bytes.unsigned_abs() >= counted / 100 * 95, "{} {counted}", peak.live_bytes);
    let sites = recording.live_sites(peak);
    let first = &sites[0];
    let function = first.your_code.as_ref().and_then(|place| place.function.as_deref());
    assert!(function.is_some_and(|name| name.contains("load_rows")), "{first:?}");
    assert!((36e6..44e6).contains(&first.live.value), "{first:?}");
    assert_eq!(first.operations, [["reindex"]]);
    assert_eq!(first.roots[0].0, "cache");
    assert!(first.roots[0].1.value > 36e6, "{:?}", first.roots);
    assert!(first.stack.iter().all(|frame| {
        frame.file.as_deref().is_none_or(|file| !file.contains("memprof-heap/src/record"))
    }));
    // The block that was live before the burst is the second one.
    let function = sites[1].your_code.as_ref().and_then(|place| place.function.as_deref());
    assert!(function.is_some_and(|name| name.contains("burst")), "{:?}", sites[1]);
    assert!(sites[1].roots.is_empty(), "{:?}", sites[1]);
    let roots = recording.roots_at(peak);
    let (root, snapshot) = roots[0];
    assert_eq!((&*root.name, Some(snapshot.number)), ("cache", peak.snapshot));
    assert!(root.total_bytes > Some(50_000_000));
    let text = recording.overview().to_string();
    let at = text.find("at the peak of").expect("it has a section");
    for word in ["load_rows", "peak.rs:", "cache", "reindex"] {
        assert!(text[at..].contains(word), "{word}: {text}");
    }
    peak
}

/// Returns the lines about the first call site in the part of a session's text about the peak. A
/// place has a line of its own if the table is too wide. Its width depends on the names that were
/// found, which may be few on a busy machine.
fn first_site_of_the_peak(out: &[u8]) -> String {
    let text = String::from_utf8_lossy(out);
    let lines = text.lines().skip_while(|line| !line.starts_with("at the peak of"));
    let section: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    // The title, the heads of the columns, up to three call sites, and a line about further ones.
    assert!((3..=9).contains(&section.len()), "{text}");
    section[2..section.len().min(4)].join("\n")
}

#[test]
fn a_burst_between_snapshots_names_its_function_and_its_root() {
    let mut acting = Acting::start("burst");
    acting.wait_for_peak(BURST, holds_the_burst);
    let (folder, text) = acting.finish();
    let site = first_site_of_the_peak(&text);
    // On a busy machine, the lookup may end before it has found a name.
    assert!(site.contains("load_rows") || site.contains("unnamed"), "{site}");
    assert!(site.contains(" in reindex"), "{site}");
    let file = folder.file("json");
    let recording = Recording::read_file(&file).expect("it can be read");
    for moment in ["start", "peak", "end"] {
        assert!(recording.live_stacks_at(moment).is_some(), "{moment}");
    }
    // A symbolized file has the names without the program's file. The other tests look up the names
    // of recordings.
    let text = fs::read_to_string(file).expect("it is text");
    let named = SymbolSearch::new().symbolize(&text).expect("it is a recording");
    checked(&Recording::from_text(&named.text).expect("it is still one"));
}

#[test]
fn a_root_that_grew_in_a_burst_has_its_bytes_at_the_top() {
    let mut acting = Acting::start("ramp");
    acting.wait_for_peak(RAMP, |root| root.total_bytes > Some(70_000_000));
    let (folder, _) = acting.finish();
    let recording = folder.recording("json");
    let peak = recording.peak_stacks().expect("it is recorded");
    let counted = recording.peak_bytes().expect("it is counted");
    assert!(peak.live_bytes.unsigned_abs() >= counted / 100 * 95, "{} {counted}", peak.live_bytes);
    let [(root, snapshot)] = recording.roots_at(peak)[..] else { panic!("one root") };
    assert_eq!((root.name.as_str(), snapshot.trigger), ("cache", Trigger::Peak));
    let bytes = root.total_bytes.expect("it is walked");
    assert!((70_000_000..71_000_000).contains(&bytes), "{bytes}");
    let first = &recording.live_sites(peak)[0];
    let function = first.your_code.as_ref().and_then(|place| place.function.as_deref());
    assert!(function.is_some_and(|name| name.contains("ramp")), "{first:?}");
    let text = recording.overview().to_string();
    let at = text.find("at the peak of").expect("it has a section");
    assert!(text[at..].contains("roots: cache "), "{text}");
}

#[test]
fn a_program_that_is_killed_during_the_burst_leaves_the_peak() {
    let mut acting = Acting::start("burst");
    acting.wait_for_peak(BURST, holds_the_burst);
    let folder = acting.kill();
    let recording = folder.recording("jsonl");
    assert_eq!(recording.metadata.ended, Ended::Running);
    checked(&recording);
}

#[test]
fn a_root_that_is_locked_at_the_peak_is_walked_later_in_the_peak() {
    let mut acting = Acting::start("locked burst");
    acting.wait_for_peak(BURST, |root| root.state == RootState::Locked);
    acting.go_on();
    acting.wait_for_peak(BURST, holds_the_burst);
    checked(&acting.finish().0.recording("json"));
}

/// The rounds of new stacks. All of them fit into the quarter of a timeline that stacks may take.
const ROUNDS: u32 = 18;

#[test]
fn many_stacks_are_in_the_file_once_and_take_bounded_memory() {
    let mut acting = Acting::start("stacks");
    let last = format!("round {}", ROUNDS - 1);
    acting.wait_for(|timeline| timeline.live_stacks_at(&last).is_some());
    // After a clean end, the timeline would be gone.
    let folder = acting.kill();
    let recording = Recording::read_file(folder.file("jsonl")).expect("it can be read");
    for round in 0..ROUNDS {
        let moment = recording.live_stacks_at(&format!("round {round}")).expect("it is kept");
        let sum: f64 = moment.rows.iter().map(|row| row.live.value).sum();
        let ratio = sum / 320_000.0;
        assert!((0.8..1.6).contains(&ratio), "round {round}: {sum}");
        assert!(moment.rows.len() > 1000 || round > 11, "round {round}: {}", moment.rows.len());
        let is_in_file = |stack: u32| stack == 0 || recording.stacks.addresses.contains_key(&stack);
        assert!(moment.rows.iter().all(|row| is_in_file(row.stack)), "round {round}");
    }
    // Each stack that a process can number is written once.
    assert!(recording.stacks.addresses.len() > 19_000, "{}", recording.stacks.addresses.len());
    let text = fs::read_to_string(folder.file("jsonl")).expect("it is text");
    let lines = text.lines().filter_map(|line| line.strip_prefix("{\"stacks\":"));
    let arrays: usize = lines.map(|line| line.matches(['[']).count()).sum();
    assert!(arrays < recording.stacks.addresses.len() + 2000, "{arrays}");
    let most =
        recording.snapshots.iter().filter_map(|one| Some(one.heap?.profiler_peak_bytes)).max();
    // The leak watch keeps up to 9 MiB of observations, and a summary takes some MiB for a moment.
    // The load of the machine determines whether a summary is computed between two rounds: 4 to 8
    // MB were measured.
    assert!(most.is_some_and(|bytes| bytes < 16 << 20), "{most:?}");
}
