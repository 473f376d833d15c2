//! Suspects whose memory a dependency allocates, and addresses without names.

use crate::memprof::{file, folder, run};
use crate::recordings::{cache, importer};
use expect_test::expect;
use serde_json::{Value, json};

const REGISTRY: &str = "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";

fn frame(function: &str, file: &str, line: u32) -> Value {
    json!({"function": function, "file": file.replace("REGISTRY", REGISTRY), "line": line})
}

/// Returns a suspect of the dependency's line 144, called by this line of the user's.
fn leak(user_line: u32, operation: &[&str]) -> Value {
    let site = frame(
        "<tokio_util::sync::tree_node::TreeNode<alloc::sync::Arc<u8>> as core::default::Default>::default",
        "REGISTRY/tokio-util-0.7.1/src/sync/cancellation_token/tree_node.rs",
        144,
    );
    json!({
        "place": site, "operation": operation, "bytes_per_second": 1000.0, "bytes_per_call": null,
        "bytes_per_second_interval": [900.0, 1100.0], "live": {"value": 9e6, "standard_error": 0.0, "samples": 900},
        "live_blocks": {"value": 900.0, "standard_error": 0.0, "samples": 900},
        "stack": [
            frame("alloc::sync::Arc<T>::new", "/rustc/59/library/alloc/src/sync.rs", 10),
            site,
            frame("tokio_util::sync::CancellationToken::child_token::<u8>", "REGISTRY/tokio-util-0.7.1/src/sync/mod.rs", 7),
            frame("app::request::{{closure}}", "/srv/app/src/main.rs", user_line),
            frame("tokio::runtime::task::raw::poll", "REGISTRY/tokio-1.54.1/src/runtime/task/raw.rs", 325),
            frame("app::main", "/srv/app/src/main.rs", 40),
            frame("std::rt::lang_start", "/rustc/59/library/std/src/rt.rs", 206),
        ],
    })
}

#[test]
fn a_suspect_names_the_user_s_line_and_the_dependency_that_allocates() {
    let mut recorded = importer();
    recorded.summary["leaks"] = json!([leak(19, &["serve"]), leak(19, &["load"]), leak(23, &[])]);
    let report = file(&folder("suspects"), "run.json", recorded.report());
    expect![[r#"
        app::request::{{closure}} (app/src/main.rs:19)
          calls     CancellationToken::child_token (tokio-util-0.7.1/src/sync/mod.rs:7)
          allocates …Node::default (tokio-util-0.7.1/src/sync/cancellation_token/tree_node.rs:144)
          in serve, and 1 other operation
          +2.0 KiB/s (1.8 KiB to 2.1 KiB) · 17.2 MiB live in 1,800 blocks
            from app::main (app/src/main.rs:40)
            …2 more frames: `--all-frames`
        app::request::{{closure}} (app/src/main.rs:23)
          calls     CancellationToken::child_token (tokio-util-0.7.1/src/sync/mod.rs:7)
          allocates …Node::default (tokio-util-0.7.1/src/sync/cancellation_token/tree_node.rs:144)
          +1,000 B/s (900 B to 1.1 KiB) · 8.6 MiB live in 900 blocks
            from app::main (app/src/main.rs:40)
            …2 more frames: `--all-frames`
        2 call sites keep growing
        the live heap grows by 335.9 KiB/s: 26 observations in 125.0 s
    "#]]
    .assert_eq(&run(&["leaks", "--width", "90", &report]).well());
    let leaks = run(&["leaks", "--width", "90", &report]).well();
    let first: Vec<&str> = leaks.lines().take(7).collect();
    let page = include_str!("../../../docs/command-line.md");
    let shown = format!("```text\n{}\n```", first.join("\n"));
    assert!(page.contains(&shown), "docs/command-line.md lacks\n{shown}");
    let all = run(&["leaks", "--all-frames", &report]).well();
    assert!(all.contains("from tokio::runtime::task::raw::poll (tokio-1.54.1/"), "{all}");
    assert!(all.contains("from std::rt::lang_start (std/src/rt.rs:206)"), "{all}");
    let info = run(&["info", "--width", "80", &report]).well();
    assert!(info.contains("app::request::{{closure}} (app/src/main.rs:19)"), "{info}");
    assert!(info.contains("cancellation_token/tree_node.rs:144)"), "{info}");
}

#[test]
fn a_suspect_has_the_stacks_of_its_line_that_have_few_samples() {
    let uncertain = |line, doubt: &str| {
        let mut leak = leak(line, &["serve"]);
        leak["doubt"] = json!(doubt);
        leak["stack"][1]["line"] = json!(207);
        leak
    };
    let mut recorded = importer();
    let mut freed = leak(19, &["serve"]);
    freed["freed_at_end"] = json!(true);
    recorded.summary["leaks"] = json!([freed]);
    recorded.summary["doubtful_leaks"] = json!([
        uncertain(19, "few_samples"),
        uncertain(19, "unsteady"),
        uncertain(19, "short_lived"),
        uncertain(19, "replaced"),
        uncertain(23, "few_samples"),
        uncertain(29, "short_lived"),
    ]);
    let report = file(&folder("suspects-uncertain"), "run.json", recorded.report());
    let json: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
    let lines = |key: &str, field: &str| -> Vec<u64> {
        let found = json[key].as_array().unwrap().iter();
        found.map(|one| one[field]["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(
        (lines("leaks", "your_code"), lines("uncertain", "your_code")),
        (vec![19], vec![23, 29])
    );
    assert_eq!(lines("replaced", "your_code"), [19]);
    let first = &json["leaks"][0];
    assert_eq!(first["bytes_per_second"], 4000.0);
    assert_eq!(first["freed_at_end"], true);
    let allocating = first["allocates"].as_array().unwrap();
    assert_eq!(
        allocating.iter().map(|one| one["line"].as_u64()).collect::<Vec<_>>(),
        [Some(207), Some(144)]
    );

    let brief = run(&["leaks", "--json", "--limit", "1", &report]).well();
    assert!(brief.lines().count() == 1 && brief.len() < 5000, "{brief}");
    let brief: Value = serde_json::from_str(&brief).unwrap();
    assert_eq!(brief["left_out"], 1, "the second uncertain call site");
    assert_eq!(brief["leaks"][0]["your_code"], first["your_code"]);
    assert_eq!(brief["leaks"][0]["place"], first["place"]);
    assert_eq!(brief["leaks"][0]["stack"], Value::Null);
}

#[test]
fn a_suspect_is_freed_if_its_largest_part_is() {
    for (values_are_freed, buffer_is_freed) in [(true, false), (false, true)] {
        let mut values = leak(19, &["serve"]);
        values["freed_at_end"] = json!(values_are_freed);
        let mut buffer = leak(19, &["serve"]);
        buffer["stack"][1]["line"] = json!(207);
        buffer["live"]["value"] = json!(100.0);
        buffer["freed_at_end"] = json!(buffer_is_freed);
        for leaks in [[&values, &buffer], [&buffer, &values]] {
            let mut recorded = importer();
            recorded.summary["leaks"] = json!(leaks);
            let report = file(&folder("suspects-freed"), "run.json", recorded.report());
            let json = run(&["leaks", "--json", &report]).well();
            let json: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(json["leaks"].as_array().unwrap().len(), 1);
            assert_eq!(json["leaks"][0]["freed_at_end"], values_are_freed);
        }
    }
}

#[test]
fn a_suspect_names_the_function_of_an_executor_that_allocates() {
    let tokio = |function: &str, file: &str, line: u32| {
        frame(function, &format!("REGISTRY/tokio-1.54.1/src/{file}"), line)
    };
    let mut recorded = importer();
    let mut of_tokio = leak(19, &[]);
    let allocates = "tokio::runtime::io::registration_set::RegistrationSet::allocate";
    of_tokio["place"] = tokio(allocates, "runtime/io/registration_set.rs", 64);
    of_tokio["stack"] = json!([
        tokio(allocates, "runtime/io/registration_set.rs", 64),
        tokio("tokio::runtime::io::driver::Handle::add_source", "runtime/io/driver.rs", 216),
        tokio("tokio::io::async_fd::AsyncFd<T>::new", "io/async_fd.rs", 312),
        frame("app::listen", "/srv/app/src/main.rs", 19),
        tokio("tokio::runtime::task::raw::poll", "runtime/task/raw.rs", 325),
    ]);
    recorded.summary["leaks"] = json!([of_tokio]);
    let report = file(&folder("suspects-tokio"), "run.json", recorded.report());
    let leaks = run(&["leaks", &report]).well();
    let expected = "app::listen (app/src/main.rs:19)\n  calls     tokio::io::async_fd::AsyncFd<…>::new \
                    (tokio-1.54.1/src/io/async_fd.rs:312)\n  allocates RegistrationSet::allocate (";
    assert!(leaks.starts_with(expected), "{leaks}");
    let all = run(&["leaks", "--all-frames", &report]).well();
    assert!(all.contains("\n    from tokio::runtime::io::driver::Handle::add_source ("), "{all}");
}

#[test]
fn a_missing_debug_file_is_named_with_its_build_id() {
    let mut recorded = importer();
    recorded.summary["leaks"][0]["stack"] = json!([{"address": 4096}]);
    recorded.summary["modules"] = json!([
        {"path": "/does/not/exist", "build_id": "00ff12", "load_bias": 0, "ranges": [[0, 9999]]},
    ]);
    let folder = folder("missing-names");
    let report = file(&folder, "run.json", recorded.report());
    let ran = run(&["leaks", &report]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.err,
        "memprof: no debug file for /does/not/exist (build id 00ff12): 1 frame stays unnamed; \
         pass the folder of its debug file as `--debug-dir`\n"
    );
    let debug = crate::memprof::folder("missing-names-debug");
    file(&debug, "names.debug", "of another program");
    let debug = debug.to_str().expect("it is UTF-8");
    let ran = run(&["leaks", "--debug-dir", debug, &report]);
    let tried = format!("stays unnamed; not in {debug}, which has names.debug\n");
    assert!(ran.err.ends_with(&tried), "{ran:?}");
    let new = folder.join("named.json");
    let ran = run(&["symbolize", &report, "-o", new.to_str().expect("it is UTF-8")]);
    assert!(ran.code == Some(1) && ran.err.contains("00ff12"), "{ran:?}");
    assert!(ran.err.ends_with("no names found; nothing was written\n"), "{ran:?}");
    assert!(!new.exists());
    // The other suspects have names.
    recorded.summary["leaks"][0]["stack"] = json!([]);
    let complete = file(&folder, "complete.json", recorded.report());
    let named = file(&folder, "named.json", run(&["symbolize", &complete]).well());
    assert_eq!(run(&["leaks", &named]).well(), run(&["leaks", &complete]).well());
    assert_eq!(run(&["symbolize", &named, "-o", &report]).code, Some(2), "the file exists");
}

#[test]
fn a_module_whose_addresses_were_looked_up_is_not_searched_again() {
    let mut recorded = importer();
    recorded.summary["leaks"][0]["stack"] = json!([{"address": 4096}]);
    recorded.summary["modules"] = json!([{
        "path": "/does/not/exist", "build_id": "00ff12", "load_bias": 0, "ranges": [[0, 9999]],
        "looked_up": true,
    }]);
    let report = file(&folder("looked-up"), "run.json", recorded.report());
    run(&["leaks", &report]).well();
    assert!(run(&["symbolize", &report]).well().contains("\"looked_up\":true"));
}

#[test]
fn a_debug_folder_that_does_not_exist_is_an_error() {
    let report = file(&folder("no-debug-dir"), "run.json", importer().report());
    for command in ["leaks", "info", "symbolize", "html"] {
        let ran = run(&[command, "--debug-dir", "/does/not/exist", &report]);
        let expected = "memprof: /does/not/exist: not a folder; `--debug-dir` takes a folder of debug \
                        files\n";
        assert_eq!((ran.code, ran.err.as_str()), (Some(2), expected), "{command}");
    }
}

#[test]
fn files_that_are_no_recordings_are_diagnosed_by_symbolize_as_by_leaks() {
    let folder = folder("not-recordings");
    let files: [(&str, &[u8]); 6] = [
        ("passwd", b"root:x:0:0:root:/root:/bin/bash\n"),
        ("empty", b""),
        ("elf", b"\x7fELF\x02\x01\x01\0\0\0"),
        ("page.html", b"<!DOCTYPE html>"),
        ("page.gz", b"\x1f\x8b\x08\0\0"),
        ("stacks.folded", b"main;load 5\n"),
    ];
    for (name, content) in files {
        let file = file(&folder, name, content);
        let (symbolized, leaks) = (run(&["symbolize", &file]), run(&["leaks", &file]));
        assert_eq!((symbolized.code, &symbolized.err), (Some(2), &leaks.err), "{name}");
        let is_profile = symbolized.err.contains(": this is a profile, not a recording");
        assert_eq!(is_profile, name == "stacks.folded", "{symbolized:?}");
    }
}

#[test]
fn the_json_of_suspects_has_the_joined_ones_of_the_text() {
    let mut recorded = importer();
    let mut held = leak(19, &["serve"]);
    held["held_by"] =
        json!([{"root": "cache", "live": {"value": 5.0, "standard_error": 0.0, "samples": 1}}]);
    recorded.summary["leaks"] = json!([held, leak(19, &["load"]), leak(23, &[])]);
    let report = file(&folder("suspects-json"), "run.json", recorded.report());
    let json: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
    let leaks = json["leaks"].as_array().unwrap();
    assert_eq!(leaks.len(), 2);
    let first = &leaks[0];
    assert_eq!(first["your_code"]["line"], 19);
    assert_eq!(first["calls"]["line"], 7);
    assert_eq!(first["allocates"].as_array().unwrap().len(), 1);
    assert_eq!(first["allocates"][0], first["place"]);
    assert_eq!(first["operations"], json!([["serve"], ["load"]]));
    assert_eq!(first["held_by"][0]["root"], "cache");
    assert_eq!(first["bytes_per_second"], 2000.0);
    assert_eq!(first["stack"].as_array().unwrap().len(), 6, "from the place outwards");
    assert_eq!(leaks[1]["operation"], json!([]));
}

/// Returns the line of `memprof leaks` about the root that holds a suspect. The root has these
/// bytes by path at the start and at the end.
fn holder(
    test: &str,
    first: &[(&str, u64)],
    last: &[(&str, u64)],
    edit: impl Fn(&mut Value),
) -> String {
    let mut recorded = importer();
    let mut held = leak(19, &["serve"]);
    held["held_by"] =
        json!([{"root": "cache", "live": {"value": 5e6, "standard_error": 0.0, "samples": 9}}]);
    recorded.summary["leaks"] = json!([held]);
    let count = recorded.snapshots.len();
    for (index, snapshot) in recorded.snapshots.iter_mut().enumerate() {
        snapshot["roots"] = json!([]);
        let paths = if index == 0 { first } else { last };
        if index == 0 || index + 1 == count {
            snapshot["roots"] = json!([cache(paths)]);
            edit(&mut snapshot["roots"][0]);
        }
    }
    let file = file(&folder(test), "run.json", recorded.report());
    let leaks = run(&["leaks", "--width", "200", &file]).well();
    let line = leaks.lines().find_map(|line| line.split_once("4.8 MiB by samples"));
    line.expect("the root is named").1.to_owned()
}

#[test]
fn the_path_of_a_holder_is_named_only_if_it_clearly_grew_most() {
    let name = |test, first: &[_], last: &[_]| holder(test, first, last, |_| ());
    let (first, tied) = (
        [("audit;action", 10), ("name", 5)],
        [("audit;action", 500), ("audit;user", 490), ("name", 5)],
    );
    assert_eq!(name("grew-tied", &first, &tied), "; cache;audit grew most (+980 B)");
    let clear = [("audit;action", 500), ("audit;user", 90), ("name", 5)];
    assert_eq!(name("grew-clear", &first, &clear), "; cache;audit;action grew most (+490 B)");
    let spread = [("audit;action", 500), ("audit;user", 90), ("name", 500)];
    assert_eq!(name("grew-spread", &first, &spread), "");
    let partial = |root: &mut Value| {
        for branch in root["profile"]["branches"].as_array_mut().unwrap() {
            if branch["name"] == "name" {
                branch["opaque"] = json!([{"why": "stopped", "count": 7}]);
            }
        }
    };
    assert_eq!(holder("grew-partial", &first, &clear, partial), "", "`name` may have grown more");
}
