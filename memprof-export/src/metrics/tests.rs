//! Tests of clients that send no request, with a shorter time limit than users have.

use super::MetricsServer;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

/// The server's time limit for a request. On a busy machine, a client may need much of it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(1);

/// The clients' time limit for an answer.
const RESPONSE_TIMEOUT: Duration = Duration::from_mins(1);

fn server() -> MetricsServer {
    let metrics = || Ok::<_, &str>("x 1\n".to_owned());
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    MetricsServer::start(address, REQUEST_TIMEOUT, metrics).expect("there is a port")
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(RESPONSE_TIMEOUT)).expect("there is a timeout");
    stream
}

/// Returns the answer to these bytes, until the server closes the connection.
fn respond(mut stream: TcpStream, request: &[u8]) -> String {
    stream.write_all(request).expect("it is read");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    response
}

fn get(address: SocketAddr) -> String {
    respond(connect(address), b"GET /metrics HTTP/1.1\r\n\r\n")
}

#[test]
fn an_idle_client_blocks_no_other_and_is_disconnected() {
    let server = server();
    let idle_client = connect(server.address());
    let mut slow_client = connect(server.address());
    slow_client.write_all(b"GET /met").expect("it is read");
    // While this client sends its request, the server answers other clients.
    assert!(get(server.address()).ends_with("\r\n\r\nx 1\n"));
    assert!(respond(slow_client, b"").starts_with("HTTP/1.1 408 "));
    assert!(respond(idle_client, b"").starts_with("HTTP/1.1 408 "));
}

#[test]
fn excess_connections_are_served_later() {
    let server = server();
    let address = server.address();
    // A client that disconnects without a request occupies no connection. An idle client loses its
    // connection after the time limit.
    for _ in 0..100 {
        drop(connect(address));
    }
    let idle: Vec<TcpStream> = (0..20).map(|_| connect(address)).collect();
    let clients: Vec<_> = (0..40).map(|_| thread::spawn(move || get(address))).collect();
    for client in clients {
        let response = client.join().expect("it was answered");
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    }
    drop(idle);
}
