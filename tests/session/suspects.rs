//! Suspects name the root that holds their memory.

use crate::alone;
use crate::folder::Folder;
use crate::program::{end, seldom};
use memprof::heap::{Level, Rate, request_level, set_rate};
use memprof::{MemoryProfile, Session};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default, MemoryProfile)]
struct Index {
    documents: Vec<Document>,
    words: Vec<u32>,
}

#[derive(MemoryProfile)]
struct Document {
    text: String,
}

fn sampled(folder: &Path) -> Session {
    // A busy machine must not stop a walk.
    let session = seldom(folder).level(Level::Sampled).walk_budget(Duration::from_secs(10));
    session.start().expect("the folder can be written")
}

/// Allocates in a function of its own, because call sites of one function without lines, which a
/// busy machine may have had no time to find, are one suspect.
#[inline(never)]
fn three_hundred_bytes() -> Vec<u8> {
    vec![0; 300]
}

#[test]
fn a_suspect_names_the_root_that_holds_it_and_the_path_that_grew_most() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let session = sampled(folder.path());
    let index = Arc::new(Mutex::new(Index::default()));
    index.lock().expect("no thread panicked").documents.reserve(2000);
    session.root("index", Arc::clone(&index));
    session.root("settings", Arc::new(vec![1_u8; 100]));
    let mut unregistered = Vec::with_capacity(2000);
    for _ in 0..20 {
        let mut index = index.lock().expect("no thread panicked");
        for number in 0..50 {
            index.documents.push(Document { text: "x".repeat(1000) });
            index.words.push(number);
            unregistered.push(three_hundred_bytes());
        }
        drop(index);
        session.snapshot().expect("it records");
    }
    end(session);
    set_rate(Rate::default());
    drop(unregistered);
    let recording = folder.recording();
    let suspects = recording.suspects();
    let by_size = |least: f64, most: f64| {
        let found = suspects.iter().find(|one| (least..most).contains(&one.live.value));
        found.unwrap_or_else(|| panic!("no suspect of {least} to {most} bytes in {suspects:?}"))
    };
    let texts = by_size(900_000.0, 1_100_000.0);
    let roots: Vec<_> = texts.held_by.iter().map(|held| held.root.as_str()).collect();
    assert_eq!(roots, ["index"]);
    assert!((texts.held_by[0].live.value - texts.live.value).abs() < 1.0, "{texts:?}");
    assert!(by_size(270_000.0, 330_000.0).held_by.is_empty(), "no root reaches it");
    let text = recording.leak_list().to_string();
    let expected = "held by the root index: 976.6 KiB by samples; index;documents;text";
    let line = text.lines().find(|line| line.contains(expected));
    let line = line.unwrap_or_else(|| panic!("no line contains {expected}:\n{text}"));
    let page = include_str!("../../docs/command-line.md");
    assert!(page.contains(line.trim()), "docs/command-line.md lacks {line}");
    let overview = recording.overview().width(200).to_string();
    assert!(overview.contains(", held by the root index"), "{overview}");
}

#[test]
fn a_root_that_holds_only_blocks_of_before_the_session_holds_no_suspect() {
    let _alone = alone();
    let folder = Folder::new();
    set_rate(Rate::EACH_BLOCK);
    let _level = request_level(Level::Sampled);
    let archive = Arc::new(Mutex::new(Index::default()));
    let index = Arc::new(Mutex::new(Index::default()));
    for root in [&archive, &index] {
        root.lock().expect("no thread panicked").documents.reserve(2000);
    }
    let mut session = None;
    // All blocks are of one call stack. Those of the first round are older than the session.
    for round in 0..21 {
        let root = if round == 0 { &archive } else { &index };
        for _ in 0..50 {
            let text = "x".repeat(1000);
            root.lock().expect("no thread panicked").documents.push(Document { text });
        }
        let session = session.get_or_insert_with(|| {
            let session = sampled(folder.path());
            session.root("archive", Arc::clone(&archive));
            session.root("index", Arc::clone(&index));
            session
        });
        session.snapshot().expect("it records");
    }
    end(session.expect("it was started"));
    set_rate(Rate::default());
    let recording = folder.recording();
    let suspects = recording.suspects();
    let roots: Vec<_> = suspects[0].held_by.iter().map(|held| &*held.root).collect();
    assert_eq!(roots, ["index"], "{suspects:?}");
    assert!((900_000.0..1_100_000.0).contains(&suspects[0].live.value), "{suspects:?}");
}

/// Records a program that frees its values before the session ends, as a program does that creates
/// its session before them. `grows` states whether the values grow until then.
fn freed_before_the_end(folder: &Path, grows: bool) {
    set_rate(Rate::EACH_BLOCK);
    let session = sampled(folder);
    let mut kept: Vec<Vec<u8>> = Vec::with_capacity(2000);
    for round in 0..20 {
        if !grows && round > 2 {
            kept.clear();
        }
        kept.extend((0..50).map(|_| vec![1_u8; 1000]));
        session.snapshot().expect("it records");
    }
    drop(kept);
    end(session);
    set_rate(Rate::default());
}

#[test]
fn growth_until_the_program_freed_its_values_is_a_suspect() {
    let _alone = alone();
    let folder = Folder::new();
    freed_before_the_end(folder.path(), true);
    let recording = folder.recording();
    let suspects = recording.suspects();
    assert_eq!(suspects.len(), 1, "{suspects:?}");
    assert!(suspects[0].freed_at_end, "{suspects:?}");
    assert!((900_000.0..1_100_000.0).contains(&suspects[0].live.value), "{suspects:?}");
    let text = recording.leak_list().to_string();
    assert!(text.contains(" · freed at the end\n"), "{text}");
    assert!(text.contains("\n1 call site grew until it was freed at the end\n"), "{text}");
    let overview = recording.overview().width(200).to_string();
    assert!(overview.contains("grew until it was freed at the end"), "{overview}");
}

#[test]
fn values_that_are_replaced_and_then_freed_are_no_suspect() {
    let _alone = alone();
    let folder = Folder::new();
    freed_before_the_end(folder.path(), false);
    let recording = folder.recording();
    assert_eq!(recording.suspects().len(), 0, "{:?}", recording.suspects());
    let text = recording.leak_list().to_string();
    assert!(text.starts_with("no call site keeps growing\nthe live heap "), "{text}");
    assert!(text.contains("observations in ") && text.contains(" would have been found"), "{text}");
}
