//! Tests of reading complete and incomplete texts of both forms.

use super::Recording;

const METADATA: &str = r#"{"program":"app","pid":7,"memprof":"0.1.0","platform":"linux x86_64","started_unix_ns":5,"generated_at":"1970-01-01T00:00:00Z","generated_ns":9,"interval_ns":5000000000,"snapshots":1,"operations_tracked":true,"ended":"running"}"#;
const SNAPSHOT: &str = r#"{"number":0,"at_ns":3,"trigger":"checkpoint","name":"loaded","heap":null,"process":{"rss_bytes":4096},"profiler":{"snapshot_ns":1},"tensor_count":0,"devices":[],"roots":[{"name":"cache","state":"locked","held_ns":0,"total_bytes":null,"heap_bytes":null}]}"#;
const PATHS: &str = r#"[{"path":1,"names":["load"],"parent":null,"file":"a.rs","line":1}]"#;
const EVENTS: &str = "[[1,2,10,20,-5,100,95,null]]";

fn timeline(lines: &[String]) -> String {
    let head =
        format!("{{\"format\":\"memprof timeline\",\"version\":1,\"metadata\":{METADATA}}}\n");
    head + &lines.concat()
}

fn lines() -> [String; 3] {
    [
        format!("{{\"snapshot\":{SNAPSHOT}}}\n"),
        format!("{{\"operation_paths\":{PATHS}}}\n"),
        format!("{{\"operation_events\":{EVENTS}}}\n"),
    ]
}

fn document() -> String {
    format!(
        "{{\"format\": \"memprof session\", \"version\": 1,\n\"metadata\": {METADATA},\n\
         \"snapshots\": [\n{SNAPSHOT}\n],\n\"operation_paths\": {PATHS},\n\"operation_events\": \
         {{\"columns\":[],\"rows\":{EVENTS}}},\n\"out_of_memory\": [],\n\"summary\": {{}}}}\n"
    )
}

#[test]
fn a_report_and_its_timeline_say_the_same() {
    for text in [timeline(&lines()), document()] {
        let recording = Recording::from_text(&text).expect("it is whole");
        assert_eq!(recording.metadata.program, "app");
        assert_eq!(recording.snapshots[0].process.rss_bytes, Some(4096));
        assert_eq!(recording.snapshots[0].process.swap_bytes, None, "unknown is not 0");
        assert_eq!(recording.operation_paths[0].names, ["load"]);
        let event = recording.operation_events[0];
        assert_eq!((event.path, event.thread, event.net_bytes), (1, 2, -5));
        assert_eq!(event.tensor_net_bytes, None);
        assert_eq!(recording.unreadable_lines, 0);
        for word in ["loaded", "start", "end", "peak", "0"] {
            assert_eq!(recording.snapshot(word).map(|found| found.number), Some(0), "{word}");
        }
        for word in ["", "1", "unloaded"] {
            assert!(recording.snapshot(word).is_none(), "{word}");
        }
    }
}

#[test]
fn threads_have_the_names_of_the_file() {
    const NAMES: &str =
        r#"[{"thread":7,"name":""},{"thread":2,"name":"a"},{"thread":2,"name":"b"}]"#;
    let [snapshot, paths, events] = lines();
    let names = format!("{{\"thread_names\":{NAMES}}}\n");
    let in_document = format!("\"thread_names\": {NAMES},\n\"out_of_memory\"");
    let timeline = timeline(&[snapshot, events, names, paths]);
    for text in [timeline, document().replace("\"out_of_memory\"", &in_document)] {
        let recording = Recording::from_text(&text).expect("it is whole");
        assert_eq!(recording.unreadable_lines, 0);
        let names = [2, 7, 8].map(|thread| recording.thread_name(thread));
        assert_eq!(names, [Some("b"), Some(""), None]);
        let labels = [2, 7, 8].map(|thread| recording.thread_label(thread));
        assert_eq!(labels, ["b (thread 2)", "thread 7 (unnamed)", "thread 8 (name unknown)"]);
    }
    let unnamed = Recording::from_text(&document()).expect("it is whole");
    assert_eq!(unnamed.thread_label(2), "thread 2");
}

#[test]
fn the_peak_is_the_most_that_is_known_and_none_where_nothing_is() {
    let snapshot = |number: u64, heap: Option<i64>, resident: &str| {
        let heap = heap.map_or("null".to_owned(), |live| {
            format!(
                r#"{{"level":"counters","counted_ns":null,"live_bytes":{live},"profiler_bytes":0,"profiler_peak_bytes":0,"live_blocks":1,"allocated_bytes":1,"allocated_blocks":1,"freed_bytes":0,"freed_blocks":0,"peak_bytes":1,"peak_error_bytes":0}}"#
            )
        });
        let text = SNAPSHOT.replace("\"number\":0", &format!("\"number\":{number}"));
        let text = text.replace("\"heap\":null", &format!("\"heap\":{heap}"));
        format!("{{\"snapshot\":{}}}\n", text.replace(":4096", &format!(":{resident}")))
    };
    let peak = |lines: &[String]| {
        let recording = Recording::from_text(&timeline(lines)).expect("it is whole");
        assert_eq!(recording.unreadable_lines, 0);
        let peak = recording.peak().map(|peak| peak.number);
        assert_eq!(recording.snapshot("peak").map(|peak| peak.number), peak);
        peak
    };
    let unknown = |number| snapshot(number, None, "null");
    assert_eq!(peak(&[]), None);
    assert_eq!(peak(&[unknown(0), unknown(1)]), None);
    assert_eq!(peak(&[snapshot(0, None, "9"), snapshot(1, None, "7"), unknown(2)]), Some(0));
    let live = [snapshot(0, Some(-5), "9"), snapshot(1, Some(3), "7"), snapshot(2, Some(2), "99")];
    assert_eq!(peak(&live), Some(1), "live bytes come first");
}

#[test]
fn a_timeline_is_read_up_to_where_its_program_was_killed() {
    let whole = timeline(&lines());
    let head = whole.find('\n').expect("it has lines");
    for end in head + 1..whole.len() {
        let recording = Recording::from_text(&whole[..end]).expect("the first line is whole");
        assert!(recording.unreadable_lines <= 1);
    }
    for end in 1..head {
        assert!(Recording::from_text(&whole[..end]).is_err());
    }
}

#[test]
fn a_line_that_the_disk_had_no_room_for_loses_no_other() {
    let [snapshot, paths, events] = lines();
    let torn = format!("{}\n", &snapshot[..40]);
    let recording = Recording::from_text(&timeline(&[torn, paths, snapshot, events]));
    let recording = recording.expect("the first line is whole");
    assert_eq!(recording.unreadable_lines, 1);
    assert_eq!((recording.snapshots.len(), recording.operation_events.len()), (1, 1));
}

#[test]
fn a_text_that_is_no_recording_is_one_clear_error() {
    let newer = timeline(&[]).replacen(":1,", ":2,", 1);
    let truncated = &document()[..200];
    for (text, expected) in [
        ("", "the file is empty"),
        ("{}", "not a memprof recording"),
        ("main;load 5", "found \"main;load 5\""),
        ("{\"format\": \"memprof profile\", \"version\": 1}", "found \"memprof profile\""),
        (&newer, "a newer memprof wrote"),
        (truncated, "is cut off"),
        (&timeline(&[])[..60], "ends within its first line"),
    ] {
        let error = Recording::from_text(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_other_form_is_read_if_only_that_exists() {
    let folder = std::env::temp_dir().join(format!("memprof-{}-forms", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let [document, timeline] = ["one.json", "one.jsonl"].map(|name| folder.join(name));
    for path in [&document, &timeline] {
        assert!(Recording::read_file(path).is_err());
    }
    std::fs::write(&document, self::document()).expect("it is ours");
    assert_eq!(Recording::existing_path(&timeline), document);
    assert!(Recording::read_file(&timeline).is_ok());
    std::fs::write(&timeline, "").expect("it is ours");
    assert!(Recording::read_file(&timeline).is_err(), "the file exists, so it is read");
    std::fs::remove_file(&document).expect("it is ours");
    std::fs::write(&timeline, self::timeline(&lines())).expect("it is ours");
    assert!(Recording::read_file(&document).is_ok());
    std::fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn the_first_bytes_distinguish_a_recording_from_a_profile() {
    assert!(Recording::is_recording(&document()) && Recording::is_recording(&timeline(&[])));
    assert!(!Recording::is_recording("{\"format\": \"memprof profile\""));
    assert!(!Recording::is_recording("memprof session;a 5"));
}

#[test]
fn recordings_reformatted_by_other_tools_are_read() {
    let spaced = timeline(&lines()).replace("\":", "\": ");
    let folded = document().replace('\n', " ");
    for text in
        [spaced.clone(), spaced.replace('\n', "\r\n"), folded, format!("\n \n{}", document())]
    {
        assert!(Recording::is_recording(&text));
        let recording = Recording::from_text(&text).expect("it is whole");
        assert_eq!((recording.snapshots.len(), recording.operation_events.len()), (1, 1));
        assert_eq!(recording.unreadable_lines, 0);
    }
}

#[test]
fn a_later_line_of_a_moment_without_rows_adds_what_is_pinned() {
    let line = |more: &str| {
        format!(
            r#"{{"live_stacks":{{"at_ns":5,"trigger":"checkpoint","live_bytes":9,"rows":[{more}}}}}"#
        ) + "\n"
    };
    let row = |bytes: u64| format!("[7,null,null,{bytes},0,1,0,1]]");
    let none = r#"{"value":1,"standard_error":0,"samples":1}"#;
    let pinned =
        format!(r#"],"pinned":[{{"stack":7,"free":{none},"alone":{none},"shared":{none}}}]"#);
    let read = |lines: &[String]| {
        let recording = Recording::from_text(&timeline(lines)).expect("it is whole");
        let [moment] = &recording.live_stacks[..] else { panic!("one moment") };
        (moment.rows[0].live.value, moment.pinned.len())
    };
    let first = line(&row(8));
    assert_eq!(read(&[first.clone(), line(&pinned)]), (8.0, 1));
    assert_eq!(read(&[first, line(&row(9))]), (9.0, 0), "a line with rows replaces it");
}
