//! The metrics server.

use memprof_export::metrics::MetricsServer;
use memprof_export::prometheus;
use memprof_session::Session;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for events that should happen at once.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Starts a server whose only metric is the number of scrapes.
fn server() -> MetricsServer {
    let mut scrapes = 0;
    let metrics = move || {
        scrapes += 1;
        Ok::<_, &str>(format!("scrapes_total {scrapes}\n"))
    };
    MetricsServer::on_port(0, metrics).expect("there is a port")
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(TIMEOUT)).expect("there is a timeout");
    stream
}

/// Returns the answer to these bytes, until the server closes the connection.
fn respond(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = connect(address);
    stream.write_all(request).expect("it is read");
    read(&mut stream)
}

fn read(stream: &mut TcpStream) -> String {
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("it answers");
    String::from_utf8(response).expect("it is text")
}

fn get(address: SocketAddr) -> String {
    respond(address, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
}

#[test]
fn each_request_calls_the_closure() {
    let server = server();
    assert!(server.address().ip().is_loopback());
    assert_eq!(server.to_string(), format!("http://{}/metrics", server.address()));
    for scrape in 1..=3 {
        let response = get(server.address());
        let (head, body) = response.split_once("\r\n\r\n").expect("it has a head");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert!(head.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
        assert!(head.contains(&format!("\r\nContent-Length: {}\r\n", body.len())), "{head}");
        assert_eq!(body, format!("scrapes_total {scrape}\n"));
    }
}

#[test]
fn a_running_session_is_scraped() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("scraped");
    let session = Session::builder().output_dir(folder).enabled(true);
    let session = session.start().expect("no other session records");
    session.root("names", Arc::new(vec![String::from("alpha"); 3]));
    let handle = session.handle();
    let metrics = move || {
        let snapshot = handle.snapshot().ok_or("nothing is recorded")?;
        Ok::<_, &str>(prometheus::of_snapshot(&snapshot))
    };
    let server = MetricsServer::on_port(0, metrics).expect("there is a port");
    let response = get(server.address());
    // The bytes of the vector, its three strings, and their text.
    let bytes = 4 * size_of::<String>() + 3 * "alpha".len();
    assert!(
        response.contains(&format!("\nmemprof_root_bytes{{root=\"names\"}} {bytes}\n")),
        "{response}"
    );
    let document = session.finish().expect("it is written");
    assert!(document.is_recorded());
    let over = get(server.address());
    assert!(over.starts_with("HTTP/1.1 500 ") && over.ends_with("nothing is recorded\n"), "{over}");
}

#[test]
fn the_response_depends_on_the_request() {
    let server = server();
    for (request, expected) in [
        ("GET / HTTP/1.1\r\n\r\n", "200 OK"),
        ("GET /metrics?x=1 HTTP/1.0\n\n", "200 OK"),
        ("HEAD /metrics HTTP/1.1\r\n\r\n", "200 OK"),
        ("GET /secret HTTP/1.1\r\n\r\n", "404 Not Found"),
        ("GET /metrics/../x HTTP/1.1\r\n\r\n", "404 Not Found"),
        ("POST /metrics HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", "405 Method Not Allowed"),
        ("get /metrics HTTP/1.1\r\n\r\n", "405 Method Not Allowed"),
        ("GET /metrics HTTP/2\r\n\r\n", "400 Bad Request"),
        ("GET  /metrics  HTTP/1.1\r\n\r\n", "400 Bad Request"),
        ("\r\n\r\n", "400 Bad Request"),
    ] {
        let response = respond(server.address(), request.as_bytes());
        assert!(
            response.starts_with(&format!("HTTP/1.1 {expected}\r\n")),
            "{request:?}: {response}"
        );
        let body = response.split_once("\r\n\r\n").expect("it has a head").1;
        assert_eq!(body.is_empty(), request.starts_with("HEAD"), "{request:?}: {response}");
    }
    let allowed = respond(server.address(), b"PUT /metrics HTTP/1.1\r\n\r\n");
    assert!(allowed.contains("\r\nAllow: GET, HEAD\r\n"), "{allowed}");
}

#[test]
fn invalid_requests_are_refused() {
    let server = server();
    let garbage: Vec<u8> = (0..=255_u8).cycle().take(3000).collect();
    let refused = respond(server.address(), &[&garbage, &b"\r\n\r\n"[..]].concat());
    assert!(refused.starts_with("HTTP/1.1 400 "), "{refused}");
    let endless = respond(server.address(), &[b'a'; 9 << 10]);
    assert!(endless.starts_with("HTTP/1.1 431 "), "{endless}");
    let header = format!("GET /metrics HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(9 << 10));
    let huge = respond(server.address(), header.as_bytes());
    assert!(huge.starts_with("HTTP/1.1 431 "), "{huge}");
    assert!(get(server.address()).ends_with("scrapes_total 1\n"));
}

#[test]
fn a_request_may_come_byte_by_byte() {
    let server = server();
    let mut stream = connect(server.address());
    stream.set_nodelay(true).expect("it may be");
    for byte in b"GET /metrics HTTP/1.1\r\n\r\n" {
        stream.write_all(&[*byte]).expect("it is read");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(read(&mut stream).ends_with("scrapes_total 1\n"));
}

#[test]
fn a_response_of_megabytes_is_complete() {
    let text = "memprof_x 1\n".repeat(500_000);
    let whole = text.clone();
    let metrics = move || Ok::<_, &str>(whole.clone());
    let server = MetricsServer::on_port(0, metrics).expect("there is a port");
    assert!(get(server.address()).ends_with(&format!("\r\n\r\n{text}")));
}

#[test]
fn a_failure_or_panic_of_the_closure_is_a_response() {
    let mut requests = 0;
    let metrics = move || {
        requests += 1;
        match requests {
            1 => Err("no such file"),
            2 => panic!("as planned"),
            _ => Ok("x 1\n".to_owned()),
        }
    };
    let server = MetricsServer::on_port(0, metrics).expect("there is a port");
    let failed = get(server.address());
    assert!(failed.starts_with("HTTP/1.1 500 ") && failed.ends_with("\r\n\r\nno such file\n"));
    assert!(get(server.address()).starts_with("HTTP/1.1 500 "));
    assert!(get(server.address()).ends_with("\r\n\r\nx 1\n"));
}

#[test]
fn drop_stops_the_server() {
    let server = server();
    let address = server.address();
    let mut open = connect(address);
    open.write_all(b"GET /").expect("it is read");
    drop(server);
    assert!(TcpStream::connect(address).is_err(), "the port is closed");
    let mut rest = Vec::new();
    // The connection may end with or without an error.
    let _ = open.read_to_end(&mut rest);
    assert!(rest.is_empty());
    // The port is free again.
    let again = MetricsServer::bind(address, || Ok::<_, &str>(String::new()));
    assert_eq!(again.expect("it is free").address(), address);
}

#[test]
fn drop_does_not_wait_for_the_closure() {
    let (called, is_called) = channel();
    let metrics = move || {
        called.send(()).expect("the test waits");
        thread::sleep(TIMEOUT);
        Ok::<_, &str>(String::new())
    };
    let server = MetricsServer::on_port(0, metrics).expect("there is a port");
    let mut stream = connect(server.address());
    stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").expect("it is read");
    is_called.recv_timeout(TIMEOUT).expect("the closure is called");
    let began = Instant::now();
    drop(server);
    assert!(began.elapsed() < TIMEOUT, "it waited for the closure");
}

#[test]
fn a_port_in_use_is_an_error() {
    let server = server();
    let taken = MetricsServer::on_port(server.address().port(), || Ok::<_, &str>(String::new()));
    assert!(taken.is_err());
}
