//! The guard of an operation is held while another future is awaited.

async fn load() {
    let _operation = memprof::operation!("load");
    std::future::ready(()).await;
}

fn spawn(_: impl Future + Send) {}

fn main() {
    spawn(load());
}
