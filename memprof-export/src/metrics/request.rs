//! Requests and their answers.

use crate::formats::prometheus::CONTENT_TYPE;

/// A closure that returns the metrics, or the reason for its failure.
pub(super) type Metrics<'m> = dyn FnMut() -> Result<String, String> + 'm;

/// The text of `/` and of the page for unknown paths.
const INDEX_TEXT: &str = "memprof: the metrics are at /metrics\n";

/// Returns the end of the head of a request, if it has been read.
pub(super) fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let ends = [&b"\r\n\r\n"[..], b"\n\n"];
    let end = |separator: &[u8]| {
        Some(bytes.windows(separator.len()).position(|at| at == separator)? + separator.len())
    };
    ends.into_iter().filter_map(end).min()
}

/// Returns the answer to a request with this head.
pub(super) fn respond(head: &[u8], metrics: &mut Metrics<'_>) -> Vec<u8> {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let fields: Option<Vec<&str>> = str::from_utf8(line).ok().map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split(' ').collect()
    });
    let Some([method, target, version]) = fields.as_deref() else {
        return plain("400 Bad Request", "", "expected an HTTP request\n", true);
    };
    if !version.starts_with("HTTP/1.") {
        return plain("400 Bad Request", "", "expected HTTP/1.1\n", true);
    }
    let body = match *method {
        "GET" => true,
        "HEAD" => false,
        _ => {
            let allowed = "Allow: GET, HEAD\r\n";
            return plain("405 Method Not Allowed", allowed, "expected GET or HEAD\n", true);
        }
    };
    match target.split_once('?').map_or(*target, |(path, _)| path) {
        "/metrics" => match metrics() {
            Ok(text) => response("200 OK", "", CONTENT_TYPE, &text, body),
            Err(reason) => plain("500 Internal Server Error", "", &format!("{reason}\n"), body),
        },
        "/" => plain("200 OK", "", INDEX_TEXT, body),
        _ => plain("404 Not Found", "", INDEX_TEXT, body),
    }
}

/// Returns the answer to a head that is too long.
pub(super) fn too_long() -> Vec<u8> {
    let reason = "expected less than 8 KiB of headers\n";
    plain("431 Request Header Fields Too Large", "", reason, true)
}

/// Returns the answer to a head that does not arrive in time.
pub(super) fn too_slow() -> Vec<u8> {
    plain("408 Request Timeout", "", "expected a request within 5 seconds\n", true)
}

fn plain(status: &str, headers: &str, text: &str, body: bool) -> Vec<u8> {
    response(status, headers, "text/plain; charset=utf-8", text, body)
}

fn response(status: &str, headers: &str, content: &str, text: &str, body: bool) -> Vec<u8> {
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content}\r\nContent-Length: {length}\r\n{headers}\
         X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    );
    let body = if body { text } else { "" };
    [head.as_bytes(), body.as_bytes()].concat()
}
