//! Mistakes in tracked functions, and a guard that is held while another future is awaited.

#[memprof::track]
async fn load() -> Result<u8, String> {
    //~ error[E0308]
    "text"
}

#[memprof::track]
fn store() -> u8 {
    //~ error[E0308]
    "text"
}

async fn guard_over_await() {
    let _operation = memprof::operation!("load");
    std::future::ready(()).await;
}

fn spawn(_: impl Future + Send) {}

fn start() {
    //~ error
    //~ note: to count an `async fn`, put `#[memprof::track]` on it; to count another future, call `.track(…)` of `memprof::heap::operation::TrackFuture` on it
    spawn(guard_over_await());
}
