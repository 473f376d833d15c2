//! Tests that run the commands in `docs/command-line.md` and compare their output with the pages.

use crate::memprof::{command, file, folder, run};
use crate::recordings::importer;
use crate::samples::{LATER, everything, json, model};
use expect_test::expect_file;

#[test]
fn the_documentation_of_the_command_line_shows_the_real_output() {
    let folder = folder("page");
    file(&folder, "model.json", json(&model()));
    file(&folder, "net.json", json(&everything()));
    file(&folder, "later.folded", LATER);
    file(&folder, "run.json", importer().report());
    let timeline = importer().timeline();
    file(&folder, "killed.jsonl", &timeline[..timeline.len() - 100]);
    file(&folder, "model.svg", model().to_flamegraph().unwrap());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/command-line.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut ran = String::new();
    let mut is_output = false;
    for line in page.lines() {
        if let Some(arguments) = line.strip_prefix("$ memprof ") {
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let output = command(&arguments).current_dir(&folder).output().unwrap();
            let printed = [output.stdout, output.stderr].concat();
            ran = ran + line + "\n" + std::str::from_utf8(&printed).unwrap();
            is_output = true;
        } else if !is_output || line == "```" {
            is_output = false;
            ran = ran + line + "\n";
        }
    }
    expect_file![path].assert_eq(&ran);
}

#[test]
fn the_page_of_sessions_shows_the_way_from_the_roots_to_the_process() {
    let recording = file(&folder("page_of_sessions"), "run.json", importer().report());
    let info = run(&["info", &recording]).well();
    let title = "from the roots to the process\n";
    let at = info.find(title).expect("it has the section");
    let (section, _) = info[at..].split_once("\n\n").expect("other sections follow");
    let page = include_str!("../../../docs/session.md");
    assert!(page.contains(&format!("```text\n{section}\n```")), "docs/session.md lacks\n{section}");
}
