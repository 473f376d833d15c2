//! Suspects whose memory a dependency allocates, and addresses without names.

use crate::memprof::{file, folder, run};
use crate::recordings::importer;
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
        "confidence": 0.9999, "live": {"value": 9e6, "standard_error": 0.0, "samples": 900},
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
          +2.0 KiB a second · confidence over 99.9 % · 17.2 MiB live in 1 800 blocks
            from app::main (app/src/main.rs:40)
            …2 more frames: `--all-frames`
        app::request::{{closure}} (app/src/main.rs:23)
          calls     CancellationToken::child_token (tokio-util-0.7.1/src/sync/mod.rs:7)
          allocates …Node::default (tokio-util-0.7.1/src/sync/cancellation_token/tree_node.rs:144)
          +1 000 B a second · confidence over 99.9 % · 8.6 MiB live in 900 blocks
            from app::main (app/src/main.rs:40)
            …2 more frames: `--all-frames`
        2 places keep growing
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
        "memprof: found no file of /does/not/exist with build id 00ff12 for 1 frame; pass the \
         folder of its debug file as `--debug-dir`\n"
    );
    let ran = run(&["symbolize", &report]);
    assert!(ran.code == Some(0) && ran.err.contains("00ff12"), "{ran:?}");
    let named = file(&folder, "named.json", &ran.out);
    assert_eq!(run(&["leaks", &named]).out, run(&["leaks", &report]).out);
    assert_eq!(run(&["symbolize", &named, "-o", &report]).code, Some(2), "the file exists");
}
