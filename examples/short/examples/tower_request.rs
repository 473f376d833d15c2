//! Which requests allocate? `cargo run -p memprof-examples --example tower_request`

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::routing::get;
use memprof::heap::operation::{RequestLayer, TrackFuture};
use memprof::heap::{Level, operations, set_level};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

async fn report() -> String {
    tokio::spawn(async { vec![0_u8; 100_000] }.track_here()); // named after this line
    "row\n".repeat(50_000)
}

async fn memory() -> Result<String, String> {
    operations().map(|table| table.to_string()).map_err(|error| error.to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    set_level(Level::Counters);
    let routes = RequestLayer::new(|request: &Request| {
        request.extensions().get::<MatchedPath>().map_or("<no route>", MatchedPath::as_str)
    });
    let app = Router::new()
        .route("/users/{id}", get(async || "a user"))
        .route("/report", get(report))
        .route("/memory", get(memory))
        .route_layer(routes);
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        println!("curl http://{0}/report http://{0}/memory", listener.local_addr()?);
        axum::serve(listener, app).await
    })?;
    Ok(())
}
