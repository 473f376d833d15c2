//! How is a cache bounded by its bytes? `cargo run -p memprof-examples --example cache_weigher`

use memprof::MemoryProfile;
use memprof::heap::measure;
use memprof::weigh::Entry;
use moka::sync::Cache;
use std::sync::Arc;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

#[derive(MemoryProfile)]
struct Page {
    title: String,
    links: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (cache, measured) = measure(|| {
        let cache: Cache<String, Arc<Page>> = Cache::builder()
            .max_capacity(16 << 20) // bytes
            .weigher(|key, page| Entry::MOKA012.u32(key, page))
            .build();
        for number in 0..20_000 {
            let links = (0..20).map(|link| format!("https://example.com/{link}")).collect();
            let page = Page { title: format!("page {number}"), links };
            cache.insert(format!("/page/{number}"), Arc::new(page));
        }
        cache.run_pending_tasks();
        cache
    })?;
    let longest = cache.iter().map(|(_, page)| page.title.len() + page.links.len()).max();
    println!("{} pages, the longest {longest:?}", cache.entry_count());
    println!("{} B on the heap, bounded to {} B", measured.net_bytes(), 16 << 20);
    Ok(())
}
