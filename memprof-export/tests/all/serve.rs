//! Responses for a program's own HTTP server.

use crate::fixture::Fixture;
use crate::recordings::{recording, recording_of, sites};
use memprof_export::{Request, Response, prometheus, serve};
use memprof_recording::Recording;
use serde_json::json;

const LOCAL: Request<'_> = Request { path: "/metrics", query: "", host: "localhost:8080" };

fn get(path: &str, recording: &Recording) -> Response {
    serve(&Request { path, ..LOCAL }, recording)
}

fn text(response: &Response) -> &str {
    str::from_utf8(&response.body).expect("it is text")
}

#[test]
fn metrics_are_those_of_the_last_snapshot() {
    let recording = Fixture::importer().recording();
    let response = get("/metrics", &recording);
    assert_eq!((response.status, response.content_type), (200, prometheus::CONTENT_TYPE));
    let last = recording.snapshots.last().expect("there are some");
    assert_eq!(text(&response), prometheus::of_recording(&recording, last));
}

#[test]
fn the_heap_profile_is_gzipped_and_text_on_request() {
    let recording = recording(&sites());
    let response = get("/debug/pprof/heap", &recording);
    assert_eq!((response.status, response.content_type), (200, "application/octet-stream"));
    assert_eq!(response.body[..2], [0x1f, 0x8b]);
    for (query, is_text) in [("debug=1", true), ("gc=1&debug=2", true), ("debug=0", false)] {
        let response = serve(&Request { path: "/debug/pprof/heap", query, ..LOCAL }, &recording);
        let folded = response.body.starts_with(b"importer;");
        assert_eq!((response.status, folded), (200, is_text), "{query}");
    }
}

#[test]
fn the_page_is_complete() {
    let response = get("/debug/memprof", &Fixture::importer().recording());
    assert_eq!((response.status, response.content_type), (200, "text/html; charset=utf-8"));
    let html = text(&response);
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
}

#[test]
fn unknown_paths_list_the_known_ones() {
    let recording = Fixture::importer().recording();
    for path in ["", "/", "/metrics/", "/metrics/../secret", "/debug/pprof/", "/debug/pprof/heap2"]
    {
        let response = get(path, &recording);
        assert_eq!(response.status, 404, "{path}");
        for known in ["/metrics", "/debug/pprof/heap", "/debug/memprof"] {
            assert!(text(&response).contains(known), "{path}");
        }
    }
}

#[test]
fn a_foreign_host_gets_nothing() {
    let recording = Fixture::importer().recording();
    for path in ["/metrics", "/debug/memprof", "/"] {
        for host in ["", "evil.example", "evil.example:8080", "localhost.evil.example"] {
            let response = serve(&Request { path, query: "", host }, &recording);
            assert_eq!(response.status, 403, "{host}");
            assert!(!text(&response).contains("importer"), "{host}");
        }
        for host in ["127.0.0.1", "[::1]:8080", "192.168.1.7:80", "localhost"] {
            let response = serve(&Request { path, query: "", host }, &recording);
            assert_ne!(response.status, 403, "{host}");
        }
    }
}

#[test]
fn unknown_data_are_a_response_with_the_reason() {
    let counted = recording_of("importer", 7, Some("counters"), &json!({}));
    let response = get("/debug/pprof/heap", &counted);
    assert_eq!(response.status, 503);
    assert!(text(&response).contains("are unknown: "), "{}", text(&response));
    let response = get("/metrics", &Fixture::empty().recording());
    assert_eq!((response.status, text(&response)), (503, "no snapshot has been taken yet\n"));
}
