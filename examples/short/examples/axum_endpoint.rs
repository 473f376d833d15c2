//! How does a service show its memory? `cargo run -p memprof-examples --example axum_endpoint`
//!
//! Then `curl localhost:8080/metrics`, open <http://localhost:8080/debug/memprof>, or run
//! `go tool pprof http://localhost:8080/debug/pprof/heap`.

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::IntoResponse;
use memprof::session::{Request, Session, SessionHandle, serve};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn show(uri: &Uri, headers: &HeaderMap, handle: &SessionHandle) -> impl IntoResponse + use<> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let request = Request { path: uri.path(), query: uri.query().unwrap_or_default(), host };
    let response = serve(&request, handle);
    let status = StatusCode::from_u16(response.status).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, response.content_type)], response.body)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Session::builder().enabled(true).output_dir(std::env::temp_dir()).start()?;
    let handle = session.handle();
    let app = Router::new().fallback(async move |uri: Uri, headers: HeaderMap| {
        // Looking up names takes up to a second, so it has a thread of its own.
        let show = move || show(&uri, &headers, &handle).into_response();
        tokio::task::spawn_blocking(show).await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    });
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await?;
        println!("http://{}", listener.local_addr()?);
        axum::serve(listener, app).await
    })?;
    Ok(())
}
