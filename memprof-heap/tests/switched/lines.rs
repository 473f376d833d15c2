//! Lists of call sites name the user's line, and the function of a dependency that allocates for it.

use crate::alone;
use memprof_heap::leak::{LeakWatch, check_no_leak};
use memprof_heap::site::{Site, Sites};
use memprof_heap::{Level, Rate, sites};
use serde_json::Value;
use std::future::pending;
use std::time::Duration;

/// Returns a string of 65 bytes, and its line.
#[inline(never)]
fn short() -> (u32, Value) {
    let json = format!("\"{}\"", "s".repeat(65));
    (line!(), serde_json::from_str(&json).expect("it is a string"))
}

/// Returns a string of 199 bytes, and its line.
#[inline(never)]
fn long() -> (u32, Value) {
    let json = format!("\"{}\"", "l".repeat(199));
    (line!(), serde_json::from_str(&json).expect("it is a string"))
}

/// Returns an array in `depth` arrays, and its line.
#[inline(never)]
fn nested(depth: usize) -> (u32, Value) {
    let json = "[".repeat(depth) + &"]".repeat(depth);
    (line!(), serde_json::from_str(&json).expect("the brackets match"))
}

/// Returns a string of 65 bytes that was in 100 arrays.
#[inline(never)]
fn nested_string() -> Value {
    let json = format!("{}\"{}\"{}", "[".repeat(100), "s".repeat(65), "]".repeat(100));
    let mut value = serde_json::from_str(&json).expect("the brackets match");
    while let Value::Array(mut array) = value {
        value = array.pop().expect("each array has a value");
    }
    value
}

/// Returns the lines of this file at which call sites allocate, and their bytes.
fn lines<'s>(sites: impl IntoIterator<Item = &'s Site>) -> Vec<(u32, f64)> {
    let line = |site: &Site| {
        let yours = site.your_code.as_ref()?;
        yours.file.as_deref()?.ends_with("switched/lines.rs").then_some(yours.line?)
    };
    let sites = sites.into_iter().filter(|site| site.live.value > 0.0);
    sites.filter_map(|site| Some((line(site)?, site.live.value))).collect()
}

fn of_sites() -> Sites {
    sites().expect("the level is Sampled")
}

#[test]
fn two_lines_that_call_one_function_are_two_call_sites() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let ((first, one), (second, other)) = (short(), long());
    let mut found = lines(of_sites().iter());
    found.sort_by_key(|(line, _)| *line);
    assert_eq!(found, [(first, 65.0), (second, 199.0)]);
    let text = of_sites().to_string();
    let expected = format!("short (tests/switched/lines.rs:{first}) → ");
    assert!(text.contains(&expected) && text.contains("(serde_json-1."), "{text}");
    drop((one, other));
}

#[test]
fn a_watch_lists_two_lines_that_call_one_function_apart() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let watch = LeakWatch::start().expect("samples are taken");
    let mut kept = Vec::with_capacity(2000);
    let mut both = [0; 2];
    for _ in 0..20 {
        for _ in 0..20 {
            let ((first, one), (second, other)) = (short(), long());
            kept.push((one, other));
            both = [second, first];
        }
        std::thread::sleep(Duration::from_millis(2));
        watch.observe().expect("samples are taken");
    }
    let leaks = watch.leaks();
    let line = |leak: &memprof_heap::leak::Leak| leak.your_code.as_ref()?.line;
    let found: Vec<_> = leaks.iter().map(|leak| (line(leak), leak.live.value)).collect();
    assert_eq!(found, [(Some(both[0]), 199.0 * 400.0), (Some(both[1]), 65.0 * 400.0)], "{leaks}");
    let text = leaks.to_string();
    let first: Vec<&str> = text.lines().take(3).collect();
    let yours = format!("long (tests/switched/lines.rs:{})", both[0]);
    assert!(first[0].ends_with(&yours), "{text}");
    assert!(first[1].starts_with("  calls     serde_json::"), "{text}");
    assert!(first[2].starts_with("  allocates ") && first[2].contains("(serde_json-1."), "{text}");
}

#[test]
fn an_assertion_lists_two_lines_that_call_one_function_apart() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(2000);
    let mut both = [0; 2];
    let error = check_no_leak(10, || {
        let ((first, one), (second, other)) = (short(), long());
        kept.push((one, other));
        both = [second, first];
    });
    let text = error.expect_err("it leaks").to_string();
    for (bytes, function, line) in [(199, "long", both[0]), (65, "short", both[1])] {
        let place = format!("{function} (tests/switched/lines.rs:{line})");
        let start = format!("{bytes} B in 1 block ");
        let is_it = |text: &str| text.starts_with(&start) && text.ends_with(&place);
        assert!(text.lines().any(is_it), "{text}");
    }
}

#[test]
fn two_lines_that_spawn_one_future_are_two_call_sites_that_name_the_executor_s_functions() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("it starts");
    let lines_of_spawns = [line!() + 1, line!() + 2];
    drop(runtime.spawn(pending::<()>()));
    drop(runtime.spawn(pending::<()>()));
    let all = of_sites();
    let text = all.to_string();
    for line in lines_of_spawns {
        let is_here =
            |site: &&Site| site.your_code.as_ref().is_some_and(|yours| yours.line == Some(line));
        let functions = all.iter().filter(is_here).filter_map(|site| site.location.as_ref());
        let files: Vec<_> = functions.filter_map(|frame| frame.file.as_deref()).collect();
        assert!(files.iter().all(|file| file.ends_with("runtime/task/core.rs")), "{line}: {text}");
        let yours = format!("lines.rs:{line}) → ");
        // How much of a name the debug information has depends on its level.
        let is_shown = |row: &&str| row.contains(&yours) && row.contains("new (tokio-1.");
        assert_eq!(text.lines().filter(is_shown).count(), 1, "{text}");
    }
}

#[test]
fn the_user_s_line_is_named_below_deep_recursion() {
    for depth in [6, 10, 20, 100] {
        let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
        let (line, kept) = nested(depth);
        let text = of_sites().to_string();
        let yours = format!("nested (tests/switched/lines.rs:{line}) → ");
        let of_json: Vec<_> = text.lines().filter(|row| row.contains("serde_json")).collect();
        assert!(!of_json.is_empty(), "{depth}: {text}");
        assert!(of_json.iter().all(|row| row.contains(&yours)), "{depth}: {text}");
        drop(kept);
    }
}

#[test]
fn a_cut_is_shown_between_the_user_s_line_and_the_function_that_allocates() {
    let _alone = alone(Level::Sampled, Rate::EACH_BLOCK);
    let mut kept = Vec::with_capacity(1000);
    let error = check_no_leak(10, || kept.push(nested_string()));
    let text = error.expect_err("it leaks").to_string();
    let cut = "\n  through   more frames: a stack keeps its innermost 40 and its outermost 24\n";
    assert!(text.contains(cut), "{text}");
    assert!(text.contains("65 B in 1 block  "), "{text}");
    assert!(text.contains("nested_string (tests/switched/lines.rs:"), "{text}");
}
