//! memprof around the system's allocator.

mod checks;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
