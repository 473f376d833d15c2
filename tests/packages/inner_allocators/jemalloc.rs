//! memprof around jemalloc.

mod checks;

use memprof_heap::Allocator;
use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOC: Allocator<Jemalloc> = Allocator::new(Jemalloc);
