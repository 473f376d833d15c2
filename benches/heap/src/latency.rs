//! The latency of a service that parses and answers JSON: an axum server on two threads, with
//! clients at a fixed rate in the same process.
//!
//! A latency begins at the time at which a request was due, so a request that waits for an earlier
//! one counts in full.

use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// The number of clients, each with one connection.
const CLIENTS: u32 = 4;
/// The time between two requests of a client. Together, the clients use about a third of two cores.
const EVERY: Duration = Duration::from_millis(2);
/// The number of items of an order; its JSON has about 2 KiB.
const ITEMS: u64 = 24;

/// Sends this number of requests, and returns the latencies in order, in nanoseconds.
///
/// # Panics
/// Panics if the system has no free port, or an answer is wrong.
#[must_use]
pub fn latencies(requests: u32) -> Vec<u64> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_io().build();
    let runtime = runtime.expect("the threads start");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let router = Router::new().route("/orders", post(receipt));
    runtime.spawn(async { axum::serve(listener, router).await });
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let offset = EVERY * number / CLIENTS;
            thread::spawn(move || client(address, offset, requests / CLIENTS))
        })
        .collect();
    let join = |client: thread::JoinHandle<Vec<u64>>| client.join().expect("answers are right");
    let mut all: Vec<u64> = clients.into_iter().flat_map(join).collect();
    all.sort_unstable();
    runtime.shutdown_background();
    all
}

/// Answers an order with its total, and the items in the order of their names.
async fn receipt(Json(order): Json<Value>) -> Json<Value> {
    let mut items = order["items"].as_array().cloned().unwrap_or_default();
    items.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
    let total: u64 = items.iter().filter_map(|item| item["price"].as_u64()).sum();
    Json(json!({ "customer": order["customer"], "items": items, "total": total }))
}

fn client(address: SocketAddr, offset: Duration, requests: u32) -> Vec<u64> {
    let mut connection = TcpStream::connect(address).expect("the server listens");
    connection.set_nodelay(true).expect("it is a socket");
    let mut answers = BufReader::new(connection.try_clone().expect("a descriptor is free"));
    let item = |number: u64| json!({ "name": format!("item {}", number * 7 % ITEMS), "price": number, "tags": ["new"] });
    let items: Vec<Value> = (0..ITEMS).map(item).collect();
    let order = json!({ "customer": "the customer of the benchmark", "items": items }).to_string();
    let head = "POST /orders HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json";
    let request = format!("{head}\r\ncontent-length: {}\r\n\r\n{order}", order.len());
    let start = Instant::now() + offset;
    let mut body = Vec::new();
    (0..requests)
        .map(|number| {
            let due = start + EVERY * number;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            connection.write_all(request.as_bytes()).expect("the server reads");
            read_answer(&mut answers, &mut body);
            u64::try_from(due.elapsed().as_nanos()).expect("it fits")
        })
        .collect()
}

fn read_answer(answers: &mut impl BufRead, body: &mut Vec<u8>) {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        answers.read_line(&mut line).expect("the server answers");
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().expect("it is a number");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    body.resize(length, 0);
    answers.read_exact(body).expect("the answer is complete");
    let total = format!("\"total\":{}", ITEMS * (ITEMS - 1) / 2);
    assert!(body.ends_with(format!("{total}}}").as_bytes()), "{}", String::from_utf8_lossy(body));
}
