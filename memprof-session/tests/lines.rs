//! The suspects and call sites of a session name the user's line, and each line has its own bytes.
#![expect(clippy::float_cmp, reason = "every block is sampled, so sums are exact")]

use memprof::heap::{Level, Rate, set_rate};
use memprof::session::document::Place;
use memprof::session::{Recording, Session, SymbolSearch};
use serde_json::Value;
use std::path::Path;
use std::{env, fs, process, thread, time::Duration};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// Returns a string of 650 bytes, and its line.
#[inline(never)]
fn short() -> (u32, Value) {
    let json = format!("\"{}\"", "s".repeat(650));
    (line!(), serde_json::from_str(&json).expect("it is a string"))
}

/// Returns a string of 1,990 bytes, and its line.
#[inline(never)]
fn long() -> (u32, Value) {
    let json = format!("\"{}\"", "l".repeat(1990));
    (line!(), serde_json::from_str(&json).expect("it is a string"))
}

/// Returns 20 nested arrays, and their line.
#[inline(never)]
fn nested() -> (u32, Value) {
    let json = "[".repeat(20) + &"]".repeat(20);
    (line!(), serde_json::from_str(&json).expect("the brackets match"))
}

/// Returns 10 nested arrays, and their line.
#[inline(never)]
fn less_nested() -> (u32, Value) {
    let json = "[".repeat(10) + &"]".repeat(10);
    (line!(), serde_json::from_str(&json).expect("the brackets match"))
}

/// Returns the recording of a program that grows at the lines of `work`, and these lines.
fn recorded(folder: &Path, work: [fn() -> (u32, Value); 4]) -> (Recording, [u32; 4]) {
    set_rate(Rate::EACH_BLOCK);
    let session = Session::builder().enabled(true).output_dir(folder).level(Level::Sampled);
    let session = session.interval(Duration::from_mins(10)).start().expect("it can be written");
    let mut kept = Vec::with_capacity(2000);
    let mut lines = [0; 4];
    for _ in 0..20 {
        for (of, work) in work.into_iter().enumerate() {
            for _ in 0..4 {
                let (line, value) = work();
                lines[of] = line;
                kept.push(value);
            }
        }
        thread::sleep(Duration::from_millis(5));
        session.snapshot().expect("it records");
    }
    drop(session);
    let mut paths = fs::read_dir(folder).expect("it exists").flatten().map(|entry| entry.path());
    let path = paths.find(|path| path.extension().is_some_and(|is| is == "json"));
    let mut recording = Recording::read_file(path.expect("a document")).expect("it is whole");
    // A busy machine may have had no time to find all names.
    SymbolSearch::new().resolve(&mut recording);
    (recording, lines)
}

fn line_here(place: Option<&Place>) -> Option<u32> {
    place.filter(|place| place.file.as_deref().is_some_and(|file| file.ends_with("lines.rs")))?.line
}

#[test]
fn lines_that_call_one_function_are_suspects_and_call_sites_of_their_own() {
    let folder = env::temp_dir().join(format!("memprof-lines-{}", process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    let (recording, lines) = recorded(&folder, [short, long, nested, less_nested]);
    fs::remove_dir_all(&folder).expect("it was made");
    // An array of one value has place for four.
    let array = u32::try_from(4 * size_of::<Value>()).expect("it is small");
    let bytes = [650, 1990, 19 * array, 9 * array].map(|bytes| f64::from(80 * bytes));
    let text = recording.leak_list().to_string();
    let suspects = recording.suspects();
    for (line, bytes) in lines.into_iter().zip(bytes) {
        let mut here = suspects.iter().filter(|one| line_here(one.your_code) == Some(line));
        let suspect = here.next().unwrap_or_else(|| panic!("no suspect of line {line}:\n{text}"));
        assert!(here.next().is_none(), "one of line {line}:\n{text}");
        assert_eq!(suspect.live.value, bytes, "line {line}:\n{text}");
        let file = suspect.allocates.file.as_deref().unwrap_or_default();
        assert!(file.ends_with("src/value/de.rs"), "line {line}:\n{text}");
        let in_summary: f64 = recording
            .summary
            .sites
            .iter()
            .filter(|site| site.stack.iter().find_map(|at| line_here(Some(at))) == Some(line))
            .map(|site| site.live.value)
            .sum();
        assert_eq!(in_summary, bytes, "line {line}: {:?}", recording.summary.sites);
    }
    let cut = "more frames: a stack keeps its innermost 40 and its outermost 24";
    assert!(text.contains(&format!("\n  through   {cut}\n")), "{text}");
    let stacks = recording.live_stacks.last().expect("the end has stacks");
    let sites = recording.live_sites(stacks);
    let is_cut = |frame: &Place| frame.function.as_deref() == Some(cut);
    let deep = sites.iter().filter(|site| line_here(site.your_code.as_ref()) == Some(lines[2]));
    assert!(deep.flat_map(|site| &site.stack).any(is_cut), "{sites:?}");
}
