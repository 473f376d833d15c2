//! A client cancels its requests faster than the server accepts them.
//!
//! h2 0.3.16 keeps each request until the server accepts it: hyperium/h2#668.

use h2::Reason;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::io::{DuplexStream, duplex};
use tokio::time::sleep;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_millis(100))
        .output_dir(folder)
        .start()?;
    let end = Instant::now() + Duration::from_secs(6);
    while Instant::now() < end {
        let (ours, theirs) = duplex(1 << 20);
        let client = tokio::spawn(client(theirs));
        // The fixed version closes the connection of such a client.
        let _ = serve(ours, end).await;
        client.abort();
    }
    println!("{}", session.finish()?);
    Ok(())
}

async fn serve(stream: DuplexStream, end: Instant) -> Result<(), h2::Error> {
    let mut connection = h2::server::handshake(stream).await?;
    while Instant::now() < end {
        let request = connection.accept().await; // the leak
        request.transpose()?;
        sleep(Duration::from_millis(10)).await;
    }
    Ok(())
}

async fn client(stream: DuplexStream) -> Result<(), h2::Error> {
    let (mut client, connection) = h2::client::handshake(stream).await?;
    tokio::spawn(connection);
    loop {
        let mut streams = Vec::new();
        for _ in 0..10 {
            client = client.ready().await?;
            let request = http::Request::get("https://example.com/").body(()).expect("it is valid");
            streams.push(client.send_request(request, true)?.1);
        }
        // The connection sends the requests before their resets.
        sleep(Duration::from_millis(2)).await;
        streams.iter_mut().for_each(|stream| stream.send_reset(Reason::CANCEL));
    }
}
