//! Looks up functions of this test program, in its own file and in damaged or stripped copies.
#![cfg(target_os = "linux")]

use memprof_recording::document::{Module, Place};
use memprof_recording::{Recording, SymbolSearch};
use object::read::{Object, ObjectSymbol};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const METADATA: &str = r#"{"program":"app","pid":1,"memprof":"0.1.0","platform":"p","started_unix_ns":0,"generated_at":"t","generated_ns":1,"interval_ns":1,"snapshots":0,"operations_tracked":true,"ended":"finished"}"#;

/// The difference between addresses in the recorded process and in the file.
const BIAS: u64 = 0x5555_0000_0000;

#[inline(never)]
extern "C" fn looked_up_by_a_test(number: u64) -> u64 {
    core::hint::black_box(inlined_by_a_test(number))
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "a test needs an inlined function")]
fn inlined_by_a_test(number: u64) -> u64 {
    core::hint::black_box(number).wrapping_mul(core::hint::black_box(3))
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("memprof-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder can be made");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn program() -> PathBuf {
    std::env::current_exe().expect("it runs")
}

/// Returns the build id of this program and the address range of the function in its file.
fn function() -> (String, core::ops::Range<u64>) {
    function_of(&program(), "looked_up_by_a_test")
}

/// Returns the build id of a program and the address range of a function in its file.
fn function_of(program: &Path, name: &str) -> (String, core::ops::Range<u64>) {
    let bytes = fs::read(program).expect("it can be read");
    let object = object::File::parse(&*bytes).expect("it is an object file");
    let id = object.build_id().expect("it is whole").expect("linkers write one");
    let id = id.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(u32::from);
    let id = id.filter_map(|digit| char::from_digit(digit, 16)).collect();
    let symbol = object
        .symbols()
        .find(|symbol| symbol.name().is_ok_and(|of| of.contains(name)))
        .expect("it is called");
    (id, symbol.address()..symbol.address() + symbol.size())
}

/// Returns a recording with two call sites of one address in a module at this path.
fn recording(path: &Path, build_id: Option<&str>, addresses: &[u64]) -> String {
    // Without this call, the linker would remove the function.
    assert_eq!(looked_up_by_a_test(2), 6);
    let stack: Vec<_> =
        addresses.iter().map(|address| format!(r#"{{"address":{address}}}"#)).collect();
    let (first, stack) = (&stack[0], stack.join(","));
    let module = Module::new(
        path.to_string_lossy(),
        build_id.map(str::to_owned),
        BIAS,
        vec![[BIAS, BIAS + (1 << 32)]],
    );
    let modules = serde_json::to_string(&[module]).expect("it is JSON");
    let site = format!(
        r#"{{"place":{first},"live":{{"value":8.0,"standard_error":3.0,"samples":1}},"live_blocks":{{"value":1.0,"standard_error":0.0,"samples":1}},"allocated":null,"stack":[{stack},{{"address":1}}]}}"#
    );
    format!(
        "{{\"format\": \"memprof session\", \"version\": 1, \"metadata\": {METADATA}, \"later_key\": [1, 2], \
         \"snapshots\": [], \"summary\": {{\"sites\": [{site}, {site}], \"modules\": {modules}}}}}"
    )
}

fn places(recording: &Recording) -> impl Iterator<Item = &Place> {
    recording.summary.sites.iter().flat_map(|site| site.stack.iter().chain([&site.place]))
}

fn resolved(text: &str, search: &SymbolSearch) -> (Recording, Vec<String>) {
    let mut recording = Recording::from_text(text).expect("it is whole");
    let missing = search.resolve(&mut recording);
    (recording, missing.iter().map(ToString::to_string).collect())
}

#[test]
fn an_address_gets_its_function_and_the_functions_inlined_there() {
    let (id, range) = function();
    let addresses: Vec<u64> = (range.start + 1..=range.end).map(|at| BIAS + at).collect();
    let text = recording(&program(), Some(&id), &addresses);
    let (recording, missing) = resolved(&text, &SymbolSearch::new());
    assert_eq!(missing, Vec::<String>::new());
    let [site] = &recording.summary.sites[..] else { panic!("sites of one place are joined") };
    assert_eq!((site.live.value, site.live.samples), (16.0, 2));
    let (outside, inside) = site.stack.split_last().expect("it has frames");
    assert_eq!(outside.function, None, "an address outside of all modules");
    let name = |frame: &Place| frame.function.clone().unwrap_or_default();
    let mut inlined = 0;
    for frames in inside.chunk_by(|one, other| one.address == other.address) {
        let outer = frames.last().expect("a chunk has frames");
        assert!(name(outer).contains("looked_up_by_a_test"), "{frames:?}");
        assert!(outer.file.as_deref().is_some_and(|file| file.ends_with("names.rs")));
        inlined += usize::from(name(&frames[0]).contains("inlined_by_a_test"));
    }
    let looked_up = inside.chunk_by(|one, other| one.address == other.address).count();
    assert_eq!(looked_up, addresses.len());
    assert!(inlined > 0 && inside.iter().any(|frame| frame.line.is_some()), "{inside:?}");
}

#[test]
fn a_file_of_another_build_gives_no_names() {
    let (_, range) = function();
    for (id, expected) in [
        (Some("00112233"), "a different build"),
        (Some("../../etc"), "no build id"),
        (None, "no build id"),
    ] {
        let text = recording(&program(), id, &[BIAS + range.start + 1]);
        let (recording, missing) = resolved(&text, &SymbolSearch::new());
        assert_eq!(recording.summary.sites.len(), 2);
        assert!(places(&recording).all(|place| place.function.is_none()));
        assert!(missing.len() == 1 && missing[0].contains(expected), "{missing:?}");
    }
    let text = recording(Path::new("/does/not/exist"), Some("00112233"), &[BIAS + range.start + 1]);
    let (_, missing) = resolved(&text, &SymbolSearch::new());
    assert!(missing[0].contains("build id 00112233"), "{missing:?}");
}

#[test]
fn a_file_that_is_cut_off_or_overwritten_gives_right_names_or_none() {
    let (id, range) = function();
    let folder = Folder::new("damaged");
    let path = folder.0.join("program");
    let whole = fs::read(program()).expect("it can be read");
    let check = || {
        let text = recording(&path, Some(&id), &[BIAS + range.start + 1]);
        let (recording, _) = resolved(&text, &SymbolSearch::new());
        for place in places(&recording) {
            let name = place.function.as_deref().unwrap_or("by_a_test");
            assert!(name.contains("by_a_test"), "{name}");
        }
    };
    for part in [0, 1, 64, 4096, whole.len() / 2, whole.len() - 1000] {
        fs::write(&path, &whole[..part]).expect("it can be written");
        check();
    }
    for step in [7, 1009, 100_003] {
        let mut damaged = whole.clone();
        // The build id is near the start of the file, which is not damaged.
        damaged[8192..].iter_mut().step_by(step).for_each(|byte| *byte ^= 0xff);
        fs::write(&path, damaged).expect("it can be written");
        let text = recording(&path, Some(&id), &[BIAS + range.start + 1]);
        // Names may be garbled, but reading them ends without a panic.
        resolved(&text, &SymbolSearch::new());
    }
}

#[test]
fn a_stripped_program_gets_names_from_a_folder_of_debug_files() {
    let (id, range) = function();
    let folder = Folder::new("stripped");
    let (stripped, debug) = (folder.0.join("program"), folder.0.join("debug"));
    let file = debug.join("any.name");
    fs::create_dir_all(file.parent().expect("it has one")).expect("the folder can be made");
    let objcopy = |option: &str, to: &Path| {
        Command::new("objcopy")
            .arg(option)
            .arg(program())
            .arg(to)
            .status()
            .is_ok_and(|status| status.success())
    };
    if !objcopy("--only-keep-debug", &file) || !objcopy("--strip-all", &stripped) {
        return memprof_test_support::skip("objcopy of the binutils is not installed");
    }
    let text = recording(&stripped, Some(&id), &[BIAS + range.start + 1]);
    let (recording, missing) = resolved(&text, &SymbolSearch::new());
    assert!(recording.summary.sites[0].place.function.is_none());
    assert!(missing.len() == 1 && missing[0].contains("--debug-dir"), "{missing:?}");
    let search = SymbolSearch::new().debug_dir(&debug);
    let assert_is_named = || {
        let (recording, missing) = resolved(&text, &search);
        assert_eq!(missing, Vec::<String>::new());
        let place = &recording.summary.sites[0].place;
        let name = place.function.as_deref().unwrap_or_default();
        assert!(name.contains("by_a_test"), "{place:?}");
        assert!(place.file.is_some() && place.line.is_some(), "{place:?}");
    };
    // The build id identifies the file, whatever its name.
    assert_is_named();
    let by_id = debug.join("buildid").join(&id).join("debuginfo");
    fs::create_dir_all(by_id.parent().expect("it has one")).expect("the folder can be made");
    fs::rename(file, by_id).expect("it can be moved");
    assert_is_named();
}

#[test]
fn only_the_summary_of_a_file_changes() {
    let (id, range) = function();
    let report = recording(&program(), Some(&id), &[BIAS + range.start + 1]);
    let named = SymbolSearch::new().symbolize(&report).expect("it is a recording").text;
    assert!(named.contains("by_a_test") && named.contains("\"later_key\": [1, 2]"), "{named}");
    let again = SymbolSearch::new().symbolize(&named).expect("it is a recording");
    assert_eq!((again.text, again.missing), (named, Vec::new()));

    let (_, summary) = report.split_once("\"summary\": ").expect("it has one");
    let summary = summary.strip_suffix('}').expect("it ends the document");
    let timeline = format!(
        "{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n\
         {{\"summary\":{{}}}}\n{{\"unknown\":  1}}\n{{\"summary\":{summary}}}\n{{\"snapsh"
    );
    let named = SymbolSearch::new().symbolize(&timeline).expect("it is a recording").text;
    let lines: Vec<_> = named.split('\n').collect();
    let before: Vec<_> = timeline.split('\n').collect();
    assert_eq!((&lines[..3], lines[4]), (&before[..3], before[4]));
    assert!(lines[3].contains("by_a_test") && !before[3].contains("by_a_test"));
    assert!(SymbolSearch::new().symbolize("{}").is_err());
}

#[test]
fn line_tables_give_an_inlined_function_its_own_name_only() {
    let folder = Folder::new("line-tables");
    let sources = folder.0.join("app/src");
    fs::create_dir_all(sources.join("cache")).expect("the folder can be made");
    let files = [
        (
            "main.rs",
            "mod cache;\n\nfn main() {\n    std::process::exit(cache::table::outer());\n}\n",
        ),
        ("cache/mod.rs", "pub mod table;\n"),
        (
            "cache/table.rs",
            "#[inline(never)]\npub fn outer() -> i32 {\n    inner() - 6\n}\n\n\
             #[inline(always)]\nfn inner() -> i32 {\n    \
             std::hint::black_box(2) * std::hint::black_box(3)\n}\n",
        ),
    ];
    for (name, text) in files {
        fs::write(sources.join(name), text).expect("the folder can be written");
    }
    let app = folder.0.join("app/app");
    let mut rustc = Command::new("rustc");
    rustc
        .args([
            "--crate-name",
            "app",
            "--edition",
            "2024",
            "-O",
            "-C",
            "debuginfo=line-tables-only",
            "-o",
        ])
        .arg(&app);
    rustc.args(["-C", "link-arg=-Wl,--build-id"]).arg(sources.join("main.rs"));
    let status = rustc.status().expect("rustc, which compiled this test, runs");
    assert!(status.success(), "{rustc:?}");
    let (id, range) = function_of(&app, "outer");
    let addresses: Vec<u64> = (range.start + 1..=range.end).map(|at| BIAS + at).collect();
    let (recording, missing) =
        resolved(&recording(&app, Some(&id), &addresses), &SymbolSearch::new());
    assert_eq!(missing, Vec::<String>::new());
    let places = || places(&recording).filter(|place| place.address != Some(1));
    let names: std::collections::BTreeSet<_> =
        places().filter_map(|place| place.function.as_deref()).collect();
    assert!(names.contains("app::cache::table::outer"), "{names:?}");
    // Its modules are in no table, and its file does not determine them.
    assert!(names.contains("inner"), "{names:?}");
    assert!(places().any(|place| place.line == Some(8)), "the line of the inlined function");
}
