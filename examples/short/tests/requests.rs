//! Requests of axum and spawned tasks are operations, on any thread of a runtime.

use axum::extract::{MatchedPath, Path, Request, State};
use axum::routing::{get, post};
use memprof::heap::operation::{RequestLayer, TrackFuture};
use memprof::heap::{Level, operations};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

type Kept = Arc<Mutex<Vec<Vec<u8>>>>;

async fn item(Path(id): Path<usize>) -> String {
    let page = vec![0_u8; 10_000];
    tokio::task::yield_now().await;
    format!("{id}: {}", page.len())
}

async fn keep(State(kept): State<Kept>) {
    kept.lock().unwrap().push(vec![0; 5000]);
}

fn request(address: SocketAddr, head: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    write!(stream, "{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("the server answers");
    response
}

#[test]
fn requests_are_counted_by_route_and_tasks_by_the_line_that_spawns_them() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let kept = Kept::default();
    kept.lock().unwrap().reserve(100);
    let requests = RequestLayer::new(|request: &Request| {
        request.extensions().get::<MatchedPath>().map_or("<no route>", MatchedPath::as_str)
    });
    let app = axum::Router::new()
        .route("/items/{id}", get(item))
        .route("/keep", post(keep))
        .route_layer(requests)
        .with_state(Arc::clone(&kept));
    runtime.spawn(async { axum::serve(listener, app).await });

    for id in 0..20 {
        let response = request(address, &format!("GET /items/{id}"));
        assert!(response.ends_with(&format!("{id}: 10000")), "{response}");
    }
    for _ in 0..10 {
        request(address, "POST /keep");
    }
    let line = line!() + 1;
    let task = runtime.spawn(async { drop(vec![0_u8; 3000]) }.track_here());
    runtime.block_on(task).expect("it does not panic");

    let operations = operations().expect("the level is on");
    let item = operations.find("/items/{id}").expect("it ran");
    assert_eq!(item.calls, 20);
    assert!(item.allocated_bytes >= 20 * 10_000, "{item:?}");
    let keep = operations.find("/keep").expect("it ran");
    assert_eq!(keep.calls, 10);
    assert!(keep.allocated_bytes >= 10 * 5000, "{keep:?}");
    // The request itself is allocated before the handler runs, and freed within it.
    assert!((40_000..60_000).contains(&keep.net_bytes()), "{keep:?}");
    assert!(item.net_bytes() < 20 * 1000, "{item:?}");
    let task = operations.find(&format!("task {}:{line}", file!())).expect("it ran");
    assert_eq!((task.allocated_bytes, task.net_bytes()), (3000, 0), "{task:?}");
}
