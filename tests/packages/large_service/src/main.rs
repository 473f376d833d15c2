//! A service whose requests run for 15 s, with a cache that is bounded and a log that grows.
//!
//! Its endpoints are instances of generic code, so the program has over 100 MB of debug information.

mod endpoint;

use endpoint::{ENDPOINTS, Service};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(feature = "recorded")]
#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

/// The time for which requests come.
const SECONDS: u64 = 15;
/// The number of clients; each of them has one request at a time.
const CLIENTS: usize = 8;

fn main() {
    #[cfg(feature = "recorded")]
    let session = memprof::Session::builder()
        .enabled(true)
        .interval(Duration::from_secs(1))
        .start()
        .expect("the settings are right");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("threads can be started");
    let service = Arc::new(Service::new());
    let requests = runtime.block_on(serve(&service));
    println!("requests: {requests}");
    #[cfg(feature = "recorded")]
    println!("{}", session.finish().expect("the files can be written"));
    drop(service);
}

/// Answers requests until the time is over, and returns their number.
async fn serve(service: &Arc<Service>) -> u64 {
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let clients = (0..CLIENTS).map(|client| {
        let service = service.clone();
        tokio::spawn(async move {
            let mut requests = 0;
            while Instant::now() < end {
                let endpoint = ENDPOINTS[(requests as usize + 37 * client) % ENDPOINTS.len()];
                let request = format!("{{\"user\": {requests}, \"items\": [\"book\", \"pen\"]}}");
                assert!(endpoint(&service, &request) > 0, "an answer is empty");
                requests += 1;
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            requests
        })
    });
    let clients: Vec<_> = clients.collect();
    let mut requests = 0;
    for client in clients {
        requests += client.await.expect("no client panics");
    }
    requests
}
