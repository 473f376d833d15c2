//! A service holds 500 WebSockets that are idle.
//!
//! tungstenite 0.25.0 allocates a read buffer of 128 KiB for each: snapview/tungstenite-rs#480.
//! The fixed program limits the buffer with `read_buffer_size`.

use std::error::Error;
use std::io::Cursor;
use std::path::PathBuf;
use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let sockets: Vec<_> = (0..500).map(|_| accept()).collect();
    session.checkpoint("held");
    drop(sockets);
    println!("{}", session.finish()?);
    Ok(())
}

fn accept() -> WebSocket<Cursor<Vec<u8>>> {
    let config = WebSocketConfig::default();
    #[cfg(feature = "fixed")]
    let config = config.read_buffer_size(4096);
    WebSocket::from_raw_socket(Cursor::default(), Role::Server, Some(config)) // the bloat
}
