//! Requests load users into a small cache, a thousand at once.
//!
//! moka 0.12.0 keeps the waiters of values that are being loaded while its table of waiters grows:
//! moka-rs/moka#329.

use moka::future::Cache;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

const REQUESTS: u64 = 1_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).unwrap_or_default();
    let session = memprof::Session::builder().enabled(true).output_dir(folder).start()?;
    let users: Cache<u64, u64> = Cache::new(100);
    let end = Instant::now() + Duration::from_secs(12);
    let mut first = 0;
    while Instant::now() < end {
        let requests = (first..first + REQUESTS).map(|user| {
            let users = users.clone();
            tokio::spawn(async move { request(&users, user).await })
        });
        for request in requests.collect::<Vec<_>>() {
            request.await?;
        }
        first += REQUESTS;
    }
    println!("{}", session.finish()?);
    Ok(())
}

async fn request(users: &Cache<u64, u64>, user: u64) -> u64 {
    users.get_with(user, load(user)).await // the leak
}

async fn load(user: u64) -> u64 {
    tokio::task::yield_now().await;
    user * 2
}
