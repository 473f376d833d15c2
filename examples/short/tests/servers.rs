//! A route of axum and one of hyper show a running session.

use memprof::session::{Request, SessionHandle, serve};
use memprof::{MemoryProfile, Session};
use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::{env, process};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[derive(MemoryProfile)]
struct Cache {
    rows: Vec<Vec<u8>>,
}

/// Sends a GET request, and returns the status line and the body.
fn get(address: SocketAddr, path: &str, host: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).expect("the server answers");
    let end = response.windows(4).position(|four| four == b"\r\n\r\n").expect("the head ends");
    let status = String::from_utf8_lossy(&response[..end]);
    let status = status.lines().next().unwrap_or_default().to_owned();
    (status, response[end + 4..].to_vec())
}

fn check(address: SocketAddr) {
    let body = |path: &str| {
        let (status, body) = get(address, path, "127.0.0.1");
        assert!(status.ends_with("200 OK"), "{path}: {status}");
        body
    };
    let metrics = String::from_utf8(body("/metrics")).expect("it is text");
    assert!(metrics.contains("memprof_root_bytes{root=\"cache\""), "{metrics}");
    let page = String::from_utf8(body("/debug/memprof")).expect("it is text");
    assert!(page.starts_with("<!DOCTYPE html>"), "{:?}", page.get(..100));
    assert!(body("/debug/pprof/heap").starts_with(&[0x1f, 0x8b]), "it is gzipped");
    let folded = String::from_utf8(body("/debug/pprof/heap?debug=1")).expect("it is text");
    assert!(folded.contains(';'), "{folded}");
    let (status, list) = get(address, "/debug", "127.0.0.1");
    assert!(status.ends_with("404 Not Found"), "{status}");
    assert!(String::from_utf8_lossy(&list).contains("/debug/memprof"));
    let (status, _) = get(address, "/metrics", "evil.example");
    assert!(status.ends_with("403 Forbidden"), "{status}");
}

async fn with_axum(listener: TcpListener, handle: SessionHandle) {
    use axum::http::{HeaderMap, StatusCode, Uri, header};
    use axum::response::IntoResponse;

    let show = move |uri: Uri, headers: HeaderMap| {
        let handle = handle.clone();
        async move {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
            let request = Request {
                path: uri.path(),
                query: uri.query().unwrap_or_default(),
                host: host.unwrap_or_default(),
            };
            let response = serve(&request, &handle);
            let status = StatusCode::from_u16(response.status).unwrap_or_default();
            (status, [(header::CONTENT_TYPE, response.content_type)], response.body).into_response()
        }
    };
    let routes = axum::Router::new().fallback(show);
    axum::serve(listener, routes).await.expect("it runs until the end of the test");
}

async fn with_hyper(listener: TcpListener, handle: SessionHandle) {
    use http_body_util::Full;
    use hyper::body::{Bytes, Incoming};
    use hyper::header::{CONTENT_TYPE, HOST};
    use hyper_util::rt::TokioIo;

    loop {
        let (stream, _) = listener.accept().await.expect("it listens");
        let handle = handle.clone();
        let show = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
            let asked = Request {
                path: request.uri().path(),
                query: request.uri().query().unwrap_or_default(),
                host: host.unwrap_or_default(),
            };
            let answer = serve(&asked, &handle);
            let response = hyper::Response::builder()
                .status(answer.status)
                .header(CONTENT_TYPE, answer.content_type)
                .body(Full::new(Bytes::from(answer.body)))
                .expect("the parts are valid");
            async move { Ok::<_, Infallible>(response) }
        });
        tokio::spawn(
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), show),
        );
    }
}

#[test]
fn axum_and_hyper_serve_metrics_a_heap_profile_and_the_page() {
    let folder = env::temp_dir().join(format!("memprof-servers-{}", process::id()));
    let session = Session::builder().enabled(true).output_dir(&folder).start().expect("it starts");
    session.root("cache", Arc::new(Cache { rows: vec![vec![0; 1000]; 1000] }));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let bind = || runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let (axum, hyper) = (bind(), bind());
    let addresses = [&axum, &hyper].map(|listener| listener.local_addr().expect("it is bound"));
    runtime.spawn(with_axum(axum, session.handle()));
    runtime.spawn(with_hyper(hyper, session.handle()));
    session.checkpoint("ready");
    addresses.into_iter().for_each(check);
    let handle = session.handle();
    let _document = session.finish().expect("there is room");
    let request = Request { path: "/metrics", query: "", host: "localhost" };
    assert_eq!(serve(&request, &handle).status, 503, "the session is over");
    let _ = std::fs::remove_dir_all(folder);
}
