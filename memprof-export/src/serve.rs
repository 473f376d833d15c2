//! Answers for a program's own HTTP server: the page, a heap profile, and metrics.
//!
//! memprof has no server of its own. A program that people watch over HTTP has one already, with its
//! limits, its TLS and its passwords, and one route there is all that memprof needs. So [`serve`] is
//! a function from a request to a response. It reads a recording in memory, takes no snapshot, and
//! waits for nothing, so a scrape never holds a lock of the program.

use crate::formats::prometheus;
use crate::{ExportError, Page, Pprof, folded_live_stacks, folded_sites};
use core::error::Error;
use memprof_profile::text::WithCauses;
use memprof_recording::Recording;
use memprof_recording::document::LiveStacks;
use std::net::{IpAddr, Ipv6Addr};

/// The parts of an HTTP request that [`serve`] reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers create it")]
pub struct Request<'r> {
    /// The path, such as `/metrics`.
    pub path: &'r str,
    /// The part of the target after the `?`; empty if there is none.
    pub query: &'r str,
    /// The header `Host`, or `:authority` in HTTP/2; empty if there is none.
    pub host: &'r str,
}

/// The response of [`serve`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The value of the header `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

const PATHS: [(&str, &str); 3] = [
    ("/metrics", "the last snapshot, for Prometheus"),
    ("/debug/pprof/heap", "live bytes by call stack, for pprof; with ?debug=1 as folded stacks"),
    ("/debug/memprof", "the page of the recording"),
];

const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a GET request for a recording.
///
/// | path | response |
/// |---|---|
/// | `/metrics` | the last snapshot in [Prometheus' text format](prometheus) |
/// | `/debug/pprof/heap` | live bytes by call stack: those of the newest moment with stacks, or else the call sites of the summary; with `?debug=1` as folded stacks |
/// | `/debug/memprof` | the [page](Page) |
///
/// Other paths get status 404, with a list of these paths. If the recording lacks the data, the
/// status is 503 and the body states the reason.
///
/// A web page could read the responses of a server on this machine through a host name of its own
/// that resolves to 127.0.0.1. So a host other than an IP address or `localhost` gets status 403.
/// To serve memprof under a host name, check the header and pass `localhost`.
///
/// # Example
/// ```no_run
/// use memprof::export::{Request, serve};
/// use memprof::session::Recording;
///
/// let recording = Recording::read_file("session.jsonl")?;
/// let request = Request { path: "/metrics", query: "", host: "127.0.0.1:8080" };
/// let response = serve(&request, &recording);
/// assert_eq!(response.status, 200);
/// # Ok::<(), memprof::session::RecordingError>(())
/// ```
pub fn serve<'r>(request: &Request<'_>, recording: impl Into<Option<&'r Recording>>) -> Response {
    if !is_local(request.host) {
        return text(403, "expected an IP address or localhost as the host\n".to_owned());
    }
    let answer: fn(&Request<'_>, &Recording) -> Response = match request.path {
        "/metrics" => |_, recording| metrics(recording),
        "/debug/pprof/heap" => heap,
        "/debug/memprof" => |_, recording| page(recording),
        _ => {
            let lines = PATHS.map(|(path, meaning)| format!("{path:18} {meaning}\n"));
            return text(404, format!("not found; memprof serves:\n{}", lines.concat()));
        }
    };
    match recording.into() {
        Some(recording) => answer(request, recording),
        None => text(503, "nothing is recorded\n".to_owned()),
    }
}

/// Returns `true` if a host is an IP address or `localhost`, with or without a port.
fn is_local(host: &str) -> bool {
    if let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<Ipv6Addr>().is_ok() && is_port(port);
    }
    let (name, port) = host.find(':').map_or((host, ""), |colon| host.split_at(colon));
    (name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()) && is_port(port)
}

/// Returns `true` for an empty text, and for a colon with a number.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok())
}

fn metrics(recording: &Recording) -> Response {
    let Some(last) = recording.snapshots.last() else {
        return text(503, "no snapshot has been taken yet\n".to_owned());
    };
    let body = prometheus::of_recording(recording, last).into_bytes();
    Response { status: 200, content_type: prometheus::CONTENT_TYPE, body }
}

fn heap(request: &Request<'_>, recording: &Recording) -> Response {
    let newest: Option<&LiveStacks> = recording.live_stacks.last();
    // Go's handlers write text for any level but 0.
    let level = request.query.split('&').find_map(|pair| pair.strip_prefix("debug="));
    let response = if level.is_some_and(|level| level != "0") {
        folded(recording, newest)
    } else {
        pprof(recording, newest)
    };
    response.unwrap_or_else(|error| unknown(&error))
}

fn folded(recording: &Recording, newest: Option<&LiveStacks>) -> Result<Response, ExportError> {
    Ok(text(
        200,
        match newest {
            Some(moment) => folded_live_stacks(recording, moment)?,
            None => folded_sites(recording)?,
        },
    ))
}

fn pprof(recording: &Recording, newest: Option<&LiveStacks>) -> Result<Response, ExportError> {
    let pprof = match newest {
        Some(moment) => Pprof::of_live_stacks(recording, moment)?,
        None => Pprof::of_sites(recording)?,
    };
    let mut body = Vec::new();
    pprof.write(&mut body)?;
    Ok(Response { status: 200, content_type: "application/octet-stream", body })
}

fn page(recording: &Recording) -> Response {
    let mut body = Vec::new();
    match Page::new(recording).write(&mut body) {
        Ok(_) => Response { status: 200, content_type: "text/html; charset=utf-8", body },
        Err(error) => unknown(&error),
    }
}

/// Returns the response for data that the recording lacks.
fn unknown(error: &(dyn Error + 'static)) -> Response {
    text(503, format!("{}\n", WithCauses(error)))
}

fn text(status: u16, text: String) -> Response {
    Response { status, content_type: TEXT, body: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn only_addresses_and_localhost_are_local() {
        for host in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "10.1.2.3:1",
            "localhost",
            "LocalHost:80",
            "[::1]:9",
            "[fe80::1]",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:80",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "127.0.0.1:x",
            "127.0.0.1:80:80",
            "[::1",
            "[evil]",
            "::1",
            "localhost:",
            "127.0.0.1@evil",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
