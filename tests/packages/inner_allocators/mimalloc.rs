//! memprof around mimalloc.

mod checks;

use memprof_heap::Allocator;
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOC: Allocator<MiMalloc> = Allocator::new(MiMalloc);
